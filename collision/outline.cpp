#include "collision/outline.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace slipwave::collision {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double same_level = 1e-9;      // of the size
constexpr double same_direction = 1e-9;  // of normals: the first of two counts
constexpr double steepest = 0.1;         // cosine between n and a face's normal; sine to an edge

/// How far the vertices are from the one nearest to the observer, and who they are to him.
class Looking {
 public:
  Looking(const Placed& core, const Vector3d& towards, double tolerance)
      : core_(core), towards_(towards), level_(towards.dot(core.vertices[0])) {
    for (const Vector3d& v : core.vertices) level_ = std::max(level_, towards.dot(v));
    level_ -= tolerance;
  }

  int nearest_vertex() const {
    int vertex = 0;
    while (!is_near(vertex)) ++vertex;
    return vertex;
  }
  /// -1 if none is flat enough.
  int face() const {
    return best(core_.solid->faces.size(), [&](std::size_t f) {
      return merit(near_among(core_.solid->faces[f]), core_.normals[f].dot(towards_));
    });
  }
  int edge() const {
    return best(core_.solid->edges.size(), [&](std::size_t e) {
      const SolidEdge& edge = core_.solid->edges[e];
      const Vector3d along = core_.along(edge).normalized();
      return merit(near_among(std::array{edge.start, edge.end}), along.cross(towards_).norm());
    });
  }

 private:
  bool is_near(int vertex) const { return towards_.dot(core_.vertex(vertex)) >= level_; }
  /// Two are as good as more: whether it is three is for round-off to say.
  template <class Vertices>
  int near_among(const Vertices& vertices) const {
    int count = 0;
    for (const int vertex : vertices)
      if (is_near(vertex) && ++count == 2) break;
    return count;
  }
  static double merit(int near, double flatness) {
    return near == 0 || flatness <= steepest ? 0.0 : near + flatness;
  }
  /// The first of the best, up to round-off, if there are any with merits.
  template <class Merit>
  static int best(std::size_t count, const Merit& merit_of) {
    int result = -1;
    double wanted = 0.0;
    for (std::size_t i = 0; i < count; ++i)
      if (const double here = merit_of(i); here > wanted) {
        result = static_cast<int>(i);
        wanted = here + same_direction;
      }
    return result;
  }

  const Placed& core_;
  Vector3d towards_;
  double level_;
};

}  // namespace

View::View(const Vector3d& direction) : n(direction) {
  Eigen::Index least;
  n.cwiseAbs().minCoeff(&least);
  first = Vector3d::Unit(least).cross(n).normalized();
  second = n.cross(first);
}

double Outline::height(const Vector2d& at) const {
  return std::clamp(rim[0].height + slope.dot(at - rim[0].at), lowest, highest);
}

void Outline::close() {
  lowest = highest = rim[0].height;
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const Vector2d edge = rim[after(i)].at - rim[i].at;
    rim[i].length = edge.norm();
    rim[i].along = rim[i].length > 0.0 ? Vector2d(edge / rim[i].length) : Vector2d::Zero();
    lowest = std::min(lowest, rim[i].height);
    highest = std::max(highest, rim[i].height);
  }
  slope.setZero();
  if (rim.size() == 2) slope = (rim[1].height - rim[0].height) / rim[0].length * rim[0].along;
}

void Outline::close(const Vector3d& normal_in_view) {
  close();
  slope = -normal_in_view.head<2>() / normal_in_view[2];
}

void outline_of(const Placed& core, const Vector3d& shift, double sense, const View& view,
                double size, Outline& outline) {
  const Solid& solid = *core.solid;
  const auto count = static_cast<int>(core.vertices.size());
  const auto add = [&](int vertex, int edge) {
    const Vector3d at = core.vertex(vertex) + shift;
    outline.rim.push_back({view.flat(at), view.n.dot(at), 1 + vertex, 1 + count + edge});
  };
  outline.rim.clear();
  const Looking looking(core, sense * view.n, same_level * size);
  if (const int face = looking.face(); face >= 0) {
    const auto f = static_cast<std::size_t>(face);
    const std::vector<int>&loop = solid.faces[f], &edges = solid.face_edges[f];
    const std::size_t k = loop.size();
    for (std::size_t i = 0; i < k; ++i)  // seen from behind it is clockwise
      sense > 0.0 ? add(loop[i], edges[i]) : add(loop[k - 1 - i], edges[(2 * k - 2 - i) % k]);
    const Vector3d& normal = core.normals[f];
    return outline.close({view.first.dot(normal), view.second.dot(normal), view.n.dot(normal)});
  }
  if (const int edge = looking.edge(); edge >= 0) {
    add(solid.edges[static_cast<std::size_t>(edge)].start, edge);
    add(solid.edges[static_cast<std::size_t>(edge)].end, edge);
    return outline.close();
  }
  add(looking.nearest_vertex(), 0);
  outline.close();
}

}  // namespace slipwave::collision
