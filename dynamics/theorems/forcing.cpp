#include "dynamics/theorems/forcing.hpp"

#include "dynamics/theorems/mass_spring_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

namespace slipwave::dynamics {

namespace {

using Eigen::Vector2d;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double steps_per_radian = 20.0;
constexpr double periods = 100.0;
constexpr double most_force_scales = 1e6;  // the search for a threshold ends here
constexpr double shrinking = 0.8;          // of paths, see Arrival
constexpr double speed_at_rest = 1e-9;     // of the length scale times the highest frequency

int step_count(const ForcingOptions& options) {
  return static_cast<int>(std::ceil(options.duration / options.h));
}

/// The weight of F(t_{k+1}) in the impulse of a step.
double weight_of_end(const Scheme& scheme) {
  if (const auto* theta = std::get_if<ThetaScheme>(&scheme)) return theta->theta;
  if (const auto* newmark = std::get_if<NewmarkScheme>(&scheme)) return newmark->gamma;
  return 1.0;
}

/// The values of ξ that the steps see; those of the α-schemes but for their filters.
std::vector<Vector2d> seen_by_steps(const MassSpring& model, const ForcingOptions& options) {
  const double theta = weight_of_end(options.scheme);
  std::vector<Vector2d> values(static_cast<std::size_t>(step_count(options)));
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double t = static_cast<double>(k) * options.h;
    values[k] = (1.0 - theta) * model.xi(t) + theta * model.xi(t + options.h);
  }
  return values;
}

/// The unit in which thresholds are searched: ε for which ε ξ is as large as F_0.
double epsilon_scale(const MassSpring& model, const std::vector<Vector2d>& xi) {
  double largest = 0.0;
  for (const Vector2d& value : xi) largest = std::max(largest, value.cwiseAbs().maxCoeff());
  return largest > 0.0 ? model.force_scale() / largest : infinity;
}

/// The least weights · ξ.
double least(const std::vector<Vector2d>& xi, const Vector2d& weights) {
  double result = infinity;
  for (const Vector2d& value : xi) result = std::min(result, weights.dot(value));
  return result;
}

/// Largest ε ≥ 0 with ε slope ≤ room.
double largest_within(double room, double slope) {
  if (slope <= 0.0) return infinity;
  return std::max(room, 0.0) / slope;
}

/// Where `holds` ends, between 0 where it does and infinity, to a relative tolerance.
double bisect(double scale, double floor, double tolerance,
              const std::function<bool(double)>& holds) {
  if (!std::isfinite(scale)) return infinity;
  double below = 0.0, above = scale;
  for (; holds(above); above *= 2.0) {
    if (above > most_force_scales * scale) return infinity;
    below = above;
  }
  while (above - below > tolerance * above) {
    if (above <= floor * scale) return 0.0;
    const double middle = below > 0.0 ? 0.5 * (below + above) : 0.1 * above;
    (holds(middle) ? below : above) = middle;
  }
  return 0.5 * (below + above);
}

MassSpring with_epsilon(MassSpring model, double epsilon) {
  model.epsilon = epsilon;
  return model;
}

bool stays_constant(const MassSpring& model, const Balance& balance,
                    const ForcingOptions& options) {
  Motion motion(model, options.scheme, options.h, balance.U, Vector2d::Zero());
  const double bound = options.constant * model.length_scale();
  for (int k = 0; k < step_count(options); ++k) {
    (void)motion.advance();
    if ((motion.U() - balance.U).norm() > bound) return false;
  }
  return true;
}

/// Where a motion has gone, in fifths of the duration.
class Path {
 public:
  Path(const Vector2d& U, double duration) : U_(U), duration_(duration) {}

  /// Goes to U at time t; returns how far that is.
  double extend(const Vector2d& U, double t) {
    const int fifth = std::clamp(static_cast<int>(5.0 * t / duration_), 0, 4);
    const double length = (U - std::exchange(U_, U)).norm();
    lengths_[static_cast<std::size_t>(fifth)] += length;
    return length;
  }
  double middle() const { return lengths_[2]; }
  double last() const { return lengths_[4]; }

 private:
  Vector2d U_;
  double duration_;
  std::array<double, 5> lengths_{};
};

ExistenceReport examine_existence(const MassSpring& model, const Equilibrium& equilibrium,
                                  const Balance& balance, const ForcingOptions& options) {
  ExistenceReport report{equilibrium, balance, {}, 0.0, {}};
  report.epsilon_max = {existence_threshold(model, options),
                        observe_existence(model, balance, options)};
  report.probed = std::isfinite(report.epsilon_max.exact)
                      ? 0.9 * report.epsilon_max.exact
                      : epsilon_scale(model, seen_by_steps(model, options));
  report.probe = observe_arrival(with_epsilon(model, report.probed), balance, options);
  return report;
}

}  // namespace

ForcingOptions complete(const MassSpring& model, ForcingOptions options) {
  if (options.h == 0.0) options.h = 1.0 / (steps_per_radian * model.highest_frequency());
  if (options.duration == 0.0)
    options.duration = 2.0 * std::numbers::pi * periods / model.lowest_frequency();
  for (const auto& [name, value] : {std::pair{"step", options.h}, {"duration", options.duration}})
    if (!(value > 0.0 && std::isfinite(value)))
      throw std::invalid_argument(fmt::format("{} = {:g}: must be positive", name, value));
  return options;
}

