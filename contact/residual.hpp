#pragma once

#include "contact/problem.hpp"
#include "parallel/clones.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace slipwave::contact {

/// The natural-map residual, twice: as the papers use it, and free of units.
struct Residual {
  double raw = 0.0;  ///< ‖p − proj_K(p − Φ(w))‖ / (1 + ‖b‖), less what round-off in p can cause
  double scaled = 0.0;  ///< ‖p − proj_K(p − ρΦ(w))‖ / ‖p‖ with ρ = d / trace W_aa per contact

  /// The larger of the two; not a number where one of them is not.
  double worst() const { return raw > scaled || std::isnan(raw) ? raw : scaled; }
};

/// The nearest point of the cone |p_T| <= mu p_N.
template <int d>
Eigen::Matrix<double, d, 1> project_on_cone(const Eigen::Matrix<double, d, 1>& x, double mu) {
  const double norm_T = x.template tail<d - 1>().norm();
  if (norm_T <= mu * x[0]) return x;
  if (mu * norm_T <= -x[0]) return Eigen::Matrix<double, d, 1>::Zero();
  Eigen::Matrix<double, d, 1> edge;
  edge << 1.0, (mu / norm_T) * x.template tail<d - 1>();
  return (x[0] + mu * norm_T) / (1.0 + mu * mu) * edge;
}

/// p − proj_K(p − Φ) for one contact with Φ = (w_N + μ|w_T|, w_T), evaluated without cancellation.
Eigen::Vector2d natural_map(const Eigen::Vector2d& p, const Eigen::Vector2d& w, double mu);
/// The same in 3D.
Eigen::Vector3d natural_map_3d(const Eigen::Vector3d& p, const Eigen::Vector3d& w, double mu);

/// Either of them.
template <int d>
Eigen::Matrix<double, d, 1> natural_map_of(const Eigen::Matrix<double, d, 1>& p,
                                           const Eigen::Matrix<double, d, 1>& w, double mu) {
  if constexpr (d == 2) return natural_map(p, w, mu);
  if constexpr (d == 3) return natural_map_3d(p, w, mu);
}

/// Certifies a solution over the active contacts from its p and w = W p + b. This and the others
/// are compiled once for the operators below.
template <Delassus W>
Residual residual(const ProblemOn<W>& problem, const Solution& solution);

/// Sets solution.w = W p + b on the active contacts and certifies p over all entries of W. The
/// blocks of off_diagonal_times() are multiplied. The far ones move w by at most ‖W_far‖ ‖p‖ and
/// the natural map, which is Lipschitz, by (1 + μ) times that, which is added; where only that
/// addition exceeds the tolerance, the far blocks are multiplied too.
template <Delassus W>
Residual certify(const ProblemOn<W>& problem, double tolerance, Solution& solution);

/// The same where solution.w already holds W p + b without the far blocks.
template <Delassus W>
Residual certify_multiplied(const ProblemOn<W>& problem, double tolerance, Solution& solution);

/// The active contact whose impulse is farthest from its law, in the scaled natural map; there must
/// be one.
template <Delassus W>
int worst_contact(const ProblemOn<W>& problem, const Solution& solution);

extern template Residual residual(const Problem&, const Solution&);
extern template Residual certify(const Problem&, double, Solution&);
extern template Residual certify_multiplied(const Problem&, double, Solution&);
extern template Residual residual(const SparseProblem&, const Solution&);
extern template Residual certify(const SparseProblem&, double, Solution&);
extern template Residual residual(const BodyProblem&, const Solution&);
extern template Residual certify(const BodyProblem&, double, Solution&);

