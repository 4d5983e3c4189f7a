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

/// Whatever of A is within `alert` of B. Of two convex bodies: every corner of what their faces
/// that look at each other share, seen along the normal, with a gap up to `alert`; a pair of edges
/// or nearest points if no more is near. Of one on a half-space: every such vertex, its id its
/// number. g = distance of the cores − radii − skin; of cores in each other the distance is minus
/// the shortest way out. Half of the skin is thought to be on either body.
///
/// Nothing is in the patch if the exact gap exceeds `alert`; otherwise the exact gap, to 1e-12 of
/// the sizes, is the least of the points' gaps. But polyhedra without radius or skin that touch, to
/// 1e-7 of their size, with no face of one over a face of the other, have no normal, and no patch:
/// round-off would choose between those of the faces.
///
/// Swapping A and B gives the same points, to the last bit, and ids, with the opposite normal;
/// moving both bodies together changes gaps by round-off only. Two half-spaces never meet. `patch`
/// keeps its memory. Makes the shapes ready anew for each call, as Detection does once.
void find_patch(const Shape& A, const Pose& at_A, const Shape& B, const Pose& at_B, double skin,
                double alert, Patch& patch);

}  // namespace slipwave::collision
