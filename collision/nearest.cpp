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
/// whether all are positive. Corners on a line are left to the simplices of two of them.
bool weigh(Simplex& s) {
  const Vector3d p = s.corners[0].w;
  s.weights = {1.0, 0.0, 0.0, 0.0};
  if (s.size == 2) {
    const Vector3d e = s.corners[1].w - p;
    s.weights[1] = -p.dot(e) / e.squaredNorm();
  }
  if (s.size == 3) {
    const Vector3d e = s.corners[1].w - p, f = s.corners[2].w - p;
    const double ee = e.squaredNorm(), ef = e.dot(f), ff = f.squaredNorm();
    const double determinant = e.cross(f).squaredNorm();
    if (determinant <= 1e-20 * ee * ff) return false;
    s.weights[1] = (ef * f.dot(p) - ff * e.dot(p)) / determinant;
    s.weights[2] = (ef * e.dot(p) - ee * f.dot(p)) / determinant;
  }
  s.weights[0] -= s.weights[1] + s.weights[2];
  s.point.setZero();
  for (std::size_t i = 0; i < 3; ++i)
    if (s.weights[i] != 0.0) s.point += s.weights[i] * s.corners[i].w;
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
    if (part.size == 4 || !weigh(part) || part.point.squaredNorm() >= least) continue;
    least = part.point.squaredNorm();
    best = part;
  }
  return best;
}

/// The simplex nearest to the origin that the descent ends at: no corner is nearer.
Simplex descend(const Pair& pair, const Vector3d& start) {
  const auto towards = [&](const Vector3d& n) {
    const int a = farthest_vertex(pair.A, -n), b = farthest_vertex(pair.B, n);
    return Corner{pair.of_A(a) - pair.of_B(b), a, b};
  };
  Simplex simplex;
  simplex.add(towards(start));
  simplex = nearest_part(simplex);
  for (int step = 0; step < 100; ++step) {
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

/// The vertices and edges of a core that are nearest to an observer, or may be.
class Near {
 public:
  Near(const Placed& core, const Vector3d& towards, double tolerance)
      : core_(core),
        towards_(towards),
        level_(towards.dot(core.vertex(farthest_vertex(core, towards))) - tolerance) {}

  template <class Work>
  void for_each_vertex(const Work& work) const {
    for (const Vector3d& v : core_.vertices)
      if (is_near(v)) work(v);
  }
  template <class Work>
  void for_each_edge(const Work& work) const {
    for (const SolidEdge& edge : core_.solid->edges)
      if (is_near(core_.vertex(edge.start)) && is_near(core_.vertex(edge.end)))
        work(core_.along(edge));
  }

 private:
  bool is_near(const Vector3d& v) const { return towards_.dot(v) >= level_; }

  const Placed& core_;
  Vector3d towards_;
  double level_;
};

/// The direction is right to the root of round-off only, as the length of a point changes with its
/// square. So all normals of vertices and edges that may be nearest are tried.
void polish(const Pair& pair, Axis& best) {
  const Near A(pair.A, -best.n, uncertain * pair.size), B(pair.B, best.n, uncertain * pair.size);
  const Vector3d towards = best.n;
  const auto consider = [&](const Vector3d& n) {
    if (!(n.dot(towards) > 0.5)) return;
    const double separation = axis_along(pair, n).separation;
    if (separation > best.separation) best = {n, separation, best.witness};
  };
  A.for_each_vertex([&](const Vector3d& a) {
    B.for_each_vertex([&](const Vector3d& b) {
      const Vector3d w = a + pair.shift - b;
      consider(w.stableNormalized());
      A.for_each_edge([&](const Vector3d& e) { consider(without(w, e)); });
      B.for_each_edge([&](const Vector3d& e) { consider(without(w, e)); });
    });
  });
  A.for_each_edge([&](const Vector3d& e_A) {
    B.for_each_edge([&](const Vector3d& e_B) {
      const Vector3d n = e_A.cross(e_B).stableNormalized();
      consider(n.dot(towards) < 0.0 ? Vector3d(-n) : n);
    });
  });
}

}  // namespace

Axis nearest_axis(const Pair& pair, const Axis& start) {
  const Simplex simplex = descend(pair, start.n);
  if (simplex.point.norm() <= start.separation + same_separation * pair.size) return start;
  Axis axis = axis_along(pair, simplex.point.stableNormalized());
  axis.witness.setZero();
  for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.size); ++i)
    axis.witness += simplex.weights[i] * pair.of_A(simplex.corners[i].a);
  polish(pair, axis);
  return axis.separation > start.separation ? axis : start;
}

}  // namespace slipwave::collision
