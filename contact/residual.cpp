#include "contact/residual.hpp"

#include <cmath>

namespace slipwave::contact {

namespace {

/// |p_T − w_T| − |w_T| without cancellation.
double excess_3d(const Eigen::Vector2d& p_T, const Eigen::Vector2d& w_T) {
  const double sum = (p_T - w_T).norm() + w_T.norm();
  return sum > 0.0 ? p_T.dot(p_T - 2.0 * w_T) / sum : 0.0;
}

/// |w_T| + t·w_T without cancellation where t, a unit vector, opposes w_T.
double unopposed(const Eigen::Vector2d& w_T, const Eigen::Vector2d& t) {
  const double norm = w_T.norm(), along = t.dot(w_T);
  if (along >= 0.0) return norm + along;
  const double across = t[0] * w_T[1] - t[1] * w_T[0];
  return across * across / (norm - along);
}

}  // namespace

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

Eigen::Vector3d natural_map_3d(const Eigen::Vector3d& p, const Eigen::Vector3d& w, double mu) {
  const Eigen::Vector2d p_T = p.tail<2>(), w_T = w.tail<2>(), x_T = p_T - w_T;
  const Eigen::Vector3d phi{w[0] + mu * w_T.norm(), w[1], w[2]};
  if (mu * excess_3d(p_T, w_T) <= w[0] - p[0]) return p;
  if (x_T.norm() <= mu * (p[0] - phi[0])) return phi;
  // As in 2D, on the edge r = (1, mu t); the part of p_T across t remains whole.
  const Eigen::Vector2d t = x_T / x_T.norm();
  const double p_t = t.dot(p_T), norm2 = 1.0 + mu * mu;
  const double across = p_t - mu * p[0];
  const double along = w[0] + mu * unopposed(w_T, t);
  const Eigen::Vector2d tangential = ((mu * along + across) / norm2) * t + (p_T - p_t * t);
  return {(along - mu * across) / norm2, tangential[0], tangential[1]};
}

template Residual residual(const Problem&, const Solution&);
template Residual certify(const Problem&, double, Solution&);
template Residual certify_multiplied(const Problem&, double, Solution&);
template Residual residual(const SparseProblem&, const Solution&);
template Residual certify(const SparseProblem&, double, Solution&);
template Residual residual(const BodyProblem&, const Solution&);
template Residual certify(const BodyProblem&, double, Solution&);

}  // namespace slipwave::contact
