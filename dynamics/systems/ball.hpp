#pragma once

#include "dynamics/system.hpp"

#include <Eigen/Core>

namespace slipwave::dynamics {

/// A ball that falls on the rigid ground y = 0 and does not turn, q = (x, y) of its centre.
struct Ball {
  double mass = 1.0;
  double radius = 0.5;
  Eigen::Vector2d gravity{0.0, 0.0};  ///< acceleration
  ContactLaw law;
  bool projection = false;  ///< whether penetration is removed after each step
};

/// The ball as a system of one node with one contact, g = y − radius. Moreau–Jean with θ = ½ moves
/// it in flight without error.
System make_system(const Ball& ball);

}  // namespace slipwave::dynamics
