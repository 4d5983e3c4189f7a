#pragma once

#include "collision/pose.hpp"
#include "collision/shape.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace slipwave::tests {

/// A polyhedron at its place, in more digits than the code has.
struct SlowSolid {
  using Vector = Eigen::Matrix<long double, 3, 1>;

  SlowSolid(const collision::Convex& shape, const collision::Pose& pose) : faces(shape.faces) {
    const auto R = pose.R.cast<long double>();
    for (const Eigen::Vector3d& v : shape.vertices)
      vertices.push_back(R * v.cast<long double>() + pose.x.cast<long double>());
    edges = shape.edges;
    if (vertices.size() == 1) edges = {{0, 0}};
    for (const std::vector<int>& face : faces)
      normals.push_back((at(face[1]) - at(face[0])).cross(at(face[2]) - at(face[1])).normalized());
  }
  const Vector& at(int i) const { return vertices[static_cast<std::size_t>(i)]; }
  Vector along(const std::array<int, 2>& edge) const { return at(edge[1]) - at(edge[0]); }
  long double least(const Vector& n) const {
    long double result = std::numeric_limits<long double>::infinity();
    for (const Vector& v : vertices) result = std::min(result, n.dot(v));
    return result;
  }

  std::vector<Vector> vertices, normals;
  std::vector<std::vector<int>> faces;
  std::vector<std::array<int, 2>> edges;
};

/// How far the normals of all faces and of all pairs of edges keep two polyhedra apart; how deep
/// they are in each other if that is negative.
inline double slow_separation(const SlowSolid& A, const SlowSolid& B) {
  using Vector = SlowSolid::Vector;
  long double best = -std::numeric_limits<long double>::infinity();
  const auto look = [&](const Vector& n) { best = std::max(best, A.least(n) + B.least(-n)); };
  for (const Vector& n : A.normals) look(-n);
  for (const Vector& n : B.normals) look(n);
  for (const auto& a : A.edges)
    for (const auto& b : B.edges) {
      const Vector n = A.along(a).cross(B.along(b));
      if (n.norm() <= 1e-15L * A.along(a).norm() * B.along(b).norm()) continue;
      look(n.normalized());
      look(-n.normalized());
    }
  return static_cast<double>(best);
}

/// The distance of two segments, given by starts and directions: inside both, or at an end.
inline long double segment_distance(const SlowSolid::Vector& p, const SlowSolid::Vector& d,
                                    const SlowSolid::Vector& q, const SlowSolid::Vector& e) {
  using Vector = SlowSolid::Vector;
  const auto to_segment = [](const Vector& x, const Vector& start, const Vector& along) {
    if (along.isZero(0.0L)) return (x - start).norm();
    const long double s = along.dot(x - start) / along.squaredNorm();
    return (x - start - std::clamp(s, 0.0L, 1.0L) * along).norm();
  };
  long double best = std::min(
      {to_segment(p, q, e), to_segment(p + d, q, e), to_segment(q, p, d), to_segment(q + e, p, d)});
  const Vector n = d.cross(e), r = q - p;
  if (n.squaredNorm() <= 1e-30L * d.squaredNorm() * e.squaredNorm()) return best;
  const long double s = r.cross(e).dot(n) / n.squaredNorm();
  const long double t = r.cross(d).dot(n) / n.squaredNorm();
  if (s > 0.0L && s < 1.0L && t > 0.0L && t < 1.0L)
    best = std::min(best, std::abs(r.dot(n)) / n.norm());
  return best;
}

/// The distance of two polyhedra that are apart: of all edges, and of vertices over faces.
inline double slow_distance(const SlowSolid& A, const SlowSolid& B) {
  using Vector = SlowSolid::Vector;
  long double best = std::numeric_limits<long double>::infinity();
  for (const auto& a : A.edges)
    for (const auto& b : B.edges)
      best = std::min(best, segment_distance(A.at(a[0]), A.along(a), B.at(b[0]), B.along(b)));
  const auto look = [&](const SlowSolid& solid, const SlowSolid& other) {
    for (std::size_t f = 0; f < solid.faces.size(); ++f)
      for (const Vector& v : other.vertices) {
        const std::vector<int>& face = solid.faces[f];
        bool over = true;
        for (std::size_t i = 0; i < face.size() && over; ++i) {
          const Vector& start = solid.at(face[i]);
          const Vector edge = solid.at(face[(i + 1) % face.size()]) - start;
          over = solid.normals[f].dot(edge.cross(v - start)) >= 0.0L;
        }
        const long double height = solid.normals[f].dot(v - solid.at(face[0]));
        if (over && height >= 0.0L) best = std::min(best, height);
      }
  };
  look(A, B);
  look(B, A);
  return static_cast<double>(best);
}

/// The distance, or, below 0, how deep they are in each other.
inline double slow_gap(const SlowSolid& A, const SlowSolid& B) {
  const double separation = slow_separation(A, B);
  const bool thin = A.faces.empty() && B.faces.empty();
  return separation <= 0.0 && !thin ? separation : slow_distance(A, B);
}

}  // namespace slipwave::tests
