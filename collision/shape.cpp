#include "collision/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <set>

namespace slipwave::collision {

namespace {

using Eigen::Vector3d;
using Loop = std::vector<int>;
using Edges = std::set<std::array<int, 2>>;

/// Of the size: how far a vertex may be out of the plane of its face.
constexpr double flatness = 1e-9;

const Vector3d& vertex(const Convex& shape, int i) {
  return shape.vertices[static_cast<std::size_t>(i)];
}

std::string fault_of_numbers(const Convex& shape) {
  if (!(shape.radius >= 0.0) || !std::isfinite(shape.radius))
    return fmt::format("the radius is {:g}: must be at least 0", shape.radius);
  for (const Vector3d& v : shape.vertices)
    if (!v.allFinite()) return "a vertex is not finite";
  const auto count = static_cast<int>(shape.vertices.size());
  for (const Loop& face : shape.faces)
    for (const int i : face)
      if (i < 0 || i >= count) return fmt::format("a face names vertex {}; there are {}", i, count);
  const std::size_t features = shape.vertices.size() + shape.edges.size();
  if (features > 4095)
    return fmt::format("{} vertices and edges: at most 4095 can be told apart", features);
  return {};
}

/// A point or a segment: what has no faces.
std::string fault_of_thin(const Convex& shape) {
  if (shape.vertices.size() == 1 && shape.edges.empty()) return {};
  if (shape.vertices.size() != 2)
    return fmt::format("{} vertices and no face: a sphere has 1, a capsule 2",
                       shape.vertices.size());
  if (shape.edges != std::vector<std::array<int, 2>>{{0, 1}})
    return "a capsule has one edge, from vertex 0 to vertex 1";
  if (shape.vertices[0] == shape.vertices[1]) return "the vertices of the capsule are one";
  return {};
}

/// Every edge of a face must be the edge of one other face, which runs through it backwards.
std::string fault_of_closure(const Convex& shape) {
  Edges directed, edges;
  for (const Loop& face : shape.faces) {
    if (face.size() < 3) return fmt::format("face {} has less than 3 vertices", face);
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int start = face[i], end = face[(i + 1) % face.size()];
      if (start == end || !directed.insert({start, end}).second)
        return fmt::format("edge {}-{} is in two faces in the same direction", start, end);
      edges.insert({std::min(start, end), std::max(start, end)});
    }
  }
  for (const auto& [start, end] : directed)
    if (!directed.contains({end, start}))
      return fmt::format("edge {}-{} is of one face only: the shape is not closed", start, end);
  if (shape.edges.size() != edges.size() || Edges(shape.edges.begin(), shape.edges.end()) != edges)
    return "the edges are not those of the faces, each once, the lesser vertex first";
  std::set<int> used;
  for (const auto& edge : edges) used.insert(edge.begin(), edge.end());
  if (used.size() != shape.vertices.size()) return "a vertex is in no face";
  return {};
}

/// A face whose neighbours lie behind it, wherever they are, makes a convex shape with the others.
std::string fault_of_face(const Convex& shape, const Loop& face, double size) {
  const Vector3d area = area_vector(shape, face);
  if (!(area.norm() > 1e-14 * size * size)) return fmt::format("face {} has no area", face);
  const Vector3d n = area.normalized();
  for (std::size_t i = 0; i < shape.vertices.size(); ++i) {
    const double height = n.dot(shape.vertices[i] - vertex(shape, face[0]));
    const bool of_face = std::ranges::find(face, static_cast<int>(i)) != face.end();
    if (of_face && std::abs(height) > flatness * size)
      return fmt::format("face {} is not plane: vertex {} is out of it by {:g}", face, i, height);
    if (height > flatness * size)
      return fmt::format("vertex {} is in front of face {} by {:g}: not convex, or not outward", i,
                         face, height);
  }
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Vector3d& a = vertex(shape, face[i]);
    const Vector3d& b = vertex(shape, face[(i + 1) % face.size()]);
    const Vector3d& c = vertex(shape, face[(i + 2) % face.size()]);
    if (!(n.dot((b - a).cross(c - b)) > 0.0))
      return fmt::format("face {} is not convex at vertex {}", face, face[(i + 1) % face.size()]);
  }
  return {};
}

}  // namespace

Convex box(const Vector3d& size) {
  Convex shape;
  for (int vertex = 0; vertex < 8; ++vertex)
    shape.vertices.push_back(0.5 * size.cwiseProduct(Vector3d((vertex & 4) != 0 ? 1.0 : -1.0,
                                                              (vertex & 2) != 0 ? 1.0 : -1.0,
                                                              (vertex & 1) != 0 ? 1.0 : -1.0)));
  shape.faces = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                 {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
  shape.edges = edges_of(shape.faces);
  return shape;
}

Convex sphere(double radius) {
  Convex shape;
  shape.vertices = {Vector3d::Zero()};
  shape.radius = radius;
  return shape;
}

Convex capsule(double length, double radius) {
  Convex shape;
  shape.vertices = {Vector3d(0.0, 0.0, -0.5 * length), Vector3d(0.0, 0.0, 0.5 * length)};
  shape.edges = {{0, 1}};
  shape.radius = radius;
  return shape;
}

Vector3d area_vector(const Convex& shape, const Loop& face) {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t i = 1; i + 1 < face.size(); ++i)
    sum += (vertex(shape, face[i]) - vertex(shape, face[0]))
               .cross(vertex(shape, face[i + 1]) - vertex(shape, face[0]));
  return 0.5 * sum;
}

std::vector<std::array<int, 2>> edges_of(const std::vector<Loop>& faces) {
  Edges edges;
  for (const Loop& face : faces)
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int start = face[i], end = face[(i + 1) % face.size()];
      edges.insert({std::min(start, end), std::max(start, end)});
    }
  return {edges.begin(), edges.end()};
}

std::string fault_of(const Convex& shape) {
  if (std::string fault = fault_of_numbers(shape); !fault.empty()) return fault;
  if (shape.faces.empty()) return fault_of_thin(shape);
  if (std::string fault = fault_of_closure(shape); !fault.empty()) return fault;
  const double size = extent(shape);
  for (const Loop& face : shape.faces)
    if (std::string fault = fault_of_face(shape, face, size); !fault.empty()) return fault;
  return {};
}

double extent(const Convex& shape) {
  double farthest = 0.0;
  for (const Vector3d& v : shape.vertices) farthest = std::max(farthest, v.norm());
  return farthest + shape.radius;
}

}  // namespace slipwave::collision
