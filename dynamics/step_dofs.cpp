#include "dynamics/step_dofs.hpp"

#include "linear/submatrix.hpp"

namespace slipwave::dynamics {

linear::StepDofs step_dofs(const System& system) {
  return {linear::indices_where(prescribed_dofs(system), false), system.H.dofs()};
}

Eigen::MatrixXd on_contacts(const System& system, const linear::StepMatrix& A) {
  return system.H.times_transposed(A.on_contacts());
}

}  // namespace slipwave::dynamics
