#include "collision/nearest.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace slipwave::collision {

namespace {

using Eigen::Vector3d;

/// Of the size: vertices that may be nearest although the direction found says otherwise.
constexpr double uncertain = 1e-7;

/// A vertex of A − B.
struct Corner {
  Vector3d w;
  int a, b;
};

/// Some corners, and the weights of their point nearest to the origin.
struct Simplex {
  std::array<Corner, 4> corners;
  std::array<double, 4> weights{};
  int size = 0;
  Vector3d point = Vector3d::Zero();

  void add(const Corner& corner) { corners[static_cast<std::size_t>(size++)] = corner; }
  bool has(const Corner& corner) const {
    return std::any_of(corners.begin(), corners.begin() + size, [&](const Corner& other) {
      return other.a == corner.a && other.b == corner.b;
    });
  }
};

/// The weights for which the plane, line or point through all corners is nearest to the origin;
/// whether all are positive. The first edge goes first and the part of the second across it after:
/// in a narrow triangle an error of that one moves the point across the edge only.
bool weigh(Simplex& s) {
  const Vector3d p = s.corners[0].w;
  s.weights = {1.0, 0.0, 0.0, 0.0};
  if (s.size > 1) {
    const Vector3d e = s.corners[1].w - p;
    const double ee = e.squaredNorm();
    s.weights[1] = -p.dot(e) / ee;
    if (s.size > 2) {
      const Vector3d f = s.corners[2].w - p;
      const double along = f.dot(e) / ee;
      const Vector3d across = f - along * e;
      s.weights[2] = -p.dot(across) / across.squaredNorm();
      s.weights[1] -= s.weights[2] * along;
    }
  }
  s.weights[0] -= s.weights[1] + s.weights[2];
  s.point = p;
  for (std::size_t i = 1; i < static_cast<std::size_t>(s.size); ++i)
    s.point += s.weights[i] * (s.corners[i].w - p);
  return std::all_of(s.weights.begin(), s.weights.begin() + s.size,
                     [](double weight) { return weight > 0.0; });
}

/// Of all simplices of one to three of the corners the one with the point nearest to the origin.
Simplex nearest_part(const Simplex& whole) {
  Simplex best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned mask = 1; mask < (1u << whole.size); ++mask) {
    Simplex part;
    for (unsigned i = 0; i < static_cast<unsigned>(whole.size); ++i)
      if ((mask >> i & 1u) != 0) part.add(whole.corners[i]);
    if (part.size == 4 || !weigh(part)) continue;
    const double here = part.point.squaredNorm();
    if (here >= least) continue;
    least = here;
    best = part;
  }
  return best;
}

/// The simplex nearest to the origin that the descent ends at: no corner is nearer. Where faces are
/// nearly parallel it stops where a step is shorter than round-off.
Simplex descend(const Pair& pair, const Vector3d& start) {
  const auto towards = [&](const Vector3d& n) {
    const int a = farthest_vertex(pair.A, -n), b = farthest_vertex(pair.B, n);
    return Corner{pair.of_A(a) - pair.of_B(b), a, b};
  };
  Simplex simplex;
  simplex.add(towards(start));
  simplex = nearest_part(simplex);
  for (int step = 0; step < 50; ++step) {
    const Corner corner = towards(simplex.point);
    if (simplex.has(corner)) break;
    Simplex grown = simplex;
    grown.add(corner);
    const Simplex next = nearest_part(grown);
    if (next.point.squaredNorm() >= simplex.point.squaredNorm()) break;
    simplex = next;
  }
  return simplex;
}

/// n without its part along e. Twice, as what is left may be small.
Vector3d without(const Vector3d& n, const Vector3d& e) {
  const Vector3d once = (n - n.dot(e) / e.squaredNorm() * e).stableNormalized();
  return (once - once.dot(e) / e.squaredNorm() * e).stableNormalized();
}

struct Edge {
  Vector3d start, along;

  Vector3d at(double s) const { return start + s * along; }
  Vector3d nearest_to(const Vector3d& point) const {
    return at(std::clamp(along.dot(point - start) / along.squaredNorm(), 0.0, 1.0));
  }
};

