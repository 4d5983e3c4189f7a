#include "dynamics/schemes/explicit_integrator.hpp"
#include "tests/support/random_system.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

using namespace slipwave;

namespace {

tests::RandomSystem resting_system(std::mt19937& random) {
  tests::RandomSystem drawn =
      tests::random_system(random, 0.0, dynamics::Activation::gap_and_velocity);
  tests::bring_to_rest(drawn);
  return drawn;
}

}  // namespace

TEST_CASE(
    "dynamics/explicit_integrator: steps satisfy the momentum equation, and E + h/2 v.Kq closes") {
  int closed = 0;
  CHECK(rc::check([&] {
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    tests::RandomSystem drawn = resting_system(random);
    for (dynamics::ContactPoint& contact : drawn.system.contacts) {
      contact.law.impact =
          *rc::gen::element(dynamics::ImpactLaw::newton, dynamics::ImpactLaw::fremond);
      contact.law.restitution = *rc::gen::inRange(0, 11) * 0.1;
    }
    const dynamics::System& s = drawn.system;
    const double h = 2e-3;
    dynamics::ExplicitIntegrator integrator(s, {}, h, {});
    Eigen::VectorXd F(s.dof_count());
    for (int k = 0; k < 100; ++k) {
      const dynamics::State before = drawn.state;
      const double energy = integrator.energy(before).total();
      const dynamics::StepReport report = integrator.advance(drawn.state);
      const dynamics::State& after = drawn.state;
      closed += report.sticking + report.sliding;
      RC_ASSERT((after.q - before.q - h * before.v).norm() <= 1e-14);
      dynamics::external_force(s, (k + 1) * h, F);
      Eigen::VectorXd momentum = s.M * (after.v - before.v) -
                                 h * (F - s.K * after.q - s.C * before.v) -
                                 integrator.reaction_impulse();
      const std::vector<bool> is_prescribed = dynamics::prescribed_dofs(s);
      Eigen::VectorXd on_contacts = Eigen::VectorXd::Zero(s.dof_count());
      integrator.contact().add_impulses(s.H, on_contacts);
      for (int i = 0; i < s.dof_count(); ++i)
        if (is_prescribed[static_cast<std::size_t>(i)]) momentum[i] -= on_contacts[i];
      RC_ASSERT(momentum.norm() <= 1e-11 * (1.0 + after.v.norm()));
      const double scale = report.energy.energy.kinetic + report.energy.energy.strain +
                           report.energy.works.sum_of_magnitudes();
      RC_ASSERT(std::abs(report.energy.residual()) <= 1e-12 * scale);
      RC_ASSERT(std::abs(integrator.energy(after).total() - energy - report.energy.change) <=
                1e-11 * scale);
    }
  }));
  CHECK(closed > 1000);
}

TEST_CASE(
    "dynamics/explicit_integrator: no step adds to its energy, with Fremond's law and without "
    "damping") {
  CHECK(rc::check([] {
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    tests::RandomSystem drawn = resting_system(random);
    drawn.system.loads.clear();
    drawn.system.C.setZero();
    drawn.system.C.prune(0.0);
    for (dynamics::ContactPoint& contact : drawn.system.contacts) {
      contact.law.impact = dynamics::ImpactLaw::fremond;
      contact.law.activation = dynamics::Activation::dissipative;
      contact.law.restitution = *rc::gen::inRange(0, 11) * 0.1;
    }
    dynamics::ExplicitIntegrator integrator(drawn.system, {}, 2e-3, {.tolerance = 1e-13});
    const double scale = integrator.energy(drawn.state).total();
    for (int k = 0; k < 100; ++k)
      RC_ASSERT(integrator.advance(drawn.state).energy.change <= 1e-11 * scale);
  }));
}
