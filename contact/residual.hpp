#pragma once

#include "contact/problem.hpp"

#include <cmath>

namespace slipwave::contact {

/// The natural-map residual, twice: as the papers use it, and free of units.
struct Residual {
  double raw = 0.0;  ///< ‖p − proj_K(p − Φ(w))‖ / (1 + ‖b‖), less what round-off in p can cause
  double scaled = 0.0;  ///< ‖p − proj_K(p − ρΦ(w))‖ / ‖p‖ with ρ = 2/(W_NN + W_TT) per contact

  /// The larger of the two; not a number where one of them is not.
  double worst() const { return raw > scaled || std::isnan(raw) ? raw : scaled; }
};

/// p − proj_K(p − Φ) for one contact with Φ = (w_N + μ|w_T|, w_T), evaluated without cancellation.
Eigen::Vector2d natural_map(const Eigen::Vector2d& p, const Eigen::Vector2d& w, double mu);

/// Certifies a solution over the active contacts from its p and w = W p + b.
Residual residual(const Problem& problem, const Solution& solution);

}  // namespace slipwave::contact