namespace certificate {

/// Sums over the active contacts, with p, w and b multiplied by s and the squares by s².
struct Sums {
  double raw2 = 0.0, scaled2 = 0.0, p2 = 0.0, b2 = 0.0;
};

/// The sums of a solution.
template <int d, Delassus W>
SLIPWAVE_CLONES Sums sums_of(const ProblemOn<W>& problem, const Solution& solution, double s) {
  Sums sums;
  for (const int a : problem.active) {
    const Eigen::Matrix<double, d, 1> p = s * solution.p.segment<d>(d * a);
    const Eigen::Matrix<double, d, 1> w = s * solution.w.segment<d>(d * a);
    const double mu = problem.mu[a];
    sums.raw2 += natural_map_of<d>(p, w, mu).squaredNorm();
    sums.scaled2 += natural_map_of<d>(p, problem.W.rho(a) * w, mu).squaredNorm();
    sums.p2 += p.squaredNorm();
    sums.b2 += (s * problem.b.template segment<d>(d * a)).squaredNorm();
  }
  return sums;
}

/// The raw residual from sums of multiples by s.
inline double raw_from(const Sums& sums, double s) {
  // In units that make p huge its own round-off would exceed the raw tolerance: not an error of the
  // solve.
  const double round_off = 4.0 * std::numeric_limits<double>::epsilon() * std::sqrt(sums.p2);
  // In this order of arguments std::max keeps a NaN: it must never look like a solution.
  return std::max(std::sqrt(sums.raw2) - round_off, 0.0) / (s + std::sqrt(sums.b2));
}

/// The scaled residual, whatever the multiple.
inline double scaled_from(const Sums& sums) {
  return sums.scaled2 != 0.0 ? std::sqrt(sums.scaled2 / sums.p2) : 0.0;
}

/// Whether squares are far from what a double cannot hold; sums of zero may have been smaller.
inline bool are_safe(const Sums& sums) {
  constexpr double least = 1e-240, most = 1e240;
  return sums.p2 >= least && sums.p2 <= most && sums.b2 <= most && sums.raw2 <= most &&
         sums.scaled2 <= most;
}

/// The power of two that brings x to between 1 and 2, where there is one.
inline double scale_for(double x) {
  return x > 0.0 && std::isfinite(x) ? std::ldexp(1.0, std::clamp(-std::ilogb(x), -1023, 1023))
                                     : 1.0;
}

/// Natural map and norms are homogeneous: where the squares of numbers as they are would leave the
/// range of a double, multiples of them are taken. A power of two changes no digit.
template <int d, Delassus W>
Residual residual_of(const ProblemOn<W>& problem, const Solution& solution) {
  const Sums sums = sums_of<d>(problem, solution, 1.0);
  if (are_safe(sums)) return {raw_from(sums, 1.0), scaled_from(sums)};
  double raw_size = 0.0, scaled_size = 0.0;
  for (const int a : problem.active) {
    const double p = solution.p.segment<d>(d * a).template lpNorm<Eigen::Infinity>();
    const double w = solution.w.segment<d>(d * a).template lpNorm<Eigen::Infinity>();
    const double b = problem.b.template segment<d>(d * a).template lpNorm<Eigen::Infinity>();
    raw_size = std::max({raw_size, p, w, b});
    scaled_size = std::max({scaled_size, p, problem.W.rho(a) * w});
  }
  const double s = scale_for(raw_size);
  return {raw_from(sums_of<d>(problem, solution, s), s),
          scaled_from(sums_of<d>(problem, solution, scale_for(scaled_size)))};
}

/// x = Y p.
template <int d, MovingDelassus W>
SLIPWAVE_CLONES void move(const ProblemOn<W>& problem, Solution& solution) {
  solution.x.setZero(problem.W.motion_size());
  for (const int a : problem.active)
    problem.W.template add_motion<d>(a, solution.p.segment<d>(d * a), solution.x.data());
}

/// w = W p + b without the far blocks.
template <int d, RowDelassus W>
SLIPWAVE_CLONES void multiply_near(const ProblemOn<W>& problem, Solution& solution) {
  for (const int a : problem.active)
    solution.w.segment<d>(d * a) =
        problem.b.template segment<d>(d * a) +
        problem.W.template diagonal<d>(a) * solution.p.segment<d>(d * a) +
        problem.W.template off_diagonal_times<d>(a, solution.p.data());
}

/// The same, by way of x.
template <int d, MovingDelassus W>
SLIPWAVE_CLONES void multiply_near(const ProblemOn<W>& problem, Solution& solution) {
  move<d>(problem, solution);
  for (const int a : problem.active)
    solution.w.segment<d>(d * a) =
        problem.b.template segment<d>(d * a) + problem.W.template at<d>(a, solution.x.data());
}

/// w = W p + b.
template <int d, RowDelassus W>
void multiply_all(const ProblemOn<W>& problem, Solution& solution) {
  for (const int a : problem.active)
    solution.w.segment<d>(d * a) = problem.b.template segment<d>(d * a) +
                                   problem.W.template all_times<d>(a, solution.p.data());
}

/// The same, by way of x.
template <int d, MovingDelassus W>
void multiply_all(const ProblemOn<W>& problem, Solution& solution) {
  multiply_near<d>(problem, solution);
}

/// What the far blocks can add to either residual.
template <Delassus W>
Residual far_bound(const ProblemOn<W>& problem, const Solution& solution) {
  if (problem.W.far_norm() == 0.0) return {};
  const double lipschitz = (1.0 + problem.mu.maxCoeff()) * problem.W.far_norm();
  return {lipschitz * solution.p.norm(), lipschitz * problem.W.max_rho()};
}

/// How far a contact's impulse is from its law.
template <int d, Delassus W>
double distance(const ProblemOn<W>& problem, const Solution& solution, int a) {
  return natural_map_of<d>(solution.p.segment<d>(d * a),
                           problem.W.rho(a) * solution.w.segment<d>(d * a), problem.mu[a])
      .norm();
}

}  // namespace certificate

/// Declared above.
template <Delassus W>
int worst_contact(const ProblemOn<W>& problem, const Solution& solution) {
  assert(!problem.active.empty());
  int worst = problem.active.front();
  double largest = -1.0;
  for (const int a : problem.active) {
    const double distance = problem.dimension() == 2
                                ? certificate::distance<2>(problem, solution, a)
                                : certificate::distance<3>(problem, solution, a);
    if (distance <= largest) continue;
    largest = distance;
    worst = a;
  }
  return worst;
}

/// Declared above.
template <Delassus W>
Residual residual(const ProblemOn<W>& problem, const Solution& solution) {
  assert(problem.is_consistent() && solution.fits(problem));
  return problem.dimension() == 2 ? certificate::residual_of<2>(problem, solution)
                                  : certificate::residual_of<3>(problem, solution);
}

/// Declared above.
template <Delassus W>
Residual certify(const ProblemOn<W>& problem, double tolerance, Solution& solution) {
  assert(problem.is_consistent() && solution.fits(problem));
  if (problem.dimension() == 2) certificate::multiply_near<2>(problem, solution);
  if (problem.dimension() == 3) certificate::multiply_near<3>(problem, solution);
  return certify_multiplied(problem, tolerance, solution);
}

/// Declared above.
template <Delassus W>
Residual certify_multiplied(const ProblemOn<W>& problem, double tolerance, Solution& solution) {
  const Residual near = residual(problem, solution),
                 far = certificate::far_bound(problem, solution);
  const Residual bound{near.raw + far.raw, near.scaled + far.scaled};
  if (bound.worst() <= tolerance || !(near.worst() <= tolerance)) return bound;
  if (problem.dimension() == 2) certificate::multiply_all<2>(problem, solution);
  if (problem.dimension() == 3) certificate::multiply_all<3>(problem, solution);
  return residual(problem, solution);
}

}  // namespace slipwave::contact
