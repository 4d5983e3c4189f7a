#include "app/waves/edges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

namespace slipwave::app {

namespace {

using Points = std::vector<EdgePoint>;
using Eigen::Index;

/// A fit needs so many points.
constexpr int least_points = 3;

/// For each stretch of a node, the stretch of the next node that it is linked to, or -1.
using Links = std::vector<int>;

bool overlap(const Stretch& a, const Stretch& b, const EdgeSearch& s) {
  const auto begin = [&](const Stretch& c) { return s.t[c.begin]; };
  const auto end = [&](const Stretch& c) { return s.t[c.end - 1] + s.tolerance; };
  return begin(a) <= end(b) && begin(b) <= end(a);
}

/// Links between two neighbouring nodes, nearest events first, each event once.
Links link(const std::vector<Stretch>& left, const std::vector<Stretch>& right, double dx,
           const EdgeSearch& s) {
  std::vector<std::tuple<double, int, int>> pairs;
  const double longest = dx / s.slowest;
  for (std::size_t a = 0; a < left.size(); ++a) {
    const Stretch& l = left[a];
    const auto too_early = [&](const Stretch& r) { return !(r.event >= l.event - longest); };
    auto r = std::partition_point(right.begin(), right.end(), too_early);
    for (; r != right.end() && r->event <= l.event + longest; ++r)
      if (overlap(l, *r, s))
        pairs.emplace_back(std::abs(l.event - r->event), static_cast<int>(a),
                           static_cast<int>(r - right.begin()));
  }
  std::sort(pairs.begin(), pairs.end());
  Links to(left.size(), -1);
  std::vector<bool> taken(right.size(), false);
  for (const auto& [apart, a, b] : pairs) {
    if (to[static_cast<std::size_t>(a)] >= 0 || taken[static_cast<std::size_t>(b)]) continue;
    to[static_cast<std::size_t>(a)] = b;
    taken[static_cast<std::size_t>(b)] = true;
  }
  return to;
}

/// Maximal chains of linked events.
std::vector<Points> chains(const NodeStretches& stretches, const EdgeSearch& s) {
  std::vector<Points> done;
  std::vector<Points> open;  // chain that ends in each stretch of the node before
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const int node = static_cast<int>(i);
    std::vector<Points> next(stretches[i].size());
    if (i > 0) {
      const Links to = link(stretches[i - 1], stretches[i], s.x[node] - s.x[node - 1], s);
      for (std::size_t a = 0; a < to.size(); ++a)
        (to[a] < 0 ? done.emplace_back() : next[static_cast<std::size_t>(to[a])]) =
            std::move(open[a]);
    }
    for (std::size_t b = 0; b < next.size(); ++b)
      if (!std::isnan(stretches[i][b].event))
        next[b].push_back({node, static_cast<int>(b), s.x[node], stretches[i][b].event});
    open = std::move(next);
  }
  for (Points& chain : open) done.push_back(std::move(chain));
  return done;
}

/// Cuts a chain at its turning points: extremes from which it goes back by more than the tolerance.
/// Both parts have the turning point.
std::vector<Points> monotone_parts(const Points& chain, double tolerance) {
  std::vector<Points> parts;
  std::size_t first = 0, low = 0, high = 0;
  int direction = 0;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    if (chain[i].t < chain[low].t) low = i;
    if (chain[i].t > chain[high].t) high = i;
    const bool rises = chain[i].t > chain[low].t + tolerance;
    const bool falls = chain[i].t < chain[high].t - tolerance;
    const int now = direction >= 0 && falls ? -1 : direction <= 0 && rises ? 1 : direction;
    if (now == direction) continue;
    const std::size_t turn = now > 0 ? low : high;
    if (turn > first)
      parts.emplace_back(chain.begin() + static_cast<Index>(first),
                         chain.begin() + static_cast<Index>(turn) + 1);
    first = turn;
    low = high = i;
    direction = now;
  }
  parts.emplace_back(chain.begin() + static_cast<Index>(first), chain.end());
  return parts;
}

/// Without the points at either end that came at the same time as their neighbour further in: a
/// stretch that changed at once.
Points without_flat_ends(const Points& points) {
  std::size_t from = 0, to = points.size();
  while (from + 1 < to && points[from].t == points[from + 1].t) ++from;
  while (to > from + 1 && points[to - 1].t == points[to - 2].t) --to;
  return {points.begin() + static_cast<Index>(from), points.begin() + static_cast<Index>(to)};
}

