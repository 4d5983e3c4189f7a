#include "collision/separation.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace slipwave::collision {

namespace {

using Eigen::Vector3d;

/// Edges whose directions differ by less have no common normal to speak of: its error would be
/// greater than what the neighbouring faces' normals miss.
constexpr double parallel = 1e-11;

/// The vertex of a solid that is deepest behind a face of the other, and where.
struct Support {
  int vertex;
  double height;
};

Support least(const Placed& solid, const Vector3d& n) {
  Support result{0, n.dot(solid.vertices[0])};
  for (std::size_t i = 1; i < solid.vertices.size(); ++i)
    if (const double height = n.dot(solid.vertices[i]); height < result.height)
      result = {static_cast<int>(i), height};
  return result;
}

/// Whether the arc between two normals crosses the plane to which e is normal, and where, times a
/// positive number. An edge of a segment has a whole circle of normals.
bool crosses(const Placed& solid, const SolidEdge& edge, const Vector3d& e, Vector3d& at) {
  if (edge.faces[0] < 0) {
    at.setZero();
    return true;
  }
  const Vector3d& left = solid.normals[static_cast<std::size_t>(edge.faces[0])];
  const Vector3d& right = solid.normals[static_cast<std::size_t>(edge.faces[1])];
  const double l = left.dot(e), r = right.dot(e);
  if (l * r >= 0.0) return false;
  at = std::abs(r) * left + std::abs(l) * right;
  return true;
}

/// The point of A's edge that is nearest to the line of B's; n is their common normal.
Vector3d crossing(const Pair& pair, const SolidEdge& a, const SolidEdge& b, const Vector3d& n) {
  const Vector3d e_A = pair.A.along(a), across = pair.B.along(b).cross(n);
  const Vector3d start = pair.of_A(a.start);
  const double s = across.dot(pair.of_B(b.start) - start) / across.dot(e_A);
  return start + std::clamp(s, 0.0, 1.0) * e_A;
}

/// Takes n if it is better; the supports decide, for where round-off is wrong about a face of A − B
/// the edges alone would promise too much.
void try_edges(const Pair& pair, const SolidEdge& a, const SolidEdge& b, const Vector3d& n,
               Axis& best) {
  const double wanted = best.separation + same_separation * pair.size;
  if (n.dot(pair.of_A(a.start) - pair.of_B(b.start)) <= wanted) return;
  const double separation = axis_along(pair, n).separation;
  if (separation > wanted) best = {n, separation, crossing(pair, a, b, n)};
}

}  // namespace

int farthest_vertex(const Placed& solid, const Vector3d& direction) {
  return least(solid, -direction).vertex;
}

Axis axis_along(const Pair& pair, const Vector3d& n) {
  const Support a = least(pair.A, n), b = least(pair.B, -n);
  return {n, a.height + b.height + n.dot(pair.shift), pair.of_A(a.vertex)};
}

Axis face_axis(const Pair& pair, double enough) {
  Axis best;
  const auto improves = [&](double separation) {
    return separation > best.separation + same_separation * pair.size;
  };
  for (std::size_t f = 0; f < pair.A.normals.size() && best.separation <= enough; ++f) {
    const Vector3d& m = pair.A.normals[f];
    const Support b = least(pair.B, m);
    const double separation = b.height - m.dot(pair.shift) - pair.A.solid->offsets[f];
    if (improves(separation)) best = {-m, separation, pair.of_B(b.vertex)};
  }
  for (std::size_t f = 0; f < pair.B.normals.size() && best.separation <= enough; ++f) {
    const Vector3d& m = pair.B.normals[f];
    const Support a = least(pair.A, m);
    const double separation = a.height + m.dot(pair.shift) - pair.B.solid->offsets[f];
    if (improves(separation)) best = {m, separation, pair.of_A(a.vertex)};
  }
  return best;
}

/// Edges a and b span a face of A − B where the arc of the normals of b meets that of the normals
/// of a, reversed: each crosses the plane normal to the other edge, both on the same side.
Axis edge_axis(const Pair& pair, const Axis& face) {
  Axis best = face;
  for (const SolidEdge& a : pair.A.solid->edges) {
    const Vector3d e_A = pair.A.along(a);
    for (const SolidEdge& b : pair.B.solid->edges) {
      Vector3d of_A, of_B;
      if (!crosses(pair.B, b, e_A, of_B)) continue;
      const Vector3d e_B = pair.B.along(b);
      if (!crosses(pair.A, a, e_B, of_A)) continue;
      const Vector3d normal = e_A.cross(e_B);
      const double length2 = normal.squaredNorm();
      if (length2 <= parallel * parallel * e_A.squaredNorm() * e_B.squaredNorm()) continue;
      const Vector3d n = normal / std::sqrt(length2);
      const double side_A = -n.dot(of_A), side_B = n.dot(of_B);
      if (side_A * side_B < 0.0) continue;
      if (side_A >= 0.0 && side_B >= 0.0) try_edges(pair, a, b, n, best);
      if (side_A <= 0.0 && side_B <= 0.0) try_edges(pair, a, b, -n, best);
    }
  }
  return best;
}

}  // namespace slipwave::collision
