#pragma once

#include "collision/pose.hpp"
#include "collision/shape.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <random>
#include <vector>

namespace slipwave::tests {

/// Draws polyhedra and places for them.
class RandomSolids {
 public:
  explicit RandomSolids(unsigned seed) : random_(seed) {
    for (int i = 0; i < 40; ++i) shapes_.push_back(draw());
    for (const Eigen::Vector3d& size :
         {Eigen::Vector3d(1, 1, 1), {1, 2, 1}, {1, 1, 0.02}, {2, 0.02, 0.02}})
      shapes_.push_back(collision::box(size));
  }

  double number(double low = -1.0, double high = 1.0) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int whole(int past_last) { return std::uniform_int_distribution<int>(0, past_last - 1)(random_); }
  Eigen::Vector3d vector() { return {number(), number(), number()}; }
  Eigen::Matrix3d rotation() {
    return Eigen::Quaterniond(Eigen::Vector4d(normal(), normal(), normal(), normal()).normalized())
        .toRotationMatrix();
  }
  const collision::Convex& shape() {
    return shapes_[static_cast<std::size_t>(whole(static_cast<int>(shapes_.size())))];
  }
  /// A sphere or a capsule.
  collision::Convex round() {
    const double radius = number(0.0, 0.5);
    return whole(2) == 0 ? collision::sphere(radius) : collision::capsule(number(0.1, 1.0), radius);
  }
  const collision::Convex& box() {
    return shapes_[shapes_.size() - 4 + static_cast<std::size_t>(whole(2))];
  }
  /// Turned by quarters of a turn, at multiples of a half.
  collision::Pose on_lattice() {
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    for (int k = 0; k < 3; ++k)
      R = Eigen::AngleAxisd(std::acos(0.0) * whole(4), Eigen::Vector3d::Unit(k)).matrix() * R;
    return {0.5 * Eigen::Vector3d(whole(5) - 2, whole(5) - 2, whole(5) - 2), R};
  }

 private:
  double normal() { return std::normal_distribution<double>()(random_); }
  collision::Convex draw() {
    std::vector<Eigen::Vector3d> points;
    const Eigen::Vector3d size(1.0, number(0.1, 1.0), number(0.1, 1.0));
    for (int i = 4 + whole(7); i > 0; --i) points.emplace_back(size.cwiseProduct(vector()));
    return collision::hull(points);
  }

  std::mt19937 random_;
  std::vector<collision::Convex> shapes_;
};

}  // namespace slipwave::tests
