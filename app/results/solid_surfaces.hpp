#pragma once

#include "app/model/solids_model.hpp"
#include "collision/shape.hpp"

#include <Eigen/Core>

#include <vector>

namespace slipwave::app {

/// What a body looks like in pictures: polygons, anticlockwise seen from outside, in its frame.
struct Surface {
  std::vector<Eigen::Vector3d> points;
  std::vector<std::vector<int>> faces;
};

/// A polyhedron is itself; with a radius its faces are moved outward, and planes cut off what is
/// round. A sphere and the ends of a capsule have 66 points on them.
Surface surface_of(const collision::Convex& shape);

/// Of every body of a scene. A half-space is a square that is as large as the scene at its start.
std::vector<Surface> surfaces_of(const SolidsModel& model);

}  // namespace slipwave::app
