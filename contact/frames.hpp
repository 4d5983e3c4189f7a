#pragma once

#include <Eigen/Core>

namespace slipwave::contact {

/// A rigid half-plane: the side its normal points away from cannot be entered.
struct HalfPlane {
  Eigen::Vector2d point = Eigen::Vector2d::Zero();    ///< any point of its surface
  Eigen::Vector2d normal = Eigen::Vector2d::UnitY();  ///< unit, out of the obstacle
};

/// The local frame as a matrix: u = (u_N, u_T) = frame * v. The tangent is the normal turned
/// clockwise, so that a floor with normal +y has its tangent along +x.
Eigen::Matrix2d local_frame(const HalfPlane& obstacle);

/// Signed distance of a point to the surface: negative inside the obstacle.
double gap(const HalfPlane& obstacle, const Eigen::Vector2d& point);

}  // namespace slipwave::contact
