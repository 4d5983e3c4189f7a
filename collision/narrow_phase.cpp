#include "collision/narrow_phase.hpp"

#include <algorithm>
#include <cmath>

namespace slipwave::collision {

namespace {

using Eigen::Vector3d;

/// Of the size: corners and edges that are nearer to each other are one, bodies that are nearer
/// touch.
constexpr double blur = 1e-7;

/// Whether the pair is to be looked at as (B, A), which must not depend on which was named first.
bool comes_after(const Placed& A, const Placed& B) {
  if (A.solid->rank != B.solid->rank) return A.solid->rank > B.solid->rank;
  const Vector3d shift = A.x - B.x;
  Eigen::Index most;
  if (shift.cwiseAbs().maxCoeff(&most) > 0.0) return shift[most] > 0.0;
  for (std::size_t i = 0; i < A.vertices.size(); ++i)
    if (A.vertices[i] != B.vertices[i])
      return std::lexicographical_compare(B.vertices[i].begin(), B.vertices[i].end(),
                                          A.vertices[i].begin(), A.vertices[i].end());
  return false;
}

/// A sphere touches at one point.
bool has_one_point(const Pair& pair) {
  return pair.A.solid->is_point() || pair.B.solid->is_point();
}

/// For cores in each other that have neither faces nor crossing edges: any normal to their edges.
Axis any_axis(const Pair& pair) {
  const Placed& thin = pair.A.solid->is_point() ? pair.B : pair.A;
  if (thin.solid->is_point()) return axis_along(pair, Vector3d::UnitZ());
  return axis_along(pair, View(thin.along(thin.solid->edges[0]).normalized()).first);
}

}  // namespace

void NarrowPhase::find(const Placed& A, const Placed& B, double skin, double alert, Patch& patch) {
  patch.points.clear();
  if (A.solid->is_half_space() && B.solid->is_half_space()) return;
  const bool turn = A.solid->is_half_space() || (!B.solid->is_half_space() && comes_after(A, B));
  const Placed &first = turn ? B : A, &second = turn ? A : B;
  if (second.solid->is_half_space())
    against_plane(first, second, skin, alert, patch);
  else
    between({first, second}, skin, alert, patch);
  if (turn) patch.normal = -patch.normal;
  std::ranges::sort(patch.points, {}, &PatchPoint::id);
}

void NarrowPhase::against_plane(const Placed& convex, const Placed& plane, double skin,
                                double alert, Patch& patch) const {
  const Vector3d &n = plane.normals[0], shift = convex.x - plane.x;
  const double radius = convex.solid->radius;
  patch.normal = n;
  for (std::size_t i = 0; i < convex.vertices.size(); ++i) {
    const Vector3d at = convex.vertices[i] + shift;
    const double height = n.dot(at) - plane.solid->offsets[0];
    const double gap = height - radius - skin;
    if (gap <= alert)
      patch.points.push_back(
          {plane.x + (at - 0.5 * (height + radius) * n), gap, static_cast<std::uint32_t>(i)});
  }
}

void NarrowPhase::between(const Pair& pair, double skin, double alert, Patch& patch) {
  const double grown = pair.A.solid->radius + pair.B.solid->radius + skin;
  const double reach = alert + grown, round_off = same_separation * pair.size;
  const bool solids = !pair.A.solid->faces.empty() || !pair.B.solid->faces.empty();
  Axis axis = face_axis(pair, reach);
  if (axis.separation > reach) return;
  bool is_distance = axis.separation >= -round_off && attains(pair, axis, round_off);
  if (!is_distance) {
    axis = edge_axis(pair, axis);
    if (axis.separation > reach) return;
    is_distance = attains(pair, axis, round_off) || (solids && axis.separation <= 0.0);
  }
  if (!is_distance) {
    axis = nearest_axis(pair, axis);
    if (!std::isfinite(axis.separation)) axis = any_axis(pair);
    if (axis.separation > reach) return;
    attains(pair, axis, blur * pair.size);
  }
  const bool touches = grown + std::abs(axis.separation) <= blur * pair.size;
  if (touches && (!is_distance || touches_at_edges(pair))) return;
  take(pair, axis, grown, reach, patch);
}

/// Lays the outlines along n over each other: whether they show two points that are no farther
/// apart than any along n must be.
bool NarrowPhase::attains(const Pair& pair, const Axis& axis, double round_off) {
  if (!std::isfinite(axis.separation)) return false;
  const View view(axis.n);
  outline_of(pair.A, pair.shift, -1.0, view, pair.size, outline_A_);
  outline_of(pair.B, Vector3d::Zero(), 1.0, view, pair.size, outline_B_);
  const Exactness exactness{round_off, blur * pair.size};
  return least_gap(overlap_.find(outline_A_, outline_B_, exactness)) <=
         axis.separation + same_separation * pair.size;
}

/// Faces of which neither is over the other, but for their edges.
bool NarrowPhase::touches_at_edges(const Pair& pair) const {
  return outline_A_.rim.size() > 2 && outline_B_.rim.size() > 2 &&
         overlap_.width() <= blur * pair.size;
}

/// No gap is less than the distance, though round-off in n may say so. Where no corner has it, the
/// nearest points are on faces other than those seen.
void NarrowPhase::take(const Pair& pair, const Axis& axis, double grown, double reach,
                       Patch& patch) const {
  const View view(axis.n);
  const double lift = 0.5 * (pair.B.solid->radius - pair.A.solid->radius);
  patch.normal = axis.n;
  for (const SharedCorner& corner : overlap_.corners()) {
    const double distance = std::max(corner.gap(), axis.separation);
    if (distance > reach) continue;
    const double middle = 0.5 * (corner.height_A + corner.height_B) + lift;
    patch.points.push_back(
        {pair.B.x + view.in_space(corner.at, middle), distance - grown, id_of(pair, corner)});
  }
  if (least_gap(overlap_.corners()) <= axis.separation + same_separation * pair.size) return;
  if (has_one_point(pair)) patch.points.clear();
  const double level = axis.n.dot(pair.of_A(farthest_vertex(pair.A, -axis.n)));
  const double middle = level - 0.5 * axis.separation + lift;
  patch.points.push_back(
      {pair.B.x + view.in_space(view.flat(axis.witness), middle), axis.separation - grown, 0});
}

/// The names of the features, that of the shape of lesser rank first. Bodies of the same shape have
/// no order that lasts: the greater name is first, unless another point has the same names the
/// other way round.
std::uint32_t NarrowPhase::id_of(const Pair& pair, const SharedCorner& corner) const {
  if (has_one_point(pair)) return 0;
  const auto id = [](int first, int second) {
    return static_cast<std::uint32_t>(first << 12 | second);
  };
  const auto is_twin = [&](const SharedCorner& other) {
    return other.name_A == corner.name_B && other.name_B == corner.name_A;
  };
  if (pair.A.solid->rank != pair.B.solid->rank || std::ranges::any_of(overlap_.corners(), is_twin))
    return id(corner.name_A, corner.name_B);
  return id(std::max(corner.name_A, corner.name_B), std::min(corner.name_A, corner.name_B));
}

}  // namespace slipwave::collision
