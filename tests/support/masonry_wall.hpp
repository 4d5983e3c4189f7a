#pragma once

#include "collision/detection.hpp"

#include <Eigen/Geometry>

#include <array>
#include <numbers>
#include <vector>

namespace slipwave::tests {

/// The wall of section 5.4 of the paper: ten layers in running bond and six buttresses behind it,
/// of blocks 1 x 2 x 1 m and halves of them, on the ground. Joints are as wide as is asked for. The
/// buttresses stand so that 8 of their 30 end faces are over a joint of the wall, and three flush
/// with joints, where blocks share edges: 711 pairs face to face, and 44 blocks on the ground.
struct MasonryWall {
  std::vector<collision::Collider> bodies;
  std::vector<collision::Pose> poses;

  explicit MasonryWall(double joint = 0.0, int layers = 10, int blocks = 20, bool buttresses = true)
      : sep(joint) {
    for (int k = 0; k < layers; ++k) add_layer(k, blocks - k);
    for (const double y : {-13.4, -8.4, -3.5, 1.5, 6.5, 11.4})
      for (int k = 0; k < 5 && buttresses; ++k) add_buttress_layer(k, y);
    bodies.push_back({collision::HalfSpace{}, 0.0, 1, false});
    poses.emplace_back();
  }

  /// Everybody may touch everybody.
  collision::Detection detection() const { return {bodies, {{1, 1}, {1, 1}}}; }
  std::vector<double> alert(double each) const { return std::vector(bodies.size(), each); }
  std::vector<char> present() const { return std::vector<char>(bodies.size(), 1); }

  double sep;

 private:
  double height(int layer) const { return 0.5 + (1.0 + sep) * layer; }
  void add_layer(int k, int count) {
    for (int j = 0; j < count; ++j)
      add({1.0, 2.0, 1.0}, {-0.5, (j - 0.5 * count) * (2.0 + sep), height(k)}, false);
  }
  /// Full blocks and one half, which is at the far end of even layers and at the wall in odd ones.
  void add_buttress_layer(int k, double y) {
    double end = -1.0 - sep;
    for (int j = 0; j < 4; ++j) {
      const bool half = j == (k % 2 == 0 ? 3 : 0);
      const double length = half ? 1.0 : 2.0;
      add({1.0, length, 1.0}, {end - 0.5 * length, y, height(k)}, true);
      end -= length + sep;
    }
  }
  void add(const Eigen::Vector3d& size, const Eigen::Vector3d& x, bool turned) {
    const double angle = turned ? -0.5 * std::numbers::pi : 0.0;
    const Eigen::Quaterniond q(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
    bodies.push_back({collision::box(size)});
    poses.push_back({x, q.toRotationMatrix()});
  }
};

}  // namespace slipwave::tests
