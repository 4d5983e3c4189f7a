#pragma once

#include "collision/solid.hpp"

#include <limits>

namespace slipwave::collision {

/// Two cores, A seen from where B is: `shift` = x_A − x_B. Neither is a half-space.
struct Pair {
  const Placed& A;
  const Placed& B;
  Eigen::Vector3d shift;
  double size;  ///< of both together: what round-off is measured by

  Pair(const Placed& first, const Placed& second)
      : A(first),
        B(second),
        shift(first.x - second.x),
        size(first.solid->extent + second.solid->extent) {}

  Eigen::Vector3d of_A(int vertex) const { return A.vertex(vertex) + shift; }
  const Eigen::Vector3d& of_B(int vertex) const { return B.vertex(vertex); }
};

/// A direction n, unit, out of B into A, and how far it keeps the cores apart,
///     separation = min n·a − max n·b,
/// which no direction makes greater than their distance. Less than 0: so far they are inside.
struct Axis {
  Eigen::Vector3d n = Eigen::Vector3d::UnitZ();
  double separation = -std::numeric_limits<double>::infinity();
  Eigen::Vector3d witness = Eigen::Vector3d::Zero();  ///< one of the points that are so far apart
};

/// Separations that differ by less than this part of the size are the same.
inline constexpr double same_separation = 1e-13;

/// The vertex that lies farthest in a direction.
int farthest_vertex(const Placed& solid, const Eigen::Vector3d& direction);
/// Along n, the witness a vertex of A.
Axis axis_along(const Pair& pair, const Eigen::Vector3d& n);

/// The normal of a face that keeps the cores farthest apart; among the same ones that of the first
/// face of A, else of B. Stops at one that keeps them farther apart than `enough`. Cores without
/// faces have none: the separation is then -infinity.
Axis face_axis(const Pair& pair, double enough);
/// The given axis, or the common normal of an edge of A and one of B, where a face of A − B has it
/// and it keeps the cores farther apart. The better of face_axis and this is the deepest or, where
/// the nearest points are inside faces or edges, the nearest.
Axis edge_axis(const Pair& pair, const Axis& face);

}  // namespace slipwave::collision
