#include "app/commands/stability.hpp"

#include "app/commands/equilibria.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slipwave::app {

namespace {

using dynamics::Arrival;
using dynamics::Observation;

// Thresholds of ε that agree: ε_0 is searched to 1e-6, ε_max seen only as well as so many periods
// tell.
constexpr double tolerance_0 = 1e-4;
constexpr double tolerance_max = 0.05;
// Of the lowest frequency, for a motion under forcing to show where it ends.
constexpr double usual_periods = 100.0;

const char* name_of_observation(Observation observed) {
  switch (observed) {
    case Observation::stays_near:
      return "stays near";
    case Observation::returns:
      return "returns";
    case Observation::leaves:
      return "leaves";
    case Observation::undecided:
      return "undecided";
  }
  return "";
}

std::string name_of_arrival(const dynamics::ArrivalReport& probe, const std::string& time_unit) {
  if (probe.arrival == Arrival::rests)
    return fmt::format("rests from {:.4g}{}", probe.time, time_unit);
  return probe.arrival == Arrival::approaches ? "approaches rest" : "keeps moving";
}

const char* verdict(bool agrees) { return agrees ? "yes" : "NO"; }

bool agree(const dynamics::Threshold& threshold, double tolerance) {
  if (!std::isfinite(threshold.exact)) return !std::isfinite(threshold.observed);
  return std::abs(threshold.observed - threshold.exact) <= tolerance * threshold.exact;
}

std::string number(double x) { return fmt::format("{:.5g}", x == 0.0 ? 0.0 : x); }

/// Says in which unit the column R_n is, if there is one.
std::string column_unit(const std::string& force_unit) {
  return force_unit.empty() ? "" : "; R_n in" + force_unit;
}

bool print_disturbed(const dynamics::MassSpring& model, const dynamics::Scheme& scheme,
                     const std::string& force_unit) {
  dynamics::StabilityOptions options;
  options.scheme = scheme;
  fmt::print("Disturbed, Proposition 1 of [BLP05]; d/delta: distance over disturbance{}\n",
             column_unit(force_unit));
  fmt::print("{:<24} {:>11}  {:<22}{:<12} {:<11} {:>8} {:>5}\n", "equilibrium", "R_n", "predicted",
             "by", "observed", "d/delta", "agree");
  bool all = true;
  for (const dynamics::StabilityReport& r : dynamics::observe_stability(model, options)) {
    double farthest = 0.0;
    for (const dynamics::SizeReport& size : r.sizes)
      farthest = std::max(farthest, size.max_distance);
    fmt::print("{:<24} {:>11}  {:<22}{:<12} {:<11} {:>8.3g} {:>5}\n", name_of(r.equilibrium.kind),
               number(r.balance.R[1]), name_of(r.equilibrium.stability), reason_of(r.equilibrium),
               name_of_observation(r.observed), farthest, verdict(r.agrees()));
    all = all && r.agrees();
  }
  return all;
}

bool print_persistence(const dynamics::ForcingReport& report, const std::string& force_unit) {
  fmt::print("\nForced, Theorem 1: constant U up to epsilon_0{}\n", column_unit(force_unit));
  fmt::print("{:<24} {:>11} {:>16} {:>16} {:>6}\n", "equilibrium", "R_n", "from the cone",
             "from motions", "agree");
  bool all = true;
  for (const dynamics::PersistenceReport& r : report.persistence) {
    const bool agrees = agree(r.epsilon_0, tolerance_0);
    fmt::print("{:<24} {:>11} {:>16.8g} {:>16.8g} {:>6}\n", name_of(r.equilibrium.kind),
               number(r.balance.R[1]), r.epsilon_0.exact, r.epsilon_0.observed, verdict(agrees));
    all = all && agrees;
  }
  return all;
}

bool print_existence(const dynamics::ForcingReport& report, const std::string& time_unit,
                     const std::string& force_unit) {
  if (report.existence.empty()) return true;
  fmt::print("\nForced, Theorem 2: a constant U exists up to epsilon_max{}\n",
             column_unit(force_unit));
  fmt::print("{:<24} {:>11} {:>13} {:>12} {:>5}  {}\n", "equilibrium", "R_n", "from the cone",
             "from motions", "agree", "motion with epsilon");
  bool all = true;
  for (const dynamics::ExistenceReport& r : report.existence) {
    const bool agrees = agree(r.epsilon_max, tolerance_max);
    fmt::print("{:<24} {:>11} {:>13.5g} {:>12.5g} {:>5}  {:.4g}: {}\n", name_of(r.equilibrium.kind),
               number(r.balance.R[1]), r.epsilon_max.exact, r.epsilon_max.observed, verdict(agrees),
               r.probed, name_of_arrival(r.probe, time_unit));
    all = all && (agrees || !std::isfinite(r.epsilon_max.exact));
  }
  if (!std::isfinite(report.existence.front().epsilon_max.exact))
    fmt::print("For mu > K_t/|W| motions need not find a constant U that exists: not counted.\n");
  return all;
}

}  // namespace

bool print_stability(const dynamics::MassSpring& model, const dynamics::Scheme& scheme,
                     double duration, const std::string& time_unit, const std::string& length_unit,
                     const std::string& force_unit) {
  print_equilibria(model, length_unit, force_unit);
  fmt::print("\n");
  const bool disturbed = print_disturbed(model, scheme, force_unit);
  if (!model.has_forcing()) return disturbed;
  dynamics::ForcingOptions options;
  options.scheme = scheme;
  options.duration =
      std::max(duration, usual_periods * 2.0 * std::numbers::pi / model.lowest_frequency());
  const dynamics::ForcingReport report = dynamics::observe_forcing(model, options);
  const bool persists = print_persistence(report, force_unit);
  return print_existence(report, time_unit, force_unit) && persists && disturbed;
}

ExitCode show_stability(const std::string& case_file, const std::vector<std::string>& set) {
  const Case c = read_case(case_file, set);
  const bool agrees =
      print_stability(mass_spring_of(c, case_file), c.scheme.scheme, c.time_after(c.step_count),
                      c.unit("time"), c.unit("length"), c.unit("force"));
  return agrees ? success : step_failed;
}

}  // namespace slipwave::app
