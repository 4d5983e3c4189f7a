#include "dynamics/theorems/equilibria.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipwave::dynamics {

namespace {

constexpr double zero_tolerance = 1e-12;
constexpr double infinity = std::numeric_limits<double>::infinity();

int sign_beyond(double value, double size) {
  if (std::abs(value) <= zero_tolerance * size) return 0;
  return value > 0.0 ? 1 : -1;
}

/// The side to which slip lowers r, the paper's positive one: with W > 0 it is +1.
double side_of(const MassSpring& model) { return model.W < 0.0 ? -1.0 : 1.0; }

Interval ordered(double a, double b) { return {std::min(a, b), std::max(a, b)}; }

Equilibrium at(EquilibriumKind kind, const Balance& b) {
  return {kind,
          {b.U[0], b.U[0]},
          {b.U[1], b.U[1]},
          {b.R[0], b.R[0]},
          {b.R[1], b.R[1]},
          Stability::lyapunov_stable,
          0};
}

EquilibriumKind slip_kind(double s) {
  return s > 0.0 ? EquilibriumKind::impending_positive_slip
                 : EquilibriumKind::impending_negative_slip;
}

/// Impending slip to the side s at r.
Equilibrium impending(const MassSpring& model, double s, double r) {
  const double R_t = -s * model.friction * r;
  return at(slip_kind(s), {{(model.F_t + R_t) / model.K_t, 0.0}, {R_t, -r}});
}

/// What lies between two equilibria in contact.
Equilibrium between(EquilibriumKind kind, const Equilibrium& a, const Equilibrium& b) {
  Equilibrium result = a;
  result.kind = kind;
  result.U_t = ordered(a.U_t.lower, b.U_t.lower);
  result.R_t = ordered(a.R_t.lower, b.R_t.lower);
  result.R_n = ordered(a.R_n.lower, b.R_n.lower);
  return result;
}

/// From an equilibrium in contact on to r = infinity along (8).
Equilibrium beyond(EquilibriumKind kind, const MassSpring& model, const Equilibrium& end) {
  const double far = -side_of(model) * infinity;
  Equilibrium result = end;
  result.kind = kind;
  result.U_t = ordered(end.U_t.lower, far);
  result.R_t = ordered(end.R_t.lower, far);
  result.R_n = {-infinity, end.R_n.lower};
  return result;
}

Equilibrium free_equilibrium(const MassSpring& model, double A) {
  const double determinant = model.K_t * model.K_n - model.W * model.W;
  const double U_t = (model.K_n * model.F_t - model.W * model.F_n) / determinant;
  return at(EquilibriumKind::without_contact, {{U_t, A / determinant}, {0.0, 0.0}});
}

Equilibrium predicted(Equilibrium equilibrium, Stability stability, int statement) {
  equilibrium.stability = stability;
  equilibrium.statement = statement;
  return equilibrium;
}

/// The first column of Table 1.
std::vector<Equilibrium> negative_A(const MassSpring& model, const EquilibriumSet& set) {
  const Equilibrium free = free_equilibrium(model, set.A);  // statement 0
  if (set.sign_of_friction <= 0) return {free};
  const double s = side_of(model);
  const Equilibrium end =
      impending(model, s, set.A / (model.K_t - model.friction * std::abs(model.W)));
  return {free, predicted(end, Stability::unstable, 1),
          predicted(beyond(EquilibriumKind::strictly_stuck, model, end), Stability::lyapunov_stable,
                    3)};
}

/// The second column. Without coupling nothing damps the tangential motion once the mass grazes:
/// statement 4 needs W.
std::vector<Equilibrium> zero_A(const MassSpring& model, const EquilibriumSet& set) {
  const Equilibrium vertex =
      at(EquilibriumKind::grazing, {{model.F_t / model.K_t, 0.0}, {0.0, 0.0}});
  if (model.W == 0.0) return {vertex};
  if (set.sign_of_friction < 0) return {predicted(vertex, Stability::asymptotically_stable, 4)};
  if (set.sign_of_friction > 0)
    return {predicted(vertex, Stability::lyapunov_stable, 3),
            predicted(beyond(EquilibriumKind::strictly_stuck, model, vertex),
                      Stability::lyapunov_stable, 3)};
  return {predicted(vertex, Stability::lyapunov_stable, 2),
          predicted(beyond(slip_kind(side_of(model)), model, vertex), Stability::unstable, 2)};
}

/// The third column.
std::vector<Equilibrium> positive_A(const MassSpring& model, const EquilibriumSet& set) {
  const double s = side_of(model), mu_W = model.friction * std::abs(model.W);
  const Equilibrium against = impending(model, -s, set.A / (model.K_t + mu_W));
  if (model.friction == 0.0) {
    Equilibrium frictionless = against;  // statement 0
    frictionless.kind = EquilibriumKind::frictionless;
    return {frictionless};
  }
  const auto stuck = EquilibriumKind::strictly_stuck;
  std::vector<Equilibrium> members = {against};
  if (set.sign_of_friction < 0) {
    const Equilibrium along = impending(model, s, set.A / (model.K_t - mu_W));
    members.push_back(along);
    members.push_back(between(stuck, against, along));
  } else {
    members.push_back(beyond(stuck, model, against));
  }
  for (Equilibrium& member : members) member.statement = 3;
  return members;
}

/// Distance of x to the ends of an interval that are finite.
double distance_to_ends(const Interval& interval, double x) {
  return std::min(x - interval.lower, interval.upper - x);
}

}  // namespace

