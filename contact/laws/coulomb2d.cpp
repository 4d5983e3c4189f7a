#include "contact/laws/coulomb2d.hpp"

#include <Eigen/LU>
#include <cassert>
#include <cmath>
#include <limits>

namespace slipwave::contact {

namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr Status sliding(double s) {
  return s > 0.0 ? Status::sliding_backward : Status::sliding_forward;
}

/// Impulse on the edge p_T = s mu p_N of the cone with w_N = 0; s opposes the sliding.
Vector2d slide(const Matrix2d& W, const Vector2d& c, double mu, double s) {
  const double p_N = -c[0] / (W(0, 0) + s * mu * W(0, 1));
  return {p_N, s * mu * p_N};
}

bool in_cone(const Vector2d& p, double mu) { return p[0] >= 0.0 && std::abs(p[1]) <= mu * p[0]; }

/// Whether the friction of sliding opposes it. Within round-off: an impulse at the very edge of the
/// cone must not fall between sticking and sliding.
bool slides_against(const Matrix2d& W, const Vector2d& c, const Vector2d& p, double s) {
  const double size = std::abs(c[1]) + std::abs(W(1, 0) * p[0]) + std::abs(W(1, 1) * p[1]);
  const double round_off = 16.0 * std::numeric_limits<double>::epsilon() * size;
  return p[0] >= 0.0 && s * (c[1] + W.row(1).dot(p)) <= round_off;
}

/// Outside the range of uniqueness, or with the tangential motion prescribed: try everything.
/// Where W is positive definite only open and sticking can both be right, and only for c_N >= 0.
LocalSolution solve_by_trial(const Matrix2d& W, const Vector2d& c, double mu, Status previous,
                             bool invertible) {
  LocalSolution best{Vector2d::Zero(), Status::open, mu * std::abs(W(0, 1)) < W(0, 0), false};
  const auto offer = [&](const Vector2d& p, Status status) {
    if (best.solved && status != previous) return;
    best.p = p;
    best.status = status;
    best.solved = true;
  };
  if (c[0] >= 0.0) offer(Vector2d::Zero(), Status::open);
  const Vector2d p_stick = invertible ? Vector2d(-W.inverse() * c) : Vector2d(-c[0] / W(0, 0), 0.0);
  const bool holds = invertible || c[1] + W(1, 0) * p_stick[0] == 0.0;
  if (holds && in_cone(p_stick, mu)) offer(p_stick, Status::sticking);
  if (!invertible && best.solved) return best;  // at rest whatever p_T is: 0 rather than an edge
  for (const double s : {-1.0, 1.0}) {
    if (c[0] >= 0.0 || W(0, 0) + s * mu * W(0, 1) <= 0.0) continue;
    const Vector2d p = slide(W, c, mu, s);
    if (slides_against(W, c, p, s)) offer(p, sliding(s));
  }
  return best;
}

}  // namespace

LocalSolution solve_local(const Matrix2d& W, const Vector2d& c, double mu, Status previous) {
  assert(mu >= 0.0);
  const bool unique = mu * std::abs(W(0, 1)) < W(0, 0);
  if (unique && c[0] >= 0.0) return {Vector2d::Zero(), Status::open, true, true};
  const double determinant = W(0, 0) * W(1, 1) - W(0, 1) * W(1, 0);
  const bool invertible = determinant > 1e-14 * W(0, 0) * W(1, 1);
  if (!unique || !invertible) return solve_by_trial(W, c, mu, previous, invertible);

  const Vector2d p_stick{-(W(1, 1) * c[0] - W(0, 1) * c[1]) / determinant,
                         -(W(0, 0) * c[1] - W(1, 0) * c[0]) / determinant};
  if (in_cone(p_stick, mu)) return {p_stick, Status::sticking, true, true};
  const double s = p_stick[1] + mu * p_stick[0] < 0.0 ? -1.0 : 1.0;
  return {slide(W, c, mu, s), sliding(s), true, true};
}

}  // namespace slipwave::contact
