#pragma once

#include "fem/assembly.hpp"

namespace slipwave::fem {

/// A step with which the explicit scheme is stable, from below. It is for h² ω² + 2h c ≤ 4 in every
/// mode, c the damping of its velocity, and no mode of the body exceeds the worst of its triangles
/// alone: with K = Σ K_e, M = Σ M_e, C = Σ (α M_e + β K_e),
///     λ = max over K_e x = λ_e M_e x,   h² λ + 2h (α + β λ) = 4.
/// Prescribed dofs only lower ω. O(triangles).
double explicit_step_limit(const Mesh& mesh, const MaterialMap& materials, MassKind mass);

}  // namespace slipwave::fem