/// The line t = time + slowness x through the points next to one end of an edge, without the
/// outermost `skip`.
FrontFit fit_end(const Points& points, bool last, double dt, std::size_t skip = 0) {
  const std::size_t n = std::min<std::size_t>(points.size() - skip, 8);
  const auto from = last ? points.end() - static_cast<Index>(n + skip)
                         : points.begin() + static_cast<Index>(skip);
  FrontFit fit = fit_front({from, from + static_cast<Index>(n)}, dt);
  fit.time -= fit.slowness * from->x;
  return fit;
}

/// Whether a point continues the line of its neighbours, a distance dx away.
bool continues(const FrontFit& fit, double x, double t, double dx, const EdgeSearch& s) {
  const double change = s.speed_change * std::abs(fit.slowness) * dx;
  return std::abs(fit.time + fit.slowness * x - t) <=
         std::max({1.5 * s.dt, 3.0 * fit.scatter, change});
}

/// Takes away points at the ends that do not continue the line of the others.
void trim(Points& points, const EdgeSearch& s) {
  for (const bool last : {true, false})
    while (static_cast<int>(points.size()) > least_points) {
      const auto end = last ? points.end() - 1 : points.begin();
      const double dx = std::abs(end->x - (last ? *(end - 1) : *(end + 1)).x);
      if (continues(fit_end(points, last, s.dt, 1), end->x, end->t, dx, s)) break;
      points.erase(end);
    }
}

void cut_at_kinks(const Points& points, const EdgeSearch& s, std::vector<Edge>& edges) {
  if (static_cast<int>(points.size()) < least_points) return;
  if (const int k = find_kink(points, s.dt, least_points, s.speed_change)) {
    cut_at_kinks({points.begin(), points.begin() + k}, s, edges);
    cut_at_kinks({points.begin() + k, points.end()}, s, edges);
    return;
  }
  Points trimmed = points;
  trim(trimmed, s);
  const Edge edge{trimmed, fit_front(trimmed, s.dt)};
  if (edge.fit.slowness != 0.0) edges.push_back(edge);
}

/// How far the second edge is from where the first one points to, and the other way round; nothing
/// if they are not one edge.
std::optional<double> mismatch(const Edge& a, const Edge& b, const EdgeSearch& s) {
  const EdgePoint &from = a.points.back(), &to = b.points.front();
  if (a.forward() != b.forward() || to.node <= from.node) return {};
  if (a.forward() ? to.t < from.t - s.tolerance : to.t > from.t + s.tolerance) return {};
  const double gap = to.x - from.x;
  const double seen_length = from.x - a.points.front().x + b.points.back().x - to.x;
  if (to.node - from.node > 3 && gap > 0.5 * seen_length) return {};
  const double steepest = std::max(std::abs(a.fit.slowness), std::abs(b.fit.slowness));
  if (std::abs(to.t - from.t) > 3.0 * steepest * gap + 2.0 * s.tolerance) return {};
  const FrontFit left = fit_end(a.points, true, s.dt);
  const FrontFit right = fit_end(b.points, false, s.dt);
  const double larger = std::max(std::abs(left.slowness), std::abs(right.slowness));
  const double differ = std::abs(left.slowness - right.slowness);
  if (differ > s.speed_change * larger + 2.0 * std::hypot(left.error, right.error)) return {};
  const double off = std::max(std::abs(left.time + left.slowness * to.x - to.t),
                              std::abs(right.time + right.slowness * from.x - from.t));
  if (off > s.tolerance + s.speed_change * larger * gap) return {};
  int seen = 0;
  for (int node = from.node + 1; node < to.node; ++node) {
    const double share = (s.x[node] - from.x) / gap;
    seen += s.hidden(node, from.t + share * (to.t - from.t)) ? 0 : 1;
  }
  if (seen > 2) return {};
  return off;
}

/// Joins the best pair of edges until none is left that continue one another.
void join(std::vector<Edge>& edges, const EdgeSearch& s) {
  std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
  const auto consider = [&](std::size_t a, std::size_t b) {
    if (const auto off = mismatch(edges[a], edges[b], s)) pairs.emplace_back(*off, a, b);
  };
  for (std::size_t a = 0; a < edges.size(); ++a)
    for (std::size_t b = 0; b < edges.size(); ++b) consider(a, b);
  while (!pairs.empty()) {
    const auto [off, a, b] = *std::min_element(pairs.begin(), pairs.end());
    edges[a].points.insert(edges[a].points.end(), edges[b].points.begin(), edges[b].points.end());
    edges[a].fit = fit_front(edges[a].points, s.dt);
    edges[b].points.clear();
    std::erase_if(pairs, [a = a, b = b](const auto& pair) {
      const auto [o, c, d] = pair;
      return c == a || c == b || d == a || d == b;
    });
    for (std::size_t c = 0; c < edges.size(); ++c)
      if (c != a && !edges[c].points.empty()) consider(a, c), consider(c, a);
  }
  std::erase_if(edges, [](const Edge& edge) { return edge.points.empty(); });
}

