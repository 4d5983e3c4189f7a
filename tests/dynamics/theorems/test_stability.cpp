#include "dynamics/theorems/stability.hpp"

#include "dynamics/theorems/mass_spring_motion.hpp"
#include "tests/support/mass_spring_cells.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace slipwave;
using dynamics::MassSpring;
using dynamics::Observation;
using dynamics::StabilityReport;
using Kind = dynamics::EquilibriumKind;
using Eigen::Vector2d;

namespace {

std::vector<StabilityReport> observe(const MassSpring& model) {
  return dynamics::observe_stability(model, {.sizes = {1e-2, 1e-3}});
}

/// All equilibria of a kind do the same.
bool all(const std::vector<StabilityReport>& reports, Kind kind, Observation observed) {
  int count = 0;
  const bool same = std::all_of(reports.begin(), reports.end(), [&](const StabilityReport& r) {
    if (r.equilibrium.kind != kind) return true;
    ++count;
    return r.observed == observed;
  });
  return same && count > 0;
}

bool all_agree(const std::vector<StabilityReport>& reports) {
  return std::all_of(reports.begin(), reports.end(),
                     [](const StabilityReport& r) { return r.agrees(); });
}

/// The end of the stuck ones in impending positive slip, for A < 0 and μ > K_t/W.
dynamics::Balance unstable_end(const MassSpring& model) {
  return dynamics::sample(model, dynamics::equilibria(model).members[1]).front();
}

}  // namespace

TEST_CASE(
    "dynamics/stability: Proposition 1, 1: of two equilibria the one in contact is unstable") {
  for (const int W : {1, -1}) {
    const auto reports = observe(tests::plain_cell(-1, 1, W));
    CHECK(all(reports, Kind::without_contact, Observation::stays_near));
    CHECK(all(reports, W > 0 ? Kind::impending_positive_slip : Kind::impending_negative_slip,
              Observation::leaves));
    CHECK(all(reports, Kind::strictly_stuck, Observation::stays_near));
    CHECK(all_agree(reports));
  }
}

TEST_CASE(
    "dynamics/stability: Proposition 1, 2: an edge of equilibria is unstable but for the vertex") {
  for (const int W : {1, -1}) {
    const auto reports = observe(tests::plain_cell(0, 0, W));
    CHECK(all(reports, Kind::grazing, Observation::stays_near));
    CHECK(all(reports, W > 0 ? Kind::impending_positive_slip : Kind::impending_negative_slip,
              Observation::leaves));
    CHECK(all_agree(reports));
  }
}

TEST_CASE(
    "dynamics/stability: Proposition 1, 3: where infinitely many are stuck all are Lyapunov "
    "stable") {
  for (const auto& [A, friction] : {std::pair{0, 1}, {1, -1}, {1, 0}, {1, 1}}) {
    const auto reports = observe(tests::plain_cell(A, friction));
    CHECK(all(reports, Kind::strictly_stuck, Observation::stays_near));
    for (const StabilityReport& r : reports) CHECK(r.observed == Observation::stays_near);
  }
}

TEST_CASE("dynamics/stability: Proposition 1, 4: a vertex that is alone is asymptotically stable") {
  for (const int W : {1, -1}) {
    const auto reports = observe(tests::plain_cell(0, -1, W));
    REQUIRE(reports.size() == 1);
    CHECK(reports.front().observed == Observation::returns);
    CHECK(reports.front().agrees());
  }
}

TEST_CASE("dynamics/stability: without coupling the lone vertex does not return") {
  std::mt19937 random(3);
  const auto reports = observe(tests::random_cell(random, 0, -1, 0));
  REQUIRE(reports.size() == 1);
  CHECK(reports.front().observed == Observation::stays_near);
  CHECK(reports.front().agrees());
}

TEST_CASE("dynamics/stability: without contact it stays near, and returns only if theta damps") {
  const MassSpring model = tests::plain_cell(-1, -1);
  CHECK(all(observe(model), Kind::without_contact, Observation::stays_near));
  const auto damped =
      dynamics::observe_stability(model, {.scheme = dynamics::moreau_jean(1.0), .sizes = {1e-2}});
  CHECK(all(damped, Kind::without_contact, Observation::returns));
}

TEST_CASE("dynamics/stability: random models of every cell behave as predicted") {
  std::mt19937 random(11);
  for (int A = -1; A <= 1; ++A)
    for (int friction = -1; friction <= 1; ++friction) {
      const MassSpring model = tests::random_cell(random, A, friction, friction % 2 ? 1 : -1);
      CHECK(all_agree(dynamics::observe_stability(model, {.sizes = {3e-3}})));
    }
}

TEST_CASE("dynamics/stability: the distance moved does not depend on the size of the disturbance") {
  for (const StabilityReport& r : observe(tests::plain_cell(1, -1)))
    CHECK(r.sizes[0].max_distance == doctest::Approx(r.sizes[1].max_distance).epsilon(0.02));
}

TEST_CASE("dynamics/stability: the unstable end is left at the rate sqrt((mu W - K_t)/m)") {
  const MassSpring model = tests::plain_cell(-1, 1);
  const double rate = std::sqrt((model.friction * model.W - model.K_t) / model.mass);
  const Vector2d U = unstable_end(model).U;
  const double speed = 1e-6;
  dynamics::Motion motion(model, dynamics::moreau_jean(0.5), 0.01, U, {speed, 0.0});
  while (motion.time() < 8.0) (void)motion.advance();
  const double expected = speed / rate * std::sinh(rate * motion.time());
  CHECK(motion.U()[0] - U[0] == doctest::Approx(expected).epsilon(1e-3));
}

TEST_CASE("dynamics/stability: along an edge of equilibria the mass keeps its speed") {
  const MassSpring model = tests::plain_cell(0, 0);
  const dynamics::EquilibriumSet set = dynamics::equilibria(model);
  const Vector2d U = dynamics::sample(model, set.members[1])[1].U;
  dynamics::Motion motion(model, dynamics::moreau_jean(0.5), 0.05, U, {1e-3, 0.0});
  for (int k = 0; k < 5000; ++k) (void)motion.advance();
  CHECK(motion.V()[0] == doctest::Approx(1e-3).epsilon(1e-8));
  CHECK(motion.U()[0] - U[0] == doctest::Approx(1e-3 * motion.time()).epsilon(1e-8));
}

TEST_CASE("dynamics/stability: phase_distance counts the work of lifting the mass") {
  const MassSpring model = tests::plain_cell(1, -1);
  const dynamics::Balance b = dynamics::balance_in_contact(model, model.F_t / model.K_t);
  const double lift = 1e-4, r = -b.R[1];
  const double speed =
      std::sqrt((2.0 * r * lift + model.K_n * lift * lift) / model.mass);  // when it falls back
  CHECK(dynamics::phase_distance(model, b, b.U + Vector2d(0.0, -lift), {0.0, 0.0}) ==
        doctest::Approx(dynamics::phase_distance(model, b, b.U, {0.0, speed})));
}

TEST_CASE("dynamics/stability: a prediction that is not what was seen does not agree") {
  StabilityReport report;
  report.observed = Observation::stays_near;
  report.equilibrium.stability = dynamics::Stability::asymptotically_stable;
  CHECK_FALSE(report.agrees());
  report.equilibrium.stability = dynamics::Stability::unstable;
  CHECK_FALSE(report.agrees());
  report.equilibrium.stability = dynamics::Stability::lyapunov_stable;
  CHECK(report.agrees());
  report.observed = Observation::leaves;
  CHECK_FALSE(report.agrees());
}