EquilibriumSet equilibria(const MassSpring& model) {
  require_valid(model);
  EquilibriumSet set;
  const double pressing = model.K_t * model.F_n, coupled = model.W * model.F_t;
  set.sign_of_A = sign_beyond(pressing - coupled, std::abs(pressing) + std::abs(coupled));
  set.A = set.sign_of_A == 0 ? 0.0 : pressing - coupled;
  set.sign_of_friction = sign_beyond(model.friction * std::abs(model.W) - model.K_t, model.K_t);
  set.mirrored = model.W < 0.0;
  set.members = set.sign_of_A < 0   ? negative_A(model, set)
                : set.sign_of_A > 0 ? positive_A(model, set)
                                    : zero_A(model, set);
  return set;
}

Balance balance_in_contact(const MassSpring& model, double U_t) {
  return {{U_t, 0.0}, {model.K_t * U_t - model.F_t, model.W * U_t - model.F_n}};
}

std::vector<Balance> sample(const MassSpring& model, const Equilibrium& equilibrium) {
  const auto& [lower, upper] = equilibrium.U_t;
  if (!equilibrium.is_continuum())
    return {{{lower, equilibrium.U_n.lower}, {equilibrium.R_t.lower, equilibrium.R_n.lower}}};
  std::vector<Balance> result;
  if (std::isfinite(lower) && std::isfinite(upper)) {
    for (const double fraction : {0.1, 0.5, 0.9})
      result.push_back(balance_in_contact(model, lower + fraction * (upper - lower)));
    return result;
  }
  const double end = -equilibrium.R_n.upper, unit = end > 0.0 ? end : model.force_scale();
  for (const double times : {0.1, 1.0, 10.0})
    result.push_back(balance_in_contact(model, (model.F_n - end - times * unit) / model.W));
  return result;
}

double reach(const MassSpring& model, const Equilibrium& equilibrium, const Balance& balance) {
  if (equilibrium.kind == EquilibriumKind::without_contact) return -balance.U[1];
  if (equilibrium.kind == EquilibriumKind::grazing) return model.length_scale();
  const double lift = -balance.R[1] / std::max(model.K_t, std::abs(model.W));
  if (!equilibrium.is_continuum()) return lift;
  return std::min(lift, distance_to_ends(equilibrium.U_t, balance.U[0]));
}

}  // namespace slipwave::dynamics
