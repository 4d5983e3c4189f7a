#pragma once

#include "collision/pose.hpp"
#include "collision/shape.hpp"

#include <vector>

namespace slipwave::collision {

/// An edge with the faces on both sides of it, -1 where a segment has none.
struct SolidEdge {
  int start, end;
  std::array<int, 2> faces;
};

/// A shape made ready: what depends on it alone.
struct Solid {
  /// Of a shape in which fault_of() finds nothing.
  explicit Solid(const Shape& shape);

  bool is_half_space() const { return vertices.empty(); }
  bool is_point() const { return vertices.size() == 1; }

  std::vector<Eigen::Vector3d> vertices;  ///< of the core; none of a half-space
  std::vector<std::vector<int>> faces;
  std::vector<std::vector<int>> face_edges;  ///< of each face, from each vertex to the next
  std::vector<SolidEdge> edges;
  std::vector<Eigen::Vector3d> normals;  ///< of the faces, unit; one of a half-space
  std::vector<double> offsets;  ///< the greatest n·v of each normal; n·(a point) of a half-space
  double radius = 0.0;
  double extent = 0.0;  ///< radius of the smallest sphere about the origin that holds it
  int rank = 0;         ///< less for a shape that precedes() another one it may meet
};

/// An order of shapes by what they are; neither precedes the other where they are the same.
bool precedes(const Solid& A, const Solid& B);

/// A solid at its place. `vertices` and `normals` are turned, but not moved to x: what is computed
/// of a pair does not depend on how far from the origin it is.
struct Placed {
  const Solid* solid = nullptr;
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  std::vector<Eigen::Vector3d> vertices, normals;

  /// Keeps its memory. `of` must live as long as this is used.
  void place(const Solid& of, const Pose& at);

  const Eigen::Vector3d& vertex(int i) const { return vertices[static_cast<std::size_t>(i)]; }
  /// From the start of an edge to its end.
  Eigen::Vector3d along(const SolidEdge& edge) const {
    return vertex(edge.end) - vertex(edge.start);
  }
};

}  // namespace slipwave::collision
