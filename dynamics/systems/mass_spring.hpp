#pragma once

#include "dynamics/system.hpp"

#include <Eigen/Core>

namespace slipwave::dynamics {

/// Klarbring's mass on springs against a rigid obstacle [BLP05, Fig. 1], with dofs (t, n):
///     m U'' + K U = F_0 + ε ξ(t) + R,   K = [K_t W; W K_n],
///     U_n ≤ 0,  R_n ≤ 0,  U_n R_n = 0,  |R_t| ≤ μ |R_n|,   [BLP05, (1), (2)]
/// The obstacle is at n = 0 and above the mass: g = −U_n, and over a step p = h (−R_n, R_t).
///
/// The defaults let the steps keep what the theory says of exact solutions, with θ = 1/2:
/// - Newton's law stops a sticking mass, v_{k+1} = 0. Frémond's on v_{k+θ} gives
///   v_{k+1} = −(1−θ)/θ v_k: at θ = 1/2 a mass that sticks has a velocity for ever.
/// - θ > 1/2 damps, and would make a motion return that only stays near.
/// - A contact found at the end of a step has penetrated. The springs then push as if A were
///   A − det K U_n, another cell of Table 1 where A = 0; `projection` takes it back to U_n = 0.
struct MassSpring {
  double mass = 1.0;
  double K_t = 1.0, W = 0.0, K_n = 1.0;  ///< springs
  double friction = 0.0;                 ///< μ
  double restitution = 0.0;              ///< e; what [BLP05] proves is for 0
  double F_t = 0.0, F_n = 0.0;           ///< F_0
  double epsilon = 0.0;                  ///< ε
  TimeFunction xi_t, xi_n;               ///< ξ(t); empty: 0
  ImpactLaw impact = ImpactLaw::newton;
  Activation activation = Activation::gap_and_velocity;
  bool projection = true;  ///< whether penetration is removed after each step

  Eigen::Matrix2d K() const;
  /// ξ(t).
  Eigen::Vector2d xi(double t) const;
  /// Whether the force changes in time when ε does.
  bool has_forcing() const { return xi_t || xi_n; }
  /// F_0's larger component, or K_t times the unit of length without force.
  double force_scale() const;
  /// force_scale() / K_t.
  double length_scale() const;
  double lowest_frequency() const;   ///< in radians per unit of time
  double highest_frequency() const;  ///< in radians per unit of time
};

/// Throws std::invalid_argument naming the first parameter that is out of range: K must be positive
/// definite, the mass positive, μ at least 0, e in [0, 1], and all of them finite.
void require_valid(const MassSpring& model);

/// The model as a system of one node with one contact. Throws what require_valid() throws.
System make_system(const MassSpring& model);

/// A position with the reaction that acts there.
struct Balance {
  Eigen::Vector2d U, R;  ///< components (t, n)
};

}  // namespace slipwave::dynamics
