#pragma once

#include "collision/solid.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <vector>

namespace slipwave::collision {

/// A direction n, unit, and the plane normal to it.
struct View {
  Eigen::Vector3d n, first, second;  ///< right-handed: first × second = n

  explicit View(const Eigen::Vector3d& direction);
  Eigen::Vector2d flat(const Eigen::Vector3d& v) const { return {first.dot(v), second.dot(v)}; }
  Eigen::Vector3d in_space(const Eigen::Vector2d& at, double height) const {
    return at[0] * first + at[1] * second + height * n;
  }
};

/// A corner of an outline and the edge to the next one.
struct Rim {
  Eigen::Vector2d at;
  double height;                                    ///< along n
  int vertex, edge;                                 ///< names of the corner and of the edge
  Eigen::Vector2d along = Eigen::Vector2d::Zero();  ///< unit, of the edge
  double length = 0.0;                              ///< of the edge
};

/// A face, an edge or a vertex in a view: three or more corners anticlockwise, two or one.
struct Outline {
  std::vector<Rim> rim;
  Eigen::Vector2d slope = Eigen::Vector2d::Zero();  ///< of the height
  double lowest = 0.0, highest = 0.0;               ///< bounds of the height

  /// The height of a point inside; outside it stays within its bounds.
  double height(const Eigen::Vector2d& at) const;
  /// Corners are in a circle.
  std::size_t after(std::size_t corner) const { return corner + 1 == rim.size() ? 0 : corner + 1; }
  /// To be called when `rim` has all corners: what follows from them. Slope and bounds of a face
  /// with this normal, of which n sees something.
  void close(const Eigen::Vector3d& normal_in_view);
  /// The same for an edge or a vertex.
  void close();
};

/// Of a core, moved by `shift`: what it turns to somebody looking against `sense` n, sense = ±1.
/// The face that faces him most among those with the nearest edge, or, if no two vertices are
/// nearest, with the nearest vertex; the edge or vertex if all its faces stand steeper than 84
/// degrees. Two vertices are both nearest within 1e-9 of `size`. Vertices are named from 1 on,
/// edges after them.
void outline_of(const Placed& core, const Eigen::Vector3d& shift, double sense, const View& view,
                double size, Outline& outline);

}  // namespace slipwave::collision
