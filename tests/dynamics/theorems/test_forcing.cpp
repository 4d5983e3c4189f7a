#include "dynamics/theorems/forcing.hpp"

#include "dynamics/theorems/mass_spring_motion.hpp"
#include "tests/support/mass_spring_cells.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace slipwave;
using dynamics::Arrival;
using dynamics::Balance;
using dynamics::ForcingOptions;
using dynamics::MassSpring;
using Kind = dynamics::EquilibriumKind;

namespace {

constexpr double omega = 0.7;
constexpr double period = 2.0 * std::numbers::pi / omega;

MassSpring forced(MassSpring model) {
  model.xi_t = [](double t) { return std::sin(omega * t); };
  model.xi_n = [](double t) { return 0.5 * std::cos(omega * t + 0.3); };
  return model;
}

ForcingOptions lasting(double periods) { return {.duration = periods * period}; }

/// Pressed by F_n with nothing but friction along t.
MassSpring uncoupled() {
  MassSpring model;
  model.K_t = 2.0;
  model.K_n = 3.0;
  model.friction = 0.5;
  model.F_n = 1.0;
  model.xi_t = [](double t) { return std::sin(omega * t); };
  return model;
}

/// Whether some U_t is a space-equilibrium under the model's ε, by trying them.
bool some_space_equilibrium(const MassSpring& model, const ForcingOptions& options) {
  for (double U_t = -6.0; U_t <= 6.0; U_t += 1e-3)
    if (dynamics::cone_excess(model, U_t, options) <= 0.0) return true;
  return false;
}

}  // namespace

TEST_CASE("dynamics/forcing: Theorem 1: strictly inside the cone, U is constant up to epsilon_0") {
  std::mt19937 random(8);
  for (int friction = -1; friction <= 1; ++friction)
    for (const int W : {1, -1}) {
      const MassSpring model = forced(tests::random_cell(random, 1, friction, W));
      for (const Balance& b : dynamics::sample(model, dynamics::equilibria(model).members.back())) {
        const double exact = dynamics::persistence_threshold(model, b, lasting(2.0));
        CHECK(exact > 0.0);
        CHECK(dynamics::observe_persistence(model, b, lasting(2.0)) ==
              doctest::Approx(exact).epsilon(2e-6));
      }
    }
}

TEST_CASE("dynamics/forcing: Theorem 1: on the boundary of the cone any epsilon moves the mass") {
  for (const auto& [A, friction] :
       {std::pair{-1, -1}, {-1, 1}, {0, -1}, {0, 0}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}) {
    const MassSpring model = forced(tests::plain_cell(A, friction));
    for (const dynamics::Equilibrium& e : dynamics::equilibria(model).members) {
      if (e.kind == Kind::strictly_stuck) continue;
      for (const Balance& b : dynamics::sample(model, e)) {
        CHECK(dynamics::persistence_threshold(model, b, lasting(2.0)) == 0.0);
        CHECK(dynamics::observe_persistence(model, b, lasting(2.0)) == 0.0);
      }
    }
  }
}

TEST_CASE("dynamics/forcing: a force that only presses into the cone moves nothing") {
  MassSpring model = tests::plain_cell(1, -1);
  model.xi_n = [](double t) { return 1.0 + std::sin(t); };
  const dynamics::EquilibriumSet set = dynamics::equilibria(model);
  for (const dynamics::Equilibrium& e : set.members)
    for (const Balance& b : dynamics::sample(model, e)) {
      CHECK(std::isinf(dynamics::persistence_threshold(model, b, lasting(1.0))));
      model.epsilon = 3.0;
      const auto report = dynamics::observe_arrival(model, b, lasting(1.0));
      CHECK((report.U - b.U).norm() <= 1e-12);
    }
}

TEST_CASE("dynamics/forcing: without coupling epsilon_0 = mu r - |R_t| and epsilon_max = mu F_n") {
  const MassSpring model = uncoupled();
  const ForcingOptions options{.h = 0.01, .duration = 3.0 * period};
  for (const double R_t : {-0.4, 0.1}) {
    const Balance b = dynamics::balance_in_contact(model, R_t / model.K_t);
    CHECK(dynamics::persistence_threshold(model, b, options) ==
          doctest::Approx(0.5 - std::abs(R_t)).epsilon(1e-4));
  }
  CHECK(dynamics::existence_threshold(model, options) == doctest::Approx(0.5).epsilon(1e-4));
}

TEST_CASE("dynamics/forcing: epsilon_max is where no U_t is left in all the shifted cones") {
  std::mt19937 random(12);
  const ForcingOptions options{.h = period / 60.0, .duration = period};
  for (int trial = 0; trial < 4; ++trial) {
    MassSpring model = forced(tests::random_cell(random, 1, -1, trial % 2 ? 1 : -1));
    const double epsilon_max = dynamics::existence_threshold(model, options);
    model.epsilon = 0.99 * epsilon_max;
    CHECK(some_space_equilibrium(model, options));
    model.epsilon = 1.01 * epsilon_max;
    CHECK_FALSE(some_space_equilibrium(model, options));
  }
}