/// The vertices and edges of a core, moved by `shift`, that are nearest to an observer, or may be.
class Near {
 public:
  Near(const Placed& core, const Vector3d& shift, const Vector3d& towards, double tolerance)
      : core_(core),
        shift_(shift),
        towards_(towards),
        level_(towards.dot(core.vertex(farthest_vertex(core, towards))) - tolerance) {}

  template <class Work>
  void for_each_vertex(const Work& work) const {
    for (const Vector3d& v : core_.vertices)
      if (is_near(v)) work(Vector3d(v + shift_));
  }
  template <class Work>
  void for_each_edge(const Work& work) const {
    for (const SolidEdge& edge : core_.solid->edges)
      if (is_near(core_.vertex(edge.start)) && is_near(core_.vertex(edge.end)))
        work(Edge{core_.vertex(edge.start) + shift_, core_.along(edge)});
  }

 private:
  bool is_near(const Vector3d& v) const { return towards_.dot(v) >= level_; }

  const Placed& core_;
  Vector3d shift_, towards_;
  double level_;
};

/// The descent's direction is right to the root of round-off only, as the length of a point changes
/// with its square, and it may stall where edges or faces are nearly parallel. So the pairs of
/// vertices and edges that may be nearest are all looked at: their distances, and the normals of
/// edges as directions.
class Polish {
 public:
  Polish(const Pair& pair, const Axis& axis)
      : pair_(pair),
        towards_(axis.n),
        A_(pair.A, pair.shift, -axis.n, uncertain * pair.size),
        B_(pair.B, Vector3d::Zero(), axis.n, uncertain * pair.size),
        distance_(axis.separation),
        witness_(axis.witness) {
    try_direction(axis.n);
    vertices();
    edges();
  }
  /// Separated by the least distance.
  Axis result() const { return {best_.n, distance_, witness_}; }
  /// What the direction found is sure of.
  double separation() const { return best_.separation; }

 private:
  void try_direction(const Vector3d& n) {
    if (!(n.dot(towards_) > 0.5)) return;
    if (const Axis axis = axis_along(pair_, n); axis.separation > best_.separation) best_ = axis;
  }
  void try_points(const Vector3d& a, const Vector3d& b) {
    const double distance = (a - b).norm();
    if (distance > distance_) return;
    distance_ = distance;
    witness_ = a;
  }
  void vertices() {
    A_.for_each_vertex([&](const Vector3d& a) {
      B_.for_each_vertex([&](const Vector3d& b) {
        try_points(a, b);
        try_direction((a - b).stableNormalized());
      });
      B_.for_each_edge([&](const Edge& edge) {
        try_points(a, edge.nearest_to(a));
        try_direction(without(a - edge.start, edge.along));
      });
    });
    B_.for_each_vertex([&](const Vector3d& b) {
      A_.for_each_edge([&](const Edge& edge) {
        try_points(edge.nearest_to(b), b);
        try_direction(without(edge.start - b, edge.along));
      });
    });
  }
  void edges() {
    A_.for_each_edge([&](const Edge& a) {
      B_.for_each_edge([&](const Edge& b) {
        const Vector3d n = a.along.cross(b.along).stableNormalized();
        if (n.isZero(0.0)) return;
        try_direction(n.dot(towards_) < 0.0 ? Vector3d(-n) : n);
        const double s = b.along.cross(n).dot(b.start - a.start) / b.along.cross(n).dot(a.along);
        const Vector3d on_A = a.at(std::clamp(s, 0.0, 1.0));
        try_points(on_A, b.nearest_to(on_A));
      });
    });
  }

  const Pair& pair_;
  Vector3d towards_;
  Near A_, B_;
  Axis best_;
  double distance_;
  Vector3d witness_;
};

}  // namespace

/// Where `start` is surer of its separation, the descent has stalled far from where to look.
Axis nearest_axis(const Pair& pair, const Axis& start) {
  const Simplex simplex = descend(pair, start.n);
  const double distance = simplex.point.norm();
  if (distance <= std::max(start.separation, 0.0) + same_separation * pair.size) return start;
  Vector3d witness = Vector3d::Zero();
  for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.size); ++i)
    witness += simplex.weights[i] * pair.of_A(simplex.corners[i].a);
  const Polish polish(pair, {simplex.point / distance, distance, witness});
  if (start.separation <= polish.separation()) return polish.result();
  Axis other = polish.result();
  other.n = start.n;
  return Polish(pair, other).result();
}

}  // namespace slipwave::collision
