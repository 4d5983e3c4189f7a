#pragma once

#include "collision/pose.hpp"
#include "collision/shape.hpp"

#include <cstdint>
#include <vector>

namespace slipwave::collision {

/// A point at which two bodies A and B touch or nearly do.
struct PatchPoint {
  Eigen::Vector3d point;  ///< the middle between the two surfaces, for both bodies the same
  double gap;             ///< distance of the surfaces along the normal; negative inside
  std::uint32_t id;       ///< of the features that meet, below 2^24; tells points of a pair apart
};

/// All points of a pair of bodies, one normal for all of them.
struct Patch {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< unit, out of B into A
  std::vector<PatchPoint> points;                     ///< by increasing id
};

/// Whatever of A is within `alert` of B: all vertices of the face of one clipped against the face
/// of the other where these are nearly parallel (to 1e-3 or so; continuous gaps matter more than
/// how many points there are), else the nearest points. g = distance of the cores − radii − skin.
/// Nothing is in the patch if the exact gap exceeds `alert`; otherwise the exact gap, to 1e-12 of
/// the sizes, is the least of the points' gaps. Swapping A and B gives the same points, to the
/// last bit, and ids, with the opposite normal; moving both bodies together changes gaps by
/// round-off only. Two half-spaces never meet. `patch` keeps its memory.
void find_patch(const Shape& A, const Pose& at_A, const Shape& B, const Pose& at_B, double skin,
                double alert, Patch& patch);

}  // namespace slipwave::collision
