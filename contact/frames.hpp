#pragma once

#include "parallel/alignment.hpp"

#include <Eigen/Core>

#include <variant>

namespace slipwave::contact {

/// A rigid half-plane: the side its normal points away from cannot be entered.
struct HalfPlane {
  Eigen::Vector2d point = Eigen::Vector2d::Zero();    ///< any point of its surface
  Eigen::Vector2d normal = Eigen::Vector2d::UnitY();  ///< unit, out of the obstacle
};

/// A rigid disc: its inside cannot be entered.
struct Circle {
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();
  double radius = 1.0;  ///< positive
};

/// What a body may touch.
using Obstacle = std::variant<HalfPlane, Circle>;

/// The half-plane that stands for the obstacle at a point x: of a circle its tangent, with
/// n = (x - c) / |x - c| and gap |x - c| - R. The point must not be the centre.
HalfPlane tangent_plane(const Obstacle& obstacle, const Eigen::Vector2d& x);

/// The local frame as a matrix: u = (u_N, u_T) = frame * v. The tangent is the normal turned
/// clockwise, so that a floor with normal +y has its tangent along +x.
Eigen::Matrix2d local_frame(const HalfPlane& obstacle);

/// Signed distance of a point to the surface: negative inside the obstacle.
double gap(const HalfPlane& obstacle, const Eigen::Vector2d& point);

}  // namespace slipwave::contact
