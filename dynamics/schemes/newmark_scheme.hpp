#pragma once

namespace slipwave::dynamics {

/// The nonsmooth Newmark family of [A14]: with M w = Hᵀp,
///     q_{k+1} = q_k + h v_k + h²(½−β) a_k + h²β a_{k+1} + (h/2) w,
///     v_{k+1} = v_k + h(1−γ) a_k + hγ a_{k+1} + w,
/// and a_{k+1} from the generalized-α equation (27), M ã + K q + C v = F at both ends of the step
/// with
///     (1−α_m) a_{k+1} + α_m a_k = (1−α_f) ã_{k+1} + α_f ã_k,
/// or from KH-α (32), which weights inertia, damping and force with α_m and stiffness with α_f.
struct NewmarkScheme {
  double alpha_m = 0.0, alpha_f = 0.0;
  double gamma = 0.5, beta = 0.25;
  bool kh = false;
  /// The textbook's way, for comparison only: g(q_{k+1}) ≥ 0 ⊥ λ ≥ 0 with a contact force λ in the
  /// equation of motion instead of impulses. Without friction, α_m = α_f = 0.
  bool position_level = false;

  double nu() const { return 0.5 - alpha_m; }
  double eta() const { return alpha_f - alpha_m; }
};

/// The β that damps the highest frequencies most for a given γ.
constexpr double usual_beta(double gamma) { return 0.25 * (gamma + 0.5) * (gamma + 0.5); }

/// Newmark: dissipative if 2β ≥ γ ≥ ½ [A14, (90)].
constexpr NewmarkScheme newmark(double gamma, double beta) { return {0.0, 0.0, gamma, beta}; }

/// Newmark with contact at the position level: creates energy at impacts.
constexpr NewmarkScheme newmark_position(double gamma, double beta) {
  NewmarkScheme scheme = newmark(gamma, beta);
  scheme.position_level = true;
  return scheme;
}

/// Moreau–Jean with q_{k+1} = q_k + h v_{k+1/2}, [A14, (31)]: Newmark with 2β = γ = θ.
constexpr NewmarkScheme moreau_jean_midpoint(double theta) { return newmark(theta, 0.5 * theta); }

/// HHT with γ = ½ + α, of second order.
constexpr NewmarkScheme hht(double alpha) {
  return {0.0, alpha, 0.5 + alpha, usual_beta(0.5 + alpha)};
}

/// Generalized-α with γ = ½ + α_f − α_m, of second order.
constexpr NewmarkScheme generalized_alpha(double alpha_m, double alpha_f) {
  const double gamma = 0.5 + alpha_f - alpha_m;
  return {alpha_m, alpha_f, gamma, usual_beta(gamma)};
}

/// The same by the spectral radius ρ∞ at infinite frequency.
constexpr NewmarkScheme generalized_alpha(double rho) {
  return generalized_alpha((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
}

/// KH-α with the parameters of a generalized-α scheme.
constexpr NewmarkScheme kh_alpha(NewmarkScheme scheme) {
  scheme.kh = true;
  return scheme;
}

}  // namespace slipwave::dynamics
