#include "dynamics/step_dofs.hpp"

#include "linear/submatrix.hpp"

namespace slipwave::dynamics {

linear::StepDofs step_dofs(const System& system) {
  linear::StepDofs dofs{linear::indices_where(prescribed_dofs(system), false), {}};
  std::vector<bool> taken(static_cast<std::size_t>(system.dof_count()), false);
  for (const ContactPoint& contact : system.contacts)
    for (const int dof : {contact.dof, contact.dof + 1}) {
      if (taken[static_cast<std::size_t>(dof)]) continue;
      taken[static_cast<std::size_t>(dof)] = true;
      dofs.contacts.push_back(dof);
    }
  return dofs;
}

Eigen::MatrixXd on_contacts(const System& system, const linear::StepMatrix& A) {
  const Eigen::MatrixXd S_inverse = A.on_contacts();
  const std::vector<int> index = linear::numbering(step_dofs(system).contacts, system.dof_count());
  const int n = system.contact_count();
  Eigen::MatrixXd result(2 * n, 2 * n);
  for (int b = 0; b < n; ++b)
    for (int a = 0; a < n; ++a) {
      const ContactPoint& row = system.contacts[static_cast<std::size_t>(a)];
      const ContactPoint& column = system.contacts[static_cast<std::size_t>(b)];
      Eigen::Matrix2d block;
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          block(i, j) = S_inverse(index[static_cast<std::size_t>(row.dof + i)],
                                  index[static_cast<std::size_t>(column.dof + j)]);
      result.block<2, 2>(2 * a, 2 * b) = row.frame * block * column.frame.transpose();
    }
  return result;
}

}  // namespace slipwave::dynamics