/// Which events belong to an edge.
using Taken = std::vector<std::vector<bool>>;

/// Whether an event beyond the last or the first point of an edge is on the wrong side of it in
/// time.
bool turns_back(const Edge& edge, bool last, double t, const EdgeSearch& s) {
  const double onward = last ? t - edge.points.back().t : edge.points.front().t - t;
  return (edge.forward() ? onward : -onward) < -s.tolerance;
}

/// The event of a node that is free and nearest to the line through an end of an edge, if it
/// continues it.
std::optional<EdgePoint> next_point(const Edge& edge, bool last, int node,
                                    const NodeStretches& stretches, const Taken& taken,
                                    const EdgeSearch& s) {
  std::optional<EdgePoint> best;
  const FrontFit fit = fit_end(edge.points, last, s.dt);
  const double x = s.x[node], due = fit.time + fit.slowness * x;
  const double dx = std::abs(x - (last ? edge.points.back() : edge.points.front()).x);
  const auto& at_node = stretches[static_cast<std::size_t>(node)];
  for (std::size_t b = 0; b < at_node.size(); ++b) {
    const double t = at_node[b].event;
    if (taken[static_cast<std::size_t>(node)][b] || turns_back(edge, last, t, s)) continue;
    if (!continues(fit, x, t, dx, s)) continue;
    if (!best || std::abs(t - due) < std::abs(best->t - due))
      best = EdgePoint{node, static_cast<int>(b), x, t};
  }
  return best;
}

/// Goes on at both ends of an edge as long as the next node has a free event that continues it.
void grow(Edge& edge, const NodeStretches& stretches, Taken& taken, const EdgeSearch& s) {
  for (const bool last : {true, false})
    for (;;) {
      const int node = last ? edge.points.back().node + 1 : edge.points.front().node - 1;
      if (node < 0 || node >= s.x.size()) break;
      const auto point = next_point(edge, last, node, stretches, taken, s);
      if (!point) break;
      taken[static_cast<std::size_t>(node)][static_cast<std::size_t>(point->stretch)] = true;
      edge.points.insert(last ? edge.points.end() : edge.points.begin(), *point);
    }
  edge.fit = fit_front(edge.points, s.dt);
}

void grow_all(std::vector<Edge>& edges, const NodeStretches& stretches, const EdgeSearch& s) {
  Taken taken;
  for (const auto& at_node : stretches) taken.emplace_back(at_node.size(), false);
  for (const Edge& edge : edges)
    for (const EdgePoint& p : edge.points)
      taken[static_cast<std::size_t>(p.node)][static_cast<std::size_t>(p.stretch)] = true;
  for (Edge& edge : edges) grow(edge, stretches, taken, s);
}

bool worth_keeping(const Edge& edge, const EdgeSearch& s) {
  const EdgePoint &first = edge.points.front(), &last = edge.points.back();
  return static_cast<int>(edge.points.size()) >= s.min_nodes &&
         last.x - first.x >= s.min_distance && std::abs(last.t - first.t) >= 2.0 * s.tolerance &&
         std::abs(edge.fit.slowness) >= 1.0 / s.fastest &&
         edge.fit.error < std::abs(edge.fit.slowness) / 3.0;
}

}  // namespace

std::vector<Edge> find_edges(const NodeStretches& stretches, const EdgeSearch& s) {
  std::vector<Edge> edges;
  for (const Points& chain : chains(stretches, s))
    if (static_cast<int>(chain.size()) >= least_points)
      for (const Points& part : monotone_parts(chain, s.tolerance))
        cut_at_kinks(without_flat_ends(part), s, edges);
  join(edges, s);
  const auto not_worth_keeping = [&](const Edge& edge) { return !worth_keeping(edge, s); };
  std::erase_if(edges, not_worth_keeping);
  grow_all(edges, stretches, s);
  std::erase_if(edges, not_worth_keeping);
  return edges;
}

}  // namespace slipwave::app
