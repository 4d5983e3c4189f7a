#include "contact/frames.hpp"

#include <cassert>
#include <cmath>

namespace slipwave::contact {

HalfPlane tangent_plane(const Obstacle& obstacle, const Eigen::Vector2d& x) {
  if (const auto* plane = std::get_if<HalfPlane>(&obstacle)) return *plane;
  const auto& [c, R] = std::get<Circle>(obstacle);
  assert(x != c);
  const Eigen::Vector2d n = (x - c).stableNormalized();
  return {c + R * n, n};
}

Eigen::Matrix2d local_frame(const HalfPlane& obstacle) {
  const Eigen::Vector2d& n = obstacle.normal;
  assert(std::abs(n.norm() - 1.0) <= 1e-12);
  Eigen::Matrix2d frame;
  frame << n[0], n[1], n[1], -n[0];
  return frame;
}

double gap(const HalfPlane& obstacle, const Eigen::Vector2d& point) {
  return obstacle.normal.dot(point - obstacle.point);
}

}  // namespace slipwave::contact
