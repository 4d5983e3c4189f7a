#pragma once

#include "collision/nearest.hpp"
#include "collision/overlap.hpp"
#include "collision/patch.hpp"

namespace slipwave::collision {

/// find_patch() of solids at their places, see there; keeps the memory it works in.
///
/// A direction n, unit, out of B into A, keeps the cores apart by what no direction does more than
/// their distance. The face of each that looks most along it, seen along n, is an outline; at every
/// corner of what the outlines share, two points of the surfaces face each other. If the least of
/// their gaps is the separation along n, then that is the distance, and n and the corners are the
/// patch. So axes are tried in the order of their cost: normals of faces, of pairs of edges, and
/// the direction of the nearest vertices.
///
/// In a wall whose blocks touch exactly, many share no more than an edge or a corner. Their normal
/// would be chosen by round-off and could lock the wall: they have no patch until they are apart,
/// or in each other, by 1e-7 of the size. What is lost is not missed, as bodies that press on each
/// other there are in each other by more soon.
class NarrowPhase {
 public:
  void find(const Placed& A, const Placed& B, double skin, double alert, Patch& patch);

 private:
  void against_plane(const Placed& convex, const Placed& plane, double skin, double alert,
                     Patch& patch) const;
  void between(const Pair& pair, double skin, double alert, Patch& patch);
  bool attains(const Pair& pair, const Axis& axis, double round_off);
  bool touches_at_edges(const Pair& pair) const;
  void take(const Pair& pair, const Axis& axis, double grown, double reach, Patch& patch) const;
  std::uint32_t id_of(const Pair& pair, const SharedCorner& corner) const;

  Outline outline_A_, outline_B_;
  Overlap overlap_;
};

}  // namespace slipwave::collision
