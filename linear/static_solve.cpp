#include "linear/static_solve.hpp"

#include "linear/factor.hpp"
#include "linear/submatrix.hpp"

#include <cassert>

namespace slipwave::linear {

void static_solve(const fem::SparseMatrix& K, const Eigen::VectorXd& F,
                  const std::vector<bool>& is_fixed, Eigen::VectorXd& q) {
  const int n = static_cast<int>(K.rows());
  assert(K.cols() == n && F.size() == n && q.size() == n);
  assert(static_cast<int>(is_fixed.size()) == n);
  const std::vector<int> free_dofs = indices_where(is_fixed, false);
  const std::vector<int> free_index = numbering(free_dofs, n);
  const int free_count = static_cast<int>(free_dofs.size());
  for (const int i : free_dofs) q[i] = 0.0;
  const Eigen::VectorXd rhs = (F - K * q)(free_dofs);
  try {
    const ContactLastFactor factor(submatrix(K, free_index, free_count, free_index, free_count),
                                   {});
    // Round-off can leave a tiny pivot where a body is free to move: the solution would be noise.
    if (factor.L().reciprocal_condition() < 1e-13) throw NotPositiveDefinite(0);
    q(free_dofs) = factor.solve(rhs);
  } catch (const NotPositiveDefinite& error) {
    throw NotPositiveDefinite(free_dofs[static_cast<std::size_t>(error.row)]);
  }
}

}  // namespace slipwave::linear
