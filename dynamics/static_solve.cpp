#include "dynamics/static_solve.hpp"

#include "dynamics/factor.hpp"

namespace slipwave::dynamics {

void static_solve(const SparseMatrix& K, const Eigen::VectorXd& F,
                  const std::vector<bool>& is_fixed, Eigen::VectorXd& q) {
  const int n = static_cast<int>(K.rows());
  std::vector<int> free_index(static_cast<std::size_t>(n), -1), free_dofs;
  for (int i = 0; i < n; ++i) {
    if (is_fixed[static_cast<std::size_t>(i)]) continue;
    free_index[static_cast<std::size_t>(i)] = static_cast<int>(free_dofs.size());
    free_dofs.push_back(i);
  }
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

}  // namespace slipwave::dynamics
