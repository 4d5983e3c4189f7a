#pragma once

#include "dynamics/schemes/schemes.hpp"
#include "dynamics/theorems/equilibria.hpp"

#include <vector>

namespace slipwave::dynamics {

/// Klarbring's mass under F(t) = F_0 + ε ξ(t), [BLP05, section 4.3]. A space-equilibrium is a
/// motion with constant U. In contact it is one U_t whose reaction of (7), shifted by −ε ξ(t), is
/// in the cone at all times:
///     |K_t U_t − F_t − ε ξ_t(t)| ≤ μ (F_n + ε ξ_n(t) − W U_t).
/// Steps see ξ as the scheme's F_{k+θ} does. Thresholds are taken over these values, so that what
/// the steps do can be compared to round-off, and are those over all t up to O(h²).
///
/// Motions do what Theorem 1 says. Of Theorem 2, "leads in finite time to a space-equilibrium", the
/// steps show at any h:
/// - A > 0 and μ ≤ K_t/|W|: motions settle up to ε_max, but not all in finite time. Where U_t is
///   outside the space-equilibria by a small x, a peak of a smooth ξ pushes with a force of order x
///   for a time of order √x. The mass slips by c x² per peak, and x is 1/(c n) after n of them. For
///   W = 0 and ξ_t = sin ωt, c = 9 K_t² / (2 m ε ω²).
/// - μ > K_t/|W|: space-equilibria exist for every ε, at large enough r. Yet motions under a larger
///   ε bounce on without reaching them, and for A < 0 and small ε those from the equilibrium
///   without contact never touch the obstacle.

/// How motions under forcing are integrated and how closely thresholds are searched.
struct ForcingOptions {
  Scheme scheme = moreau_jean(0.5);
  double h = 0.0;               ///< 0: 1/20 over the highest frequency
  double duration = 0.0;        ///< 0: 100 periods of the lowest frequency
  double tolerance = 1e-6;      ///< of searched ε_0, relative
  double tolerance_max = 5e-3;  ///< of searched ε_max, relative: see Arrival
  double floor = 1e-9;          ///< of forces over the force scale: thresholds below count as 0
  double constant = 1e-11;      ///< of lengths over the length scale: U that moves less is constant
};

/// Throws std::invalid_argument for options out of range; fills in the defaults that depend on the
/// model.
ForcingOptions complete(const MassSpring& model, ForcingOptions options);

/// A threshold of ε: from the cone, and from motions. Infinite where any ε will do.
struct Threshold {
  double exact = 0.0, observed = 0.0;
};

/// [BLP05, Theorem 1] at one equilibrium of the problem with ε = 0: up to ε_0 it is a
/// space-equilibrium. Not 0 where the reaction is strictly inside the cone. On its boundary it is
/// 0, unless ξ never pushes out of the cone.
struct PersistenceReport {
  Equilibrium equilibrium;
  Balance balance;
  Threshold epsilon_0;
};

/// How a motion ends: constant U for the last two fifths of the duration; or a path in the last
/// fifth that is less than 8/10 of that in the middle one, where 1/n gives 3/10; or neither.
/// Slightly above ε_max a motion approaches for a long time before it is seen to go on: n periods
/// tell ε from ε_max if they differ by more than about 1/n.
enum class Arrival { rests, approaches, keeps_moving };

/// A motion from an equilibrium.
struct [[nodiscard]] ArrivalReport {
  Arrival arrival = Arrival::keeps_moving;
  double time = 0.0;            ///< when it moved last
  Eigen::Vector2d U{0.0, 0.0};  ///< where it ended
};

/// [BLP05, Theorem 2] from one equilibrium: up to ε_max some space-equilibrium in contact exists,
/// and motions are to reach one.
struct ExistenceReport {
  Equilibrium equilibrium;
  Balance balance;
  Threshold epsilon_max;  ///< observed: up to here motions rest or approach
  double probed = 0.0;  ///< 9/10 of the exact ε_max, or that of one force scale if it is infinite
  ArrivalReport probe;  ///< the motion with this ε
};

/// What both theorems say and what motions do; the second from nongrazing equilibria only, and
/// where space-equilibria exist for some ε > 0.
struct [[nodiscard]] ForcingReport {
  std::vector<PersistenceReport> persistence;
  std::vector<ExistenceReport> existence;
};

/// ε_0 from the cone, over the steps of the options. 0 for an equilibrium without contact. A
/// reaction within 1e-12 of an edge of the cone is taken as on it.
double persistence_threshold(const MassSpring& model, const Balance& balance,
                             const ForcingOptions& options);

/// ε_0 by bisection: whether U stays constant in the motion from the equilibrium.
double observe_persistence(const MassSpring& model, const Balance& balance,
                           const ForcingOptions& options);

/// ε_max from the cone: the largest ε with a U_t whose reaction is in the cone at all times, 0 if
/// there is none even for ε = 0.
double existence_threshold(const MassSpring& model, const ForcingOptions& options);

/// By how much the reaction at U_t leaves the cone at worst, |R_t| − μ r, under the model's own ε:
/// not positive for a space-equilibrium.
double cone_excess(const MassSpring& model, double U_t, const ForcingOptions& options);

/// The motion from an equilibrium of F_0 under the model's own ε.
ArrivalReport observe_arrival(const MassSpring& model, const Balance& balance,
                              const ForcingOptions& options);

/// ε_max by bisection: whether the motion from the equilibrium rests or approaches.
double observe_existence(const MassSpring& model, const Balance& balance,
                         const ForcingOptions& options);

/// Both theorems on every equilibrium, or three of a continuum.
ForcingReport observe_forcing(const MassSpring& model, const ForcingOptions& options);

}  // namespace slipwave::dynamics
