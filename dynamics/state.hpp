#pragma once

#include <Eigen/Core>

namespace slipwave::dynamics {

/// The unknowns after `step` steps; the time is step * h, a product and never an accumulated sum.
struct State {
  int step = 0;
  Eigen::VectorXd q;  ///< displacements, 2 per node
  Eigen::VectorXd v;  ///< velocities
};

}  // namespace slipwave::dynamics
