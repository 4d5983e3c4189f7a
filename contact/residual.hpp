#pragma once

#include "contact/problem.hpp"

#include <cmath>

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

/// Certifies a solution over the active contacts from its p and w = W p + b.
Residual residual(const Problem& problem, const Solution& solution);

/// Sets solution.w = W p + b on the active contacts and certifies p over all entries of W. The near
/// blocks are multiplied. The far ones move w by at most ‖W_far‖ ‖p‖ and the natural map, which is
/// Lipschitz, by (1 + μ) times that, which is added; where only that addition exceeds the
/// tolerance, the far blocks are multiplied too.
Residual certify(const Problem& problem, double tolerance, Solution& solution);

/// The same where solution.w already holds W p + b from the near blocks.
Residual certify_multiplied(const Problem& problem, double tolerance, Solution& solution);

}  // namespace slipwave::contact