TEST_CASE("dynamics/forcing: without friction only the normal force may change, down to r = 0") {
  MassSpring model = tests::plain_cell(1, -1);
  model.friction = 0.0;
  model.xi_n = [](double) { return -1.0; };
  const Balance b = dynamics::sample(model, dynamics::equilibria(model).members.front()).front();
  CHECK(dynamics::existence_threshold(model, lasting(1.0)) == doctest::Approx(-b.R[1]));
  CHECK(dynamics::persistence_threshold(model, b, lasting(1.0)) == doctest::Approx(-b.R[1]));
  CHECK(dynamics::existence_threshold(forced(model), lasting(1.0)) == 0.0);
}

TEST_CASE("dynamics/forcing: Theorem 2: up to epsilon_max motions settle, above they go on") {
  for (const int friction : {-1, 0}) {
    const MassSpring model = forced(tests::plain_cell(1, friction));
    const double exact = dynamics::existence_threshold(model, lasting(40.0));
    for (const dynamics::Equilibrium& e : dynamics::equilibria(model).members) {
      const Balance b = dynamics::sample(model, e).front();
      CHECK(dynamics::observe_existence(model, b, lasting(40.0)) ==
            doctest::Approx(exact).epsilon(0.03));
    }
  }
}

TEST_CASE("dynamics/forcing: a motion that rests does so at a space-equilibrium") {
  int rests = 0;
  for (const int friction : {-1, 0}) {
    MassSpring model = forced(tests::plain_cell(1, friction));
    for (const double fraction : {0.5, 0.9}) {
      model.epsilon = fraction * dynamics::existence_threshold(model, lasting(20.0));
      for (const dynamics::Equilibrium& e : dynamics::equilibria(model).members)
        for (const Balance& b : dynamics::sample(model, e)) {
          const auto report = dynamics::observe_arrival(model, b, lasting(20.0));
          REQUIRE(report.arrival != Arrival::keeps_moving);
          const double excess = dynamics::cone_excess(model, report.U[0], lasting(20.0));
          CHECK((excess <= 1e-9) == (report.arrival == Arrival::rests));
          rests += report.arrival == Arrival::rests ? 1 : 0;
        }
    }
  }
  CHECK(rests >= 10);
}

TEST_CASE(
    "dynamics/forcing: from outside by x, smooth peaks bring the mass nearer by 9 K_t² x² / (2 m "
    "eps omega²) each: never in finite time") {
  MassSpring model = uncoupled();
  model.epsilon = 0.3;
  const double edge = (0.5 - model.epsilon) / model.K_t, start = 2e-3;
  const double c = 4.5 * model.K_t * model.K_t / (model.mass * model.epsilon * omega * omega);
  dynamics::Motion motion(model, dynamics::moreau_jean(0.5), 2e-3, {edge + start, 0.0}, {0.0, 0.0});
  const auto gap_after = [&](int periods) {
    while (motion.time() < periods * period) (void)motion.advance();
    return motion.U()[0] - edge;
  };
  const double x_20 = gap_after(20), x_60 = gap_after(60);
  CHECK(x_60 > 0.0);
  CHECK((1.0 / x_60 - 1.0 / x_20) / 40.0 == doctest::Approx(c).epsilon(0.1));
}

TEST_CASE("dynamics/forcing: for mu > K_t/W motions may bounce for ever below epsilon_max") {
  MassSpring model = forced(tests::plain_cell(1, 1));
  CHECK(std::isinf(dynamics::existence_threshold(model, lasting(1.0))));
  const Balance b = dynamics::sample(model, dynamics::equilibria(model).members.front()).front();
  model.epsilon = 1.0;
  for (const double h : {0.02, 0.005}) {
    const ForcingOptions options{.h = h, .duration = 40.0 * period};
    CHECK(dynamics::observe_arrival(model, b, options).arrival == Arrival::keeps_moving);
  }
  model.epsilon = 0.1;
  CHECK(dynamics::observe_arrival(model, b, lasting(40.0)).arrival != Arrival::keeps_moving);
}

TEST_CASE("dynamics/forcing: without contact a small force never finds the stuck equilibria") {
  MassSpring model = forced(tests::plain_cell(-1, 1));
  model.epsilon = 0.01;
  CHECK(std::isinf(dynamics::existence_threshold(model, lasting(1.0))));
  const Balance b = dynamics::sample(model, dynamics::equilibria(model).members.front()).front();
  const auto report = dynamics::observe_arrival(model, b, lasting(20.0));
  CHECK(report.arrival == Arrival::keeps_moving);
  CHECK(report.U[1] < 0.0);
}

TEST_CASE("dynamics/forcing: the report has every equilibrium, and Theorem 2 where it may apply") {
  MassSpring model = forced(tests::plain_cell(1, -1));
  ForcingOptions options = lasting(5.0);
  options.tolerance = 1e-3;
  options.tolerance_max = 0.1;
  const auto pressed = dynamics::observe_forcing(model, options);
  CHECK(pressed.persistence.size() == 5);
  CHECK(pressed.existence.size() == 5);
  const auto open = dynamics::observe_forcing(forced(tests::plain_cell(-1, -1)), options);
  CHECK(open.persistence.size() == 1);
  CHECK(open.existence.empty());
}

TEST_CASE("dynamics/forcing: a negative step is refused") {
  const MassSpring model = uncoupled();
  const Balance b = dynamics::balance_in_contact(model, 0.0);
  CHECK_THROWS_WITH_AS((void)dynamics::persistence_threshold(model, b, {.h = -1.0}),
                       "step = -1: must be positive", std::invalid_argument);
}
