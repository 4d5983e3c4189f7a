#pragma once

#include "parallel/alignment.hpp"

#include <Eigen/Core>

namespace slipwave::collision {

/// Where a body is: a point r of its frame is at x + R r.
struct Pose {
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  ///< a rotation
};

}  // namespace slipwave::collision
