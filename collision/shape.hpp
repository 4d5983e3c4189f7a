#pragma once

#include "parallel/alignment.hpp"

#include <Eigen/Core>

#include <array>
#include <string>
#include <variant>
#include <vector>

namespace slipwave::collision {

/// All points within a radius of a convex core: a point makes a sphere, a segment a capsule, a
/// polyhedron with radius 0 is itself. In the frame of its body.
struct Convex {
  std::vector<Eigen::Vector3d> vertices;  ///< of the core
  /// Loops of vertices, anticlockwise seen from outside, coplanar triangles merged; none for a
  /// point or a segment.
  std::vector<std::vector<int>> faces;
  std::vector<std::array<int, 2>> edges;  ///< each once, the lesser vertex first
  double radius = 0.0;                    ///< at least 0
};

/// All points x with n·x <= n·(a point of the surface), for grounds and slopes that end nowhere; n
/// points out of the solid. In the frame of its body.
struct HalfSpace {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< unit
};

/// What a body looks like to others.
using Shape = std::variant<Convex, HalfSpace>;

/// A box about the origin with these edge lengths, all positive. Vertex 4 i + 2 j + k is at the
/// upper end along x, y, z where i, j, k are 1.
Convex box(const Eigen::Vector3d& size);
/// A sphere about the origin.
Convex sphere(double radius);
/// All points within a radius of a segment of this length along z, about the origin.
Convex capsule(double length, double radius);
/// The convex hull of points, by libqhull, with a radius. Points inside are left out, points of the
/// hull keep their order; faces that lie in one plane to 1e-10 of the size are one. Throws
/// std::invalid_argument where the points, at least four, have no volume.
Convex hull(const std::vector<Eigen::Vector3d>& points, double radius = 0.0);

/// What is wrong with a shape that was not made by the functions above, or nothing: faces that are
/// not convex, plane, closed or outward; a radius below 0.
std::string fault_of(const Convex& shape);

/// Of a face, outward and as long as the face is large.
Eigen::Vector3d area_vector(const Convex& shape, const std::vector<int>& face);
/// The edges of faces, as in Convex, in order.
std::vector<std::array<int, 2>> edges_of(const std::vector<std::vector<int>>& faces);

/// The radius of the smallest sphere about the origin that holds the shape.
double extent(const Convex& shape);

}  // namespace slipwave::collision
