#pragma once

#include <Eigen/Core>

#include <vector>

namespace slipwave::app {

/// A curve in the plane of the drawing: logarithms of x and y, ascending in x.
using DrawnCurve = std::vector<Eigen::Vector2d>;

/// A right triangle whose longest side has a given slope: from `a` to `b`, then to `corner`.
struct SlopeTriangle {
  double slope = 0.0;
  Eigen::Vector2d a, b, corner;
  bool below = true;  ///< its curve, so that its corner is at the bottom
};

/// A triangle for each slope, near the curve that is nearest to having it, and where possible clear
/// of all curves and of the other triangles. No triangle without curves of two points or more.
std::vector<SlopeTriangle> place_triangles(const std::vector<double>& slopes,
                                           const std::vector<DrawnCurve>& curves);

}  // namespace slipwave::app
