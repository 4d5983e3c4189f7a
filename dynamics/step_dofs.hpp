#pragma once

#include "dynamics/system.hpp"
#include "linear/step_matrix.hpp"

#include <Eigen/Core>

namespace slipwave::dynamics {

/// The dofs of a system that are not prescribed, and those of its contacts in their order. Throws
/// std::invalid_argument for a dof prescribed twice.
linear::StepDofs step_dofs(const System& system);

/// H A⁻¹ Hᵀ with H the contacts in their local frames.
Eigen::MatrixXd on_contacts(const System& system, const linear::StepMatrix& A);

}  // namespace slipwave::dynamics
