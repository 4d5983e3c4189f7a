#pragma once

namespace slipwave::dynamics {

/// Moreau's contact dynamics as in [P15]: positions first, q_{k+1} = q_k + h v_k, then velocities,
///     M Δv = h (F_{k+1} − K q_{k+1} − C v_k) + Hᵀp,
/// with the contacts that are closed at q_{k+1}. Only M is factorised. Stable for h ω_max ≤ 2.
struct ExplicitScheme {};

}  // namespace slipwave::dynamics
