#include "collision/solid.hpp"

#include <algorithm>
#include <cassert>
#include <compare>
#include <limits>

namespace slipwave::collision {

namespace {

using Eigen::Vector3d;

double greatest(const Vector3d& n, const std::vector<Vector3d>& vertices) {
  double result = -std::numeric_limits<double>::infinity();
  for (const Vector3d& v : vertices) result = std::max(result, n.dot(v));
  return result;
}

int edge_between(const std::vector<std::array<int, 2>>& edges, int a, int b) {
  const std::array<int, 2> edge = {std::min(a, b), std::max(a, b)};
  const auto found = std::ranges::find(edges, edge);
  assert(found != edges.end());
  return static_cast<int>(found - edges.begin());
}

void take_faces(const Convex& shape, Solid& solid) {
  for (const auto& [start, end] : shape.edges) solid.edges.push_back({start, end, {-1, -1}});
  for (std::size_t f = 0; f < shape.faces.size(); ++f) {
    const std::vector<int>& face = shape.faces[f];
    std::vector<int>& around = solid.face_edges.emplace_back();
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int start = face[i], end = face[(i + 1) % face.size()];
      around.push_back(edge_between(shape.edges, start, end));
      solid.edges[static_cast<std::size_t>(around.back())].faces[start < end ? 0 : 1] =
          static_cast<int>(f);
    }
    solid.normals.push_back(area_vector(shape, face).normalized());
    solid.offsets.push_back(greatest(solid.normals.back(), shape.vertices));
  }
}

auto compare(const std::vector<Vector3d>& a, const std::vector<Vector3d>& b) {
  const auto less = [](const Vector3d& v, const Vector3d& w) {
    return std::lexicographical_compare_three_way(v.begin(), v.end(), w.begin(), w.end());
  };
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end(), less);
}

}  // namespace

Solid::Solid(const Shape& shape) {
  if (const auto* plane = std::get_if<HalfSpace>(&shape)) {
    normals = {plane->normal};
    offsets = {plane->normal.dot(plane->point)};
    return;
  }
  const auto& convex = std::get<Convex>(shape);
  vertices = convex.vertices;
  faces = convex.faces;
  radius = convex.radius;
  extent = collision::extent(convex);
  take_faces(convex, *this);
}

bool precedes(const Solid& A, const Solid& B) {
  if (A.vertices.size() != B.vertices.size()) return A.vertices.size() < B.vertices.size();
  if (A.radius != B.radius) return A.radius < B.radius;
  const auto order = compare(A.vertices, B.vertices);
  return std::is_neq(order) ? std::is_lt(order) : A.faces < B.faces;
}

void Placed::place(const Solid& of, const Pose& at) {
  solid = &of;
  x = at.x;
  vertices.resize(of.vertices.size());
  normals.resize(of.normals.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = at.R * of.vertices[i];
  for (std::size_t i = 0; i < normals.size(); ++i) normals[i] = at.R * of.normals[i];
}

}  // namespace slipwave::collision
