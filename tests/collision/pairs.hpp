#pragma once

#include "collision/separation.hpp"

namespace slipwave::tests {

/// Two shapes at their places, ready to be compared.
struct PlacedPair {
  PlacedPair(const collision::Shape& shape_A, const collision::Pose& at_A,
             const collision::Shape& shape_B, const collision::Pose& at_B)
      : solid_A(shape_A), solid_B(shape_B) {
    A.place(solid_A, at_A);
    B.place(solid_B, at_B);
  }
  PlacedPair(const PlacedPair&) = delete;
  PlacedPair& operator=(const PlacedPair&) = delete;
  collision::Pair pair() const { return {A, B}; }

  collision::Solid solid_A, solid_B;
  collision::Placed A, B;
};

/// A place without a turn.
inline collision::Pose at(double x, double y, double z) {
  return {{x, y, z}, Eigen::Matrix3d::Identity()};
}

}  // namespace slipwave::tests
