#include "contact/laws/local_solutions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace slipwave::contact {

namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

using Candidate = std::optional<LocalBranch>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double round_off = 16.0 * std::numeric_limits<double>::epsilon();
constexpr double zero = 1e-14;  // relative to the terms of a sum: as singular as in coulomb2d.cpp
constexpr double same = 1e-10;

Candidate open(const Vector2d& c) {
  if (c[0] < 0.0) return {};
  return LocalBranch{};
}

/// p = −W⁻¹c by Cramer's rule, inside the cone up to its own round-off: what is at the very edge
/// must not fall between sticking and sliding.
Candidate stick_at_point(const Matrix2d& W, const Vector2d& c, double mu, double determinant,
                         double size) {
  const Vector2d p{(W(0, 1) * c[1] - W(1, 1) * c[0]) / determinant,
                   (W(1, 0) * c[0] - W(0, 0) * c[1]) / determinant};
  const Vector2d terms{std::abs(W(0, 1) * c[1]) + std::abs(W(1, 1) * c[0]),
                       std::abs(W(1, 0) * c[0]) + std::abs(W(0, 0) * c[1])};
  const Vector2d error = round_off / std::abs(determinant) * (terms + size * p.cwiseAbs());
  if (p[0] < -error[0] || std::abs(p[1]) > mu * p[0] + mu * error[0] + error[1]) return {};
  return LocalBranch{p, Vector2d::Zero(), 0.0, Status::sticking, false};
}

/// The part of p + τ k that is inside the cone.
Candidate clip_to_cone(const Vector2d& p, const Vector2d& k, double mu) {
  double lower = -infinity, upper = infinity;
  for (const Vector2d& side : {Vector2d(mu, -1.0), Vector2d(mu, 1.0), Vector2d(1.0, 0.0)}) {
    const double slope = side.dot(k), value = side.dot(p);
    const Vector2d size = side.cwiseAbs();
    if (std::abs(slope) <= zero * size.dot(k.cwiseAbs())) {
      if (value < -zero * size.dot(p.cwiseAbs())) return {};
      continue;
    }
    if (slope > 0.0) lower = std::max(lower, -value / slope);
    if (slope < 0.0) upper = std::min(upper, -value / slope);
  }
  if (lower > upper + zero * (p.norm() + std::abs(lower) + std::abs(upper))) return {};
  // The cone holds no whole line: one end is finite.
  if (lower == -infinity) return LocalBranch{p + upper * k, -k, infinity, Status::sticking, false};
  const double extent = std::max(0.0, upper - lower);
  return LocalBranch{p + lower * k, k, extent, Status::sticking, false};
}

/// The solutions of W p = −c inside the cone where the rows of W are multiples of one, r.
Candidate stick_on_line(const Matrix2d& W, const Vector2d& c, double mu) {
  if (W.norm() == 0.0) {
    if (c.norm() > 0.0) return {};
    return LocalBranch{Vector2d::Zero(), Vector2d::UnitX(), infinity, Status::sticking, false};
  }
  const int row = W.row(0).norm() >= W.row(1).norm() ? 0 : 1;
  const Vector2d r = W.row(row).transpose().normalized();
  const Vector2d factors = W * r;
  const Vector2d p = -factors.dot(c) / factors.squaredNorm() * r;
  if ((W * p + c).norm() > zero * c.norm()) return {};
  return clip_to_cone(p, {-r[1], r[0]}, mu);
}

Candidate stick(const Matrix2d& W, const Vector2d& c, double mu) {
  const double determinant = W(0, 0) * W(1, 1) - W(0, 1) * W(1, 0);
  const double size = std::abs(W(0, 0) * W(1, 1)) + std::abs(W(0, 1) * W(1, 0));
  if (std::abs(determinant) <= zero * size) return stick_on_line(W, c, mu);
  return stick_at_point(W, c, mu, determinant, size);
}

constexpr Status sliding(double s) {
  return s > 0.0 ? Status::sliding_backward : Status::sliding_forward;
}

/// Where w_N = 0 on the whole edge: the part of it on which friction opposes the sliding,
/// s c_T + slope p_N <= 0.
Candidate slide_on_edge(const Vector2d& c, const Vector2d& edge, double s, double slope) {
  if (std::abs(c[0]) > zero * c.norm()) return {};
  const double at_apex = s * c[1];
  if (at_apex > 0.0 && slope >= 0.0) return {};
  const double start = at_apex > 0.0 ? -at_apex / slope : 0.0;
  const double end = slope > 0.0 ? -at_apex / slope : infinity;
  return LocalBranch{start * edge, edge.normalized(), (end - start) * edge.norm(), sliding(s),
                     false};
}

/// On the edge p_T = s mu p_N of the cone with w_N = 0; s opposes the sliding.
Candidate slide(const Matrix2d& W, const Vector2d& c, double mu, double s) {
  const Vector2d edge(1.0, s * mu);
  const Vector2d size = W.cwiseAbs() * edge.cwiseAbs(), rate = W * edge;
  if (std::abs(rate[0]) <= zero * size[0]) {
    const double slope = std::abs(rate[1]) <= zero * size[1] ? 0.0 : s * rate[1];
    return slide_on_edge(c, edge, s, slope);
  }
  const double p_N = -c[0] / rate[0];
  const double terms = std::abs(c[1]) + size[1] * p_N * (1.0 + size[0] / std::abs(rate[0]));
  if (p_N < 0.0 || s * (c[1] + rate[1] * p_N) > round_off * terms) return {};
  return LocalBranch{p_N * edge, Vector2d::Zero(), 0.0, sliding(s), rate[0] < 0.0};
}

bool contains(const LocalBranch& branch, const Vector2d& p, double scale) {
  const double along = std::clamp(branch.direction.dot(p - branch.p), 0.0, branch.extent);
  return (p - branch.p - along * branch.direction).norm() <= same * (p.norm() + scale);
}

/// Whether both ends of a candidate, or of a ray its beginning and a further point, are listed.
bool is_listed(const LocalSolutions& all, const LocalBranch& candidate, double scale) {
  const double reach = scale > 0.0 ? scale : 1.0;
  const Vector2d far = candidate.p + std::min(candidate.extent, reach) * candidate.direction;
  return std::any_of(all.begin(), all.end(), [&](const LocalBranch& branch) {
    return contains(branch, candidate.p, scale) && contains(branch, far, scale);
  });
}

}  // namespace

Solvability LocalSolutions::solvability() const {
  if (count == 0) return Solvability::none;
  if (branches[0].continuum()) return Solvability::continuum;
  return count == 1 ? Solvability::unique : Solvability::several;
}

LocalSolutions all_local_solutions(const Matrix2d& W, const Vector2d& c, double mu) {
  const std::array<Candidate, 4> candidates{open(c), stick(W, c, mu), slide(W, c, mu, -1.0),
                                            slide(W, c, mu, 1.0)};
  const double scale = W.norm() > 0.0 ? c.norm() / W.norm() : 0.0;
  LocalSolutions all;
  for (const bool continuum : {true, false})
    for (const Candidate& candidate : candidates)
      if (candidate && candidate->continuum() == continuum && !is_listed(all, *candidate, scale))
        all.branches[static_cast<std::size_t>(all.count++)] = *candidate;
  return all;
}

}  // namespace slipwave::contact
