#include "collision/shape.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

// libqhull_r's own headers would not pass our warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
extern "C" {
#include <libqhull_r/qhull_ra.h>
}
#pragma GCC diagnostic pop

namespace slipwave::collision {

namespace {

using Eigen::Vector3d;
using Points = std::vector<Vector3d>;
using Triangle = std::array<int, 3>;
using Loop = std::vector<int>;

/// Of the size: points no farther from a plane lie in it.
constexpr double flatness = 1e-10;

/// The point farthest from the point, line or plane through those given.
template <class Distance>
std::size_t farthest(const Points& points, const Distance& distance) {
  return static_cast<std::size_t>(std::ranges::max_element(points, {}, distance) - points.begin());
}

/// A length that the points extend in every direction, to a factor.
double thickness(const Points& points) {
  const Vector3d& a = points.front();
  const Vector3d b =
      points[farthest(points, [&](const Vector3d& p) { return (p - a).squaredNorm(); })];
  const Vector3d e = (b - a).normalized();
  const Vector3d c =
      points[farthest(points, [&](const Vector3d& p) { return e.cross(p - a).squaredNorm(); })];
  const Vector3d n = e.cross(c - a).normalized();
  const Vector3d d =
      points[farthest(points, [&](const Vector3d& p) { return std::abs(n.dot(p - a)); })];
  return std::abs(n.dot(d - a));
}

/// The qhull that is at work, freed in the end.
class Qhull {
 public:
  explicit Qhull(std::vector<double>& coordinates) {
    qh_zero(&state_, stderr);
    char command[] = "qhull Qt Pp";
    const auto count = static_cast<int>(coordinates.size() / 3);
    failed_ = qh_new_qhull(&state_, 3, count, coordinates.data(), False, command, nullptr, stderr);
  }
  ~Qhull() {
    qh_freeqhull(&state_, !qh_ALL);
    int kept = 0, total = 0;
    qh_memfreeshort(&state_, &kept, &total);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  bool failed() const { return failed_ != 0; }
  /// All turned alike, outward or inward.
  std::vector<Triangle> triangles() {
    std::vector<Triangle> result;
    qhT* qh = &state_;  // the name that qhull's macros use
    facetT* facet;
    FORALLfacets {
      Triangle& triangle = result.emplace_back();
      vertexT *vertex, **vertexp;
      std::size_t i = 0;
      FOREACHvertex_(facet->vertices) triangle[i++] = qh_pointid(qh, vertex->point);
      if (!facet->toporient) std::swap(triangle[1], triangle[2]);
    }
    return result;
  }

 private:
  qhT state_;
  int failed_;
};

Vector3d normal_of(const Points& points, const Triangle& t) {
  const auto at = [&](int k) {
    return points[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])];
  };
  return (at(1) - at(0)).cross(at(2) - at(0));
}

/// The triangles of the hull of points about the origin, outward.
std::vector<Triangle> hull_triangles(const Points& points) {
  std::vector<double> coordinates;
  for (const Vector3d& p : points) coordinates.insert(coordinates.end(), p.data(), p.data() + 3);
  Qhull qhull(coordinates);
  if (qhull.failed()) throw std::invalid_argument("libqhull finds no hull of the points");
  std::vector<Triangle> triangles = qhull.triangles();
  double volume = 0.0;
  for (const Triangle& t : triangles)
    volume += normal_of(points, t).dot(points[static_cast<std::size_t>(t[0])]);
  if (volume < 0.0)
    for (Triangle& t : triangles) std::swap(t[1], t[2]);
  return triangles;
}

/// Sets of triangles in one plane with a neighbour, each named by one of its members.
class Planes {
 public:
  Planes(const Points& points, const std::vector<Triangle>& triangles, double tolerance)
      : parent_(triangles.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    std::map<std::array<int, 2>, int> owner;  // of directed edges
    for (std::size_t t = 0; t < triangles.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k)
        owner[{triangles[t][k], triangles[t][(k + 1) % 3]}] = static_cast<int>(t);
    for (const auto& [edge, t] : owner) {
      const auto other = owner.find({edge[1], edge[0]});
      if (other == owner.end()) throw std::invalid_argument("libqhull's hull is not closed");
      if (in_plane(points, triangles[static_cast<std::size_t>(t)],
                   triangles[static_cast<std::size_t>(other->second)], tolerance))
        parent_[static_cast<std::size_t>(of(t))] = of(other->second);
    }
  }
  int of(int triangle) const {
    while (parent_[static_cast<std::size_t>(triangle)] != triangle)
      triangle = parent_[static_cast<std::size_t>(triangle)];
    return triangle;
  }

