#include "dynamics/free_factor.hpp"

namespace slipwave::dynamics {

namespace {

/// The free dofs of the contacts as indices among the free ones, each once, in the contacts' order.
std::vector<int> contact_unknowns(const System& system, const std::vector<int>& free_index) {
  std::vector<int> unknowns;
  std::vector<bool> taken(free_index.size(), false);
  for (const ContactPoint& contact : system.contacts)
    for (const int dof : {contact.dof, contact.dof + 1}) {
      if (free_index[static_cast<std::size_t>(dof)] < 0 || taken[static_cast<std::size_t>(dof)])
        continue;
      taken[static_cast<std::size_t>(dof)] = true;
      unknowns.push_back(free_index[static_cast<std::size_t>(dof)]);
    }
  return unknowns;
}

ContactLastFactor factorise(const SparseMatrix& A, const System& system,
                            const std::vector<int>& free_dofs) {
  const std::vector<int> free_index = numbering(free_dofs, system.dof_count());
  const int n = static_cast<int>(free_dofs.size());
  try {
    return {submatrix(A, free_index, n, free_index, n), contact_unknowns(system, free_index)};
  } catch (const NotPositiveDefinite& error) {
    throw NotPositiveDefinite(free_dofs[static_cast<std::size_t>(error.row)]);
  }
}

}  // namespace

FreeFactor::FreeFactor(const SparseMatrix& A, const System& system)
    : FreeFactor(A, system, indices_where(prescribed_dofs(system), false)) {}

FreeFactor::FreeFactor(const SparseMatrix& A, const System& system,
                       const std::vector<int>& free_dofs)
    : factor_(factorise(A, system, free_dofs)),
      place_(static_cast<std::size_t>(system.dof_count()), -1),
      y_(Eigen::VectorXd::Zero(factor_.L().work_size())) {
  for (std::size_t k = 0; k < free_dofs.size(); ++k)
    place_[static_cast<std::size_t>(free_dofs[k])] = factor_.position()[k];
}

Eigen::MatrixXd FreeFactor::on_contacts(const System& system) const {
  const Eigen::MatrixXd S_inverse = factor_.inverse_on_last();
  const int n = system.contact_count();
  Eigen::MatrixXd result(2 * n, 2 * n);
  for (int b = 0; b < n; ++b)
    for (int a = 0; a < n; ++a) {
      const ContactPoint& row = system.contacts[static_cast<std::size_t>(a)];
      const ContactPoint& column = system.contacts[static_cast<std::size_t>(b)];
      Eigen::Matrix2d block = Eigen::Matrix2d::Zero();
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          const int at = place_[static_cast<std::size_t>(row.dof + i)];
          const int to = place_[static_cast<std::size_t>(column.dof + j)];
          if (at >= 0 && to >= 0) block(i, j) = S_inverse(at - first_last(), to - first_last());
        }
      result.block<2, 2>(2 * a, 2 * b) = row.frame * block * column.frame.transpose();
    }
  return result;
}

void FreeFactor::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
  for (std::size_t dof = 0; dof < place_.size(); ++dof)
    if (place_[dof] >= 0) y_[place_[dof]] = b[static_cast<Eigen::Index>(dof)];
  L().forward(y_);
  L().backward(y_);
  for (std::size_t dof = 0; dof < place_.size(); ++dof)
    x[static_cast<Eigen::Index>(dof)] = place_[dof] >= 0 ? y_[place_[dof]] : 0.0;
}

}  // namespace slipwave::dynamics
