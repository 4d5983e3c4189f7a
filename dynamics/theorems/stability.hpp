#pragma once

#include "dynamics/schemes/schemes.hpp"
#include "dynamics/theorems/equilibria.hpp"

#include <vector>

namespace slipwave::dynamics {

/// How equilibria are disturbed and how long they are watched. Sizes and distances are in units of
/// the reach of each equilibrium.
struct StabilityOptions {
  Scheme scheme = moreau_jean(0.5);
  std::vector<double> sizes = {1e-2, 3e-3, 1e-3};  ///< δ, of the disturbances
  double amplification = 50.0;                     ///< C: a motion within C δ stays near
  double far = 0.5;                                ///< a motion that gets beyond this has left
  double returned = 1e-2;      ///< a motion that ends within this part of δ has returned
  double step = 0.1;           ///< h times the highest frequency, at most
  double step_per_size = 0.2;  ///< the same over δ where a reaction acts: a bounce lasts 2 δ
  double periods = 300.0;      ///< of the lowest frequency, at most
};

/// What motions from around an equilibrium did.
enum class Observation { stays_near, returns, leaves, undecided };

/// The disturbances of one size.
struct SizeReport {
  double size = 0.0;           ///< δ
  double max_distance = 0.0;   ///< over all motions and times, in units of δ
  double last_distance = 0.0;  ///< the largest at the end of a motion, in units of δ
  int motions = 0, left = 0, came_to_rest = 0;
};

/// One equilibrium, or one of a continuum, and what was seen around it.
struct StabilityReport {
  Equilibrium equilibrium;
  Balance balance;  ///< the one that was disturbed
  double reach = 0.0;
  Observation observed = Observation::undecided;
  std::vector<SizeReport> sizes;

  /// Whether it is what was predicted. A Lyapunov stable equilibrium may return.
  bool agrees() const;
};

/// Distance of (U, V) from an equilibrium, as a length:
///     K_t d² = xᵀ K x + m |V|² + 2 r |x_n|,   x = U − U_eq.
/// The last term is the work of the reaction on the way out of contact: what a mass that is lifted
/// by x_n has as kinetic energy when it falls back. Without it a disturbance of size δ would reach
/// √δ and never stay within C δ.
double phase_distance(const MassSpring& model, const Balance& balance, const Eigen::Vector2d& U,
                      const Eigen::Vector2d& V);

/// Integrates the motions from 44 points around every equilibrium, or three of a continuum, for
/// each size: x_t, x_n, V_t and V_n each −δ, 0 or δ times its share of the distance, where the
/// obstacle allows it [BLP05, (3)]. The equilibrium
///     stays near  if every motion stays within C δ, for every δ;
///     returns     if they all end there as well;
///     leaves      if for every δ some motion gets beyond `far`; the rest of that size is not run.
/// A motion ends when it has left, returned, come to rest, or goes on without losing energy. The
/// force is F_0: ε is taken as 0. Throws what require_valid() throws.
std::vector<StabilityReport> observe_stability(const MassSpring& model,
                                               const StabilityOptions& options);

}  // namespace slipwave::dynamics
