#pragma once

#include "dynamics/systems/mass_spring.hpp"

#include <vector>

namespace slipwave::dynamics {

/// The equilibria of Klarbring's mass under the constant force F_0, [BLP05, section 3]. In contact,
/// with r = −R_n ≥ 0 and A = K_t F_n − W F_t, they are the r of [BLP05, (8)],
///     W R_t = A − K_t r,   |R_t| ≤ μ r,
/// so an impending slip to the side s = ±1, R_t = −s μ r, has (K_t − s μ W) r = A. For W > 0 its
/// solutions make [BLP05, Table 1]. For W < 0 the mirrored t has W > 0: positive and negative slip
/// change places and μ compares with K_t/|W|. For W = 0 it is r = A/K_t with any |R_t| ≤ μ r, the
/// row μ < K_t/W of the table.
///
/// Where the table differs from (8): for A < 0 and μ > K_t/W it prints one equilibrium without
/// contact and one in impending positive slip at r* = |A|/(μW − K_t). All r > r* solve (8) too,
/// strictly stuck: μ r − |R_t| = (μ − K_t/W)(r − r*) > 0. They are listed here. The one at r* is
/// unstable: sliding, m U_t'' = (μW − K_t)(U_t − U_t*) grows away from it, which is statement 1 of
/// Proposition 1. The stuck ones are stable as in statement 3, which does not extend to that end
/// although it says "all": there the growth is towards smaller r, where nothing is stuck.

/// What an equilibrium looks like: the cells of [BLP05, Table 1] are made of these.
enum class EquilibriumKind {
  without_contact,
  grazing,                  ///< U_n = 0 and R = 0
  frictionless,             ///< μ = 0 in contact: both slips impend
  impending_positive_slip,  ///< R_t = −μ r, r > 0: about to move towards positive t
  impending_negative_slip,  ///< R_t = +μ r, r > 0
  strictly_stuck            ///< |R_t| < μ r
};

/// What is proven of an equilibrium.
enum class Stability { lyapunov_stable, asymptotically_stable, unstable };

/// Numbers from `lower` to `upper`; one number if they are equal, unbounded if one is infinite.
struct Interval {
  double lower = 0.0, upper = 0.0;

  bool is_point() const { return lower == upper; }
};

/// One equilibrium or a continuum of them. The intervals of a continuum do not contain their ends,
/// which are equilibria of other kinds or none.
struct Equilibrium {
  EquilibriumKind kind = EquilibriumKind::without_contact;
  Interval U_t, U_n, R_t, R_n;
  Stability stability = Stability::lyapunov_stable;
  /// The statement of [BLP05, Proposition 1] that says so, 1 to 4, or 0: a strict minimum of the
  /// potential energy over U_n ≤ 0, which no motion gains.
  int statement = 0;

  bool is_continuum() const { return !U_t.is_point(); }
};

/// All equilibria, and where they stand in [BLP05, Table 1]. A and μ|W| − K_t count as 0 within
/// 1e-12 of their terms, |K_t F_n| + |W F_t| and K_t; both are then taken as 0.
struct [[nodiscard]] EquilibriumSet {
  double A = 0.0;
  int sign_of_A = 0;
  int sign_of_friction = 0;  ///< of μ − K_t/|W|
  bool mirrored = false;     ///< W < 0: the table holds with t reversed
  std::vector<Equilibrium> members;
};

/// The whole set. Throws what require_valid() throws. The predictions are those for e = 0.
EquilibriumSet equilibria(const MassSpring& model);

/// The equilibrium in contact at U_t, whose R is that of (7).
Balance balance_in_contact(const MassSpring& model, double U_t);

/// The equilibrium itself, or three of a continuum: at 1/10, 1/2 and 9/10 of a bounded one, and at
/// 1/10, 1 and 10 times the r of its end, or the force scale if that is 0, from the end of an
/// unbounded one.
std::vector<Balance> sample(const MassSpring& model, const Equilibrium& equilibrium);

/// How far an equilibrium can be disturbed before another mechanism comes in: to the end of
/// its continuum, to where it would lose contact or find it, or the length scale of the model.
double reach(const MassSpring& model, const Equilibrium& equilibrium, const Balance& balance);

}  // namespace slipwave::dynamics
