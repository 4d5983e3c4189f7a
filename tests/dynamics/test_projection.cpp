#include "dynamics/projection.hpp"

#include "dynamics/schemes/schemes.hpp"
#include "tests/support/random_system.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace slipwave;

TEST_CASE("dynamics/projection: no penetration is left, and the works still make up the energy") {
  const std::vector<dynamics::Scheme> schemes{
      dynamics::moreau_jean_fremond(0.5), dynamics::moreau_jean(0.7),
      dynamics::newmark(0.6, 0.4),        dynamics::hht(0.1),
      dynamics::generalized_alpha(0.7),   dynamics::kh_alpha(dynamics::generalized_alpha(0.7)),
      dynamics::ExplicitScheme{}};
  std::mt19937 random(9);
  for (const dynamics::Scheme& scheme : schemes) {
    CAPTURE(scheme.index());
    tests::RandomSystem drawn =
        tests::random_system(random, 0.0, dynamics::Activation::gap_and_velocity);
    tests::bring_to_rest(drawn);
    for (dynamics::ContactPoint& contact : drawn.system.contacts) contact.projection = true;
    const auto integrator = dynamics::make_integrator(drawn.system, scheme, 2e-3, {});
    dynamics::Projection projection(*integrator);
    REQUIRE(projection.wanted());
    integrator->start(drawn.state);
    double energy = integrator->energy(drawn.state).total(), moved = 0.0;
    for (int k = 0; k < 300; ++k) {
      dynamics::StepReport report = integrator->advance(drawn.state);
      const Eigen::VectorXd q = drawn.state.q, v = drawn.state.v;
      projection.apply(*integrator, drawn.state, report);
      CHECK(drawn.state.v == v);
      moved += (drawn.state.q - q).norm();
      CHECK(report.penetration <= 1e-9);
      const double scale = report.energy.energy.kinetic + report.energy.energy.strain +
                           report.energy.works.sum_of_magnitudes();
      CHECK(std::abs(report.energy.residual()) <= 1e-11 * scale);
      const double now = integrator->energy(drawn.state).total();
      CHECK(std::abs(now - energy - report.energy.works.sum()) <= 1e-10 * scale);
      energy = now;
    }
    CHECK(moved > 0.0);
  }
}

TEST_CASE("dynamics/projection: contacts that do not ask are left alone") {
  std::mt19937 random(9);
  const tests::RandomSystem drawn =
      tests::random_system(random, 0.0, dynamics::Activation::dissipative);
  const auto integrator =
      dynamics::make_integrator(drawn.system, dynamics::moreau_jean_fremond(0.5), 2e-3, {});
  CHECK_FALSE(dynamics::Projection(*integrator).wanted());
}