/// Both edges of the cone, ±(R_t − ε ξ_t) ≤ μ (r + ε ξ_n), and r + ε ξ_n ≥ 0 for μ = 0.
double persistence_threshold(const MassSpring& model, const Balance& balance,
                             const ForcingOptions& given) {
  const ForcingOptions options = complete(model, given);
  const double r = -balance.R[1], mu = model.friction, round_off = 1e-12 * balance.R.norm();
  double threshold = infinity;
  for (const Vector2d& xi : seen_by_steps(model, options)) {
    if (balance.U[1] < 0.0 && xi != Vector2d::Zero()) return 0.0;
    for (const double s : {-1.0, 1.0}) {
      const double room = mu * r - s * balance.R[0];
      threshold = std::min(threshold,
                           largest_within(room > round_off ? room : 0.0, -s * xi[0] - mu * xi[1]));
    }
    threshold = std::min(threshold, largest_within(r, -xi[1]));
  }
  return threshold;
}

double observe_persistence(const MassSpring& model, const Balance& balance,
                           const ForcingOptions& given) {
  const ForcingOptions options = complete(model, given);
  const double scale = epsilon_scale(model, seen_by_steps(model, options));
  return bisect(scale, options.floor, options.tolerance, [&](double epsilon) {
    return stays_constant(with_epsilon(model, epsilon), balance, options);
  });
}

/// For s = ±1, (s K_t + μW) U_t ≤ s F_t + μ F_n + ε min over t of (s ξ_t + μ ξ_n). If μ|W| > K_t
/// both bound U_t from the same side. Otherwise their sum, weighted so that U_t drops out, bounds
/// ε.
double existence_threshold(const MassSpring& model, const ForcingOptions& given) {
  const ForcingOptions options = complete(model, given);
  const EquilibriumSet set = equilibria(model);
  const double mu = model.friction;
  const std::vector<Vector2d> xi = seen_by_steps(model, options);
  if (set.sign_of_friction > 0) return infinity;
  if (set.sign_of_A < 0) return 0.0;
  const bool equal = set.sign_of_friction == 0;
  const double plus = equal && model.W > 0.0 ? 0.0 : model.K_t - mu * model.W;
  const double minus = equal && model.W < 0.0 ? 0.0 : model.K_t + mu * model.W;
  const double slope = -(plus * least(xi, {1.0, mu}) + minus * least(xi, {-1.0, mu}));
  const double threshold = largest_within(2.0 * mu * set.A, slope);
  if (mu > 0.0) return threshold;
  // The cone is a half-line that the edges alone do not end: r ≥ 0 at U_t = (F_t + ε ξ_t) / K_t
  return std::min(threshold, largest_within(set.A, -least(xi, {-model.W, model.K_t})));
}

double cone_excess(const MassSpring& model, double U_t, const ForcingOptions& given) {
  const Balance balance = balance_in_contact(model, U_t);
  double excess = -infinity;
  for (const Vector2d& xi : seen_by_steps(model, complete(model, given))) {
    const Vector2d R = balance.R - model.epsilon * xi;
    excess = std::max(excess, std::abs(R[0]) + model.friction * R[1]);
  }
  return excess;
}

ArrivalReport observe_arrival(const MassSpring& model, const Balance& balance,
                              const ForcingOptions& given) {
  const ForcingOptions options = complete(model, given);
  // Not the velocity: with Frémond's law that of a sticking mass may alternate.
  const double slow = speed_at_rest * model.length_scale() * model.highest_frequency() * options.h;
  Motion motion(model, options.scheme, options.h, balance.U, Vector2d::Zero());
  Path path(balance.U, options.duration);
  ArrivalReport report;
  for (int k = 0; k < step_count(options); ++k) {
    (void)motion.advance();
    if (path.extend(motion.U(), motion.time()) > slow) report.time = motion.time();
  }
  if (path.last() <= shrinking * path.middle()) report.arrival = Arrival::approaches;
  if (report.time <= 0.6 * options.duration) report.arrival = Arrival::rests;
  report.U = motion.U();
  return report;
}

double observe_existence(const MassSpring& model, const Balance& balance,
                         const ForcingOptions& given) {
  const ForcingOptions options = complete(model, given);
  const double scale = epsilon_scale(model, seen_by_steps(model, options));
  return bisect(scale, options.floor, options.tolerance_max, [&](double epsilon) {
    const ArrivalReport report = observe_arrival(with_epsilon(model, epsilon), balance, options);
    return report.arrival != Arrival::keeps_moving;
  });
}

ForcingReport observe_forcing(const MassSpring& model, const ForcingOptions& given) {
  const ForcingOptions options = complete(model, given);
  const bool exists = existence_threshold(model, options) > 0.0;
  ForcingReport report;
  for (const Equilibrium& equilibrium : equilibria(model).members)
    for (const Balance& balance : sample(model, equilibrium)) {
      report.persistence.push_back({equilibrium,
                                    balance,
                                    {persistence_threshold(model, balance, options),
                                     observe_persistence(model, balance, options)}});
      if (equilibrium.kind != EquilibriumKind::grazing && exists)
        report.existence.push_back(examine_existence(model, equilibrium, balance, options));
    }
  return report;
}

}  // namespace slipwave::dynamics
