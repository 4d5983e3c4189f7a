#pragma once

namespace slipwave::dynamics {

/// The θ-method family of [AC24, (61) and (72)]. Both schemes solve, for Δv = v_{k+1} − v_k,
///     M̂ Δv = h (F_{k+θ} − K (q_k + hθ v_k) − C v_k) + Hᵀ p,   M̂ = M + hθ C + h²θ² K,
///     q_{k+1} = q_k + h v_{k+θ},
/// and differ only in the velocity u_k + ϑ H Δv that the contact law sees:
///     W = ϑ H M̂⁻¹ Hᵀ,   b = u_k + ϑ H Δv_free + ((ϑ(1+e) − 1) u_{N,k}, 0),
/// with ϑ = 1 for Moreau–Jean and ϑ = θ for Moreau–Jean–Frémond.
struct ThetaScheme {
  double theta = 0.5;
  double law_theta = 0.5;  ///< ϑ
};

/// Moreau–Jean (61): the contact law acts on u_{k+1}.
constexpr ThetaScheme moreau_jean(double theta) { return {theta, 1.0}; }

/// Moreau–Jean–Frémond (72): the contact law acts on u_{k+θ}. Dissipative for ½ ≤ θ ≤ 1/(1+e) (87).
constexpr ThetaScheme moreau_jean_fremond(double theta) { return {theta, theta}; }

}  // namespace slipwave::dynamics
