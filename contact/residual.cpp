#include "contact/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipwave::contact {

Eigen::Vector2d natural_map(const Eigen::Vector2d& p, const Eigen::Vector2d& w, double mu) {
  const Eigen::Vector2d phi{w[0] + mu * std::abs(w[1]), w[1]};
  const Eigen::Vector2d x = p - phi;
  // x in the polar cone, mu |x_T| <= −x_N, projects to 0. Where |w_T| is large it is in both sides:
  // |x_T| − |w_T| is taken first.
  const double excess = std::abs(w[1]) >= std::abs(p[1]) ? -std::copysign(1.0, w[1]) * p[1]
                                                         : std::abs(x[1]) - std::abs(w[1]);
  if (mu * excess <= w[0] - p[0]) return p;
  if (std::abs(x[1]) <= mu * x[0]) return phi;  // x in the cone
  // x projects onto the edge r = (1, s mu): what remains of p − (x·r)r/(r·r) is the part of p
  // across the edge plus the part of Φ along it, where μ|w_T| cancels exactly when s opposes w_T.
  const double s = x[1] > 0.0 ? 1.0 : -1.0;
  const double across = p[1] - s * mu * p[0];
  const double along = w[0] + mu * (std::abs(w[1]) + s * w[1]);
  const double norm2 = 1.0 + mu * mu;
  return {(along - s * mu * across) / norm2, (s * mu * along + across) / norm2};
}

Residual residual(const Problem& problem, const Solution& solution) {
  double raw2 = 0.0, scaled2 = 0.0, p2 = 0.0, b2 = 0.0;
  for (const int a : problem.active) {
    const Eigen::Vector2d p = solution.p.segment<2>(2 * a);
    const Eigen::Vector2d w = solution.w.segment<2>(2 * a);
    const double mu = problem.mu[a];
    const double rho = 2.0 / problem.W.block(a).trace();
    raw2 += natural_map(p, w, mu).squaredNorm();
    scaled2 += natural_map(p, rho * w, mu).squaredNorm();
    p2 += p.squaredNorm();
    b2 += problem.b.segment<2>(2 * a).squaredNorm();
  }
  // In units that make p huge its own round-off would exceed the raw tolerance: not an error of the
  // solve.
  const double round_off = 4.0 * std::numeric_limits<double>::epsilon() * std::sqrt(p2);
  Residual result;
  // In this order of arguments std::max keeps a NaN: it must never look like a solution.
  result.raw = std::max(std::sqrt(raw2) - round_off, 0.0) / (1.0 + std::sqrt(b2));
  if (scaled2 != 0.0) result.scaled = std::sqrt(scaled2 / p2);
  return result;
}

}  // namespace slipwave::contact
