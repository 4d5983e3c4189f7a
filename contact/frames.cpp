#include "contact/frames.hpp"

namespace slipwave::contact {

Eigen::Matrix2d local_frame(const HalfPlane& obstacle) {
  const Eigen::Vector2d& n = obstacle.normal;
  Eigen::Matrix2d frame;
  frame << n[0], n[1], n[1], -n[0];
  return frame;
}

double gap(const HalfPlane& obstacle, const Eigen::Vector2d& point) {
  return obstacle.normal.dot(point - obstacle.point);
}

}  // namespace slipwave::contact
