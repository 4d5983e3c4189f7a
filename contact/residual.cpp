#include "contact/residual.hpp"

#include "parallel/clones.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Sums over the active contacts, with p, w and b multiplied by s and the squares by s².
struct Sums {
  double raw2 = 0.0, scaled2 = 0.0, p2 = 0.0, b2 = 0.0;
};

template <int d>
SLIPWAVE_CLONES Sums sums_of(const Problem& problem, const Solution& solution, double s) {
  Sums sums;
  for (const int a : problem.active) {
    const Eigen::Matrix<double, d, 1> p = s * solution.p.segment<d>(d * a);
    const Eigen::Matrix<double, d, 1> w = s * solution.w.segment<d>(d * a);
    const double mu = problem.mu[a];
    sums.raw2 += natural_map_of<d>(p, w, mu).squaredNorm();
    sums.scaled2 += natural_map_of<d>(p, problem.W.rho(a) * w, mu).squaredNorm();
    sums.p2 += p.squaredNorm();
    sums.b2 += (s * problem.b.segment<d>(d * a)).squaredNorm();
  }
  return sums;
}

double raw_from(const Sums& sums, double s) {
  // In units that make p huge its own round-off would exceed the raw tolerance: not an error of the
  // solve.
  const double round_off = 4.0 * std::numeric_limits<double>::epsilon() * std::sqrt(sums.p2);
  // In this order of arguments std::max keeps a NaN: it must never look like a solution.
  return std::max(std::sqrt(sums.raw2) - round_off, 0.0) / (s + std::sqrt(sums.b2));
}

double scaled_from(const Sums& sums) {
  return sums.scaled2 != 0.0 ? std::sqrt(sums.scaled2 / sums.p2) : 0.0;
}

/// Whether squares are far from what a double cannot hold; sums of zero may have been smaller.
bool are_safe(const Sums& sums) {
  constexpr double least = 1e-240, most = 1e240;
  return sums.p2 >= least && sums.p2 <= most && sums.b2 <= most && sums.raw2 <= most &&
         sums.scaled2 <= most;
}

/// The power of two that brings x to between 1 and 2, where there is one.
double scale_for(double x) {
  return x > 0.0 && std::isfinite(x) ? std::ldexp(1.0, std::clamp(-std::ilogb(x), -1023, 1023))
                                     : 1.0;
}

/// Natural map and norms are homogeneous: where the squares of numbers as they are would leave the
/// range of a double, multiples of them are taken. A power of two changes no digit.
template <int d>
Residual residual_of(const Problem& problem, const Solution& solution) {
  const Sums sums = sums_of<d>(problem, solution, 1.0);
  if (are_safe(sums)) return {raw_from(sums, 1.0), scaled_from(sums)};
  double raw_size = 0.0, scaled_size = 0.0;
  for (const int a : problem.active) {
    const double p = solution.p.segment<d>(d * a).template lpNorm<Eigen::Infinity>();
    const double w = solution.w.segment<d>(d * a).template lpNorm<Eigen::Infinity>();
    const double b = problem.b.segment<d>(d * a).template lpNorm<Eigen::Infinity>();
    raw_size = std::max({raw_size, p, w, b});
    scaled_size = std::max({scaled_size, p, problem.W.rho(a) * w});
  }
  const double s = scale_for(raw_size);
  return {raw_from(sums_of<d>(problem, solution, s), s),
          scaled_from(sums_of<d>(problem, solution, scale_for(scaled_size)))};
}

template <int d>
SLIPWAVE_CLONES void multiply_near(const Problem& problem, Solution& solution) {
  for (const int a : problem.active)
    solution.w.segment<d>(d * a) = problem.b.segment<d>(d * a) +
                                   problem.W.diagonal<d>(a) * solution.p.segment<d>(d * a) +
                                   problem.W.near_times<d>(a, solution.p.data());
}

void multiply_all(const Problem& problem, Solution& solution) {
  const int d = problem.dimension();
  for (const int a : problem.active)
    for (int i = d * a; i < d * (a + 1); ++i)
      solution.w[i] = problem.b[i] + problem.W.row(i).dot(solution.p);
}

/// What the far blocks can add to either residual.
Residual far_bound(const Problem& problem, const Solution& solution) {
  if (problem.W.far_norm() == 0.0) return {};
  const double lipschitz = (1.0 + problem.mu.maxCoeff()) * problem.W.far_norm();
  return {lipschitz * solution.p.norm(), lipschitz * problem.W.max_rho()};
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

Residual residual(const Problem& problem, const Solution& solution) {
  return problem.dimension() == 2 ? residual_of<2>(problem, solution)
                                  : residual_of<3>(problem, solution);
}

Residual certify(const Problem& problem, double tolerance, Solution& solution) {
  if (problem.dimension() == 2) multiply_near<2>(problem, solution);
  if (problem.dimension() == 3) multiply_near<3>(problem, solution);
  return certify_multiplied(problem, tolerance, solution);
}

Residual certify_multiplied(const Problem& problem, double tolerance, Solution& solution) {
  const Residual near = residual(problem, solution), far = far_bound(problem, solution);
  const Residual bound{near.raw + far.raw, near.scaled + far.scaled};
  if (bound.worst() <= tolerance || !(near.worst() <= tolerance)) return bound;
  multiply_all(problem, solution);
  return residual(problem, solution);
}

}  // namespace slipwave::contact