 private:
  /// A triangle without area to speak of lies in the plane of any neighbour.
  static bool in_plane(const Points& points, const Triangle& a, const Triangle& b,
                       double tolerance) {
    const auto behind = [&](const Triangle& of, const Triangle& corners) {
      const Vector3d n = normal_of(points, of).stableNormalized();
      return std::ranges::all_of(corners, [&](int i) {
        return std::abs(n.dot(points[static_cast<std::size_t>(i)] -
                              points[static_cast<std::size_t>(of[0])])) <= tolerance;
      });
    };
    return behind(a, b) || behind(b, a);
  }

  std::vector<int> parent_;
};

/// The boundaries of the planes, each a loop.
std::vector<Loop> loops(const std::vector<Triangle>& triangles, const Planes& planes) {
  std::map<int, std::map<int, int>> next;  // by plane: the vertex after each
  std::set<std::pair<int, std::array<int, 2>>> directed;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      directed.insert(
          {planes.of(static_cast<int>(t)), {triangles[t][k], triangles[t][(k + 1) % 3]}});
  for (const auto& [plane, edge] : directed)
    if (!directed.contains({plane, {edge[1], edge[0]}})) next[plane][edge[0]] = edge[1];
  std::vector<Loop> result;
  for (const auto& [plane, after] : next) {
    Loop& loop = result.emplace_back();
    const int start = after.begin()->first;
    for (int i = start; loop.empty() || i != start; i = after.at(i)) loop.push_back(i);
  }
  return result;
}

/// Leaves out vertices of less than three faces: they lie on an edge.
void drop_vertices_on_edges(std::vector<Loop>& faces) {
  std::map<int, int> faces_at;
  for (const Loop& face : faces)
    for (const int i : face) ++faces_at[i];
  for (Loop& face : faces) std::erase_if(face, [&](int i) { return faces_at[i] < 3; });
}

/// A shape of the points that faces use, in their order; loops start at their least vertex.
Convex shape_of(const Points& points, std::vector<Loop> faces, double radius) {
  std::map<int, int> number;
  for (const Loop& face : faces)
    for (const int i : face) number[i] = 0;
  Convex shape;
  for (auto& [i, n] : number) {
    n = static_cast<int>(shape.vertices.size());
    shape.vertices.push_back(points[static_cast<std::size_t>(i)]);
  }
  for (Loop& face : faces) {
    for (int& i : face) i = number[i];
    std::rotate(face.begin(), std::ranges::min_element(face), face.end());
  }
  std::ranges::sort(faces);
  shape.faces = std::move(faces);
  shape.edges = edges_of(shape.faces);
  shape.radius = radius;
  return shape;
}

}  // namespace

Convex hull(const Points& points, double radius) {
  if (points.size() < 4)
    throw std::invalid_argument(
        fmt::format("a hull needs at least 4 points, here are {}", points.size()));
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& p : points) middle += p / static_cast<double>(points.size());
  Points about;
  double size = 0.0;
  for (const Vector3d& p : points) size = std::max(size, about.emplace_back(p - middle).norm());
  if (!std::isfinite(size) || !(thickness(about) > flatness * size))
    throw std::invalid_argument(
        fmt::format("the {} points of a hull lie in one plane", points.size()));
  const std::vector<Triangle> triangles = hull_triangles(about);
  std::vector<Loop> faces = loops(triangles, Planes(about, triangles, flatness * size));
  drop_vertices_on_edges(faces);
  Convex shape = shape_of(points, std::move(faces), radius);
  if (const std::string fault = fault_of(shape); !fault.empty())
    throw std::invalid_argument(fmt::format("the hull of {} points: {}", points.size(), fault));
  return shape;
}

}  // namespace slipwave::collision
