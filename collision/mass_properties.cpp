#include "collision/mass_properties.hpp"

#include <Eigen/Geometry>

#include <cassert>
#include <numbers>

namespace slipwave::collision {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// A cylinder between two halves of a sphere.
MassProperties of_capsule(const Vector3d& start, const Vector3d& end, double r) {
  const Vector3d axis = end - start;
  const double L = axis.norm();
  const double cylinder = std::numbers::pi * r * r * L;
  const double ball = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const double along = 0.5 * cylinder * r * r + 0.4 * ball * r * r;
  const double across =
      cylinder * (3.0 * r * r + L * L) / 12.0 + ball * (0.4 * r * r + 0.25 * L * L + 0.375 * L * r);
  const Vector3d e = L > 0.0 ? Vector3d(axis / L) : Vector3d::UnitZ();
  return {cylinder + ball, 0.5 * (start + end),
          across * Matrix3d::Identity() + (along - across) * e * e.transpose()};
}

/// A sum over the tetrahedra between a point inside and the triangles of the faces. With a vertex
/// at the origin, three at a, b, c, and s = a + b + c:
///     V = det(a, b, c)/6,   ∫ x = V s/4,   ∫ xxᵀ = V (aaᵀ + bbᵀ + ccᵀ + ssᵀ)/20.
MassProperties of_polyhedron(const Convex& shape) {
  Vector3d inside = Vector3d::Zero();
  for (const Vector3d& v : shape.vertices) inside += v / static_cast<double>(shape.vertices.size());
  const auto vertex = [&](int i) -> Vector3d {
    return shape.vertices[static_cast<std::size_t>(i)] - inside;
  };
  double volume = 0.0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const std::vector<int>& face : shape.faces)
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      const Vector3d a = vertex(face[0]), b = vertex(face[i]), c = vertex(face[i + 1]);
      const Vector3d s = a + b + c;
      const double V = a.dot(b.cross(c)) / 6.0;
      volume += V;
      first += V / 4.0 * s;
      second += V / 20.0 *
                (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
    }
  const Vector3d centre = first / volume;
  const Matrix3d spread = second - volume * centre * centre.transpose();
  return {volume, inside + centre, spread.trace() * Matrix3d::Identity() - spread};
}

}  // namespace

MassProperties mass_properties(const Convex& shape) {
  assert(fault_of(shape).empty());
  if (shape.faces.empty())
    return of_capsule(shape.vertices.front(), shape.vertices.back(), shape.radius);
  return of_polyhedron(shape);
}

}  // namespace slipwave::collision
