#include "dynamics/schemes/energy_ledger.hpp"

#include "dynamics/schemes/theta_integrator.hpp"
#include "tests/support/random_system.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

using namespace slipwave;
using dynamics::Activation;

namespace {

double largest_term(const dynamics::EnergyBalance& b) {
  return std::max({std::abs(b.works.external), std::abs(b.works.damping),
                   std::abs(b.works.prescribed), std::abs(b.works.numerical),
                   std::abs(b.works.contact_normal), std::abs(b.works.contact_tangential),
                   b.energy.total()});
}

/// Largest |balance residual| relative to the largest term over the steps.
double worst_balance(tests::RandomSystem drawn, const dynamics::ThetaScheme& scheme, double h,
                     int steps) {
  dynamics::impose_initial_motion(drawn.system, h, drawn.state.q, drawn.state.v);
  dynamics::ThetaIntegrator integrator(drawn.system, scheme, h, {});
  double worst = 0.0;
  for (int k = 0; k < steps; ++k) {
    const dynamics::StepReport report = integrator.advance(drawn.state);
    worst = std::max(worst, std::abs(report.energy.residual()) / largest_term(report.energy));
  }
  return worst;
}

}  // namespace

TEST_CASE(
    "dynamics/energy_ledger: (65) closes to round-off for every theta, e, scheme and rule on "
    "random systems") {
  std::mt19937 random(7);
  const auto rules = {Activation::dissipative, Activation::gap_and_velocity,
                      Activation::predicted_gap_and_velocity, Activation::gap};
  for (const double theta : {0.5, 0.6, 0.75, 1.0})
    for (const double e : {0.0, 0.4, 1.0})
      for (const Activation rule : rules) {
        CAPTURE(theta);
        CAPTURE(e);
        const tests::RandomSystem drawn = tests::random_system(random, e, rule);
        CHECK(worst_balance(drawn, dynamics::moreau_jean_fremond(theta), 2e-3, 300) <= 1e-12);
        CHECK(worst_balance(drawn, dynamics::moreau_jean(theta), 2e-3, 300) <= 1e-12);
      }
}

TEST_CASE(
    "dynamics/energy_ledger: (65) closes whatever system, theta, law and restitution is drawn") {
  CHECK(rc::check([] {
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    const auto rule = *rc::gen::element(Activation::dissipative, Activation::gap_and_velocity,
                                        Activation::predicted_gap_and_velocity, Activation::gap);
    tests::RandomSystem drawn = tests::random_system(random, 0.0, rule);
    for (dynamics::ContactPoint& contact : drawn.system.contacts) {
      contact.law.impact =
          *rc::gen::element(dynamics::ImpactLaw::newton, dynamics::ImpactLaw::fremond);
      contact.law.restitution = *rc::gen::inRange(0, 11) * 0.1;
      contact.law.tangential_restitution = *rc::gen::inRange(-10, 11) * 0.1;
    }
    const double theta = *rc::gen::inRange(50, 101) * 0.01;
    RC_ASSERT(worst_balance(drawn, dynamics::moreau_jean(theta), 2e-3, 100) <= 1e-12);
  }));
}

TEST_CASE("dynamics/energy_ledger: the random systems exercise every term of the ledger") {
  std::mt19937 random(7);
  tests::RandomSystem drawn = tests::random_system(random, 0.0, Activation::dissipative);
  dynamics::impose_initial_motion(drawn.system, 2e-3, drawn.state.q, drawn.state.v);
  dynamics::ThetaIntegrator integrator(drawn.system, dynamics::moreau_jean_fremond(0.6), 2e-3, {});
  dynamics::Works total;
  for (int k = 0; k < 300; ++k) {
    const dynamics::StepReport report = integrator.advance(drawn.state);
    REQUIRE(report.contact.converged);
    total += report.energy.works;
  }
  CHECK(total.external != 0.0);
  CHECK(total.prescribed != 0.0);
  CHECK(total.damping < 0.0);
  CHECK(total.numerical < 0.0);
  CHECK(total.contact_normal < 0.0);
  CHECK(total.contact_tangential < 0.0);
}

TEST_CASE("dynamics/energy_ledger: a wrong impulse breaks the balance") {
  std::mt19937 random(3);
  const tests::RandomSystem drawn = tests::random_system(random, 0.0, Activation::dissipative);
  const Eigen::VectorXd& q = drawn.state.q;
  const Eigen::VectorXd dv = Eigen::VectorXd::Constant(q.size(), 0.1);
  const Eigen::VectorXd K_z = drawn.system.K * (q + 0.05 * drawn.state.v);
  const Eigen::VectorXd p = Eigen::VectorXd::Constant(8, 0.5);
  const Eigen::VectorXd u = Eigen::VectorXd::Constant(8, 1.0);
  const linear::NodeMatrices matrices(drawn.system.M, drawn.system.K, drawn.system.C);
  dynamics::EnergyLedger ledger(drawn.system);
  const dynamics::EnergyBalance balance =
      ledger.balance(drawn.system, matrices, {0.1, 0.5, q, drawn.state.v, dv, K_z, dv, p, u});
  CHECK(std::abs(balance.residual()) > 1e-3);
}

TEST_CASE("dynamics/energy_ledger: with theta = 1/2, e = 1 and no friction nothing is lost (90)") {
  std::mt19937 random(11);
  tests::RandomSystem drawn = tests::random_system(random, 1.0, Activation::gap_and_velocity);
  drawn.system.loads.clear();
  drawn.system.prescribed.clear();
  drawn.system.C.setZero();
  for (auto& contact : drawn.system.contacts) contact.law.friction = 0.0;
  dynamics::ThetaIntegrator integrator(drawn.system, dynamics::moreau_jean_fremond(0.5), 2e-3,
                                       {.tolerance = 1e-13});
  const double before = mechanical_energy(drawn.system, drawn.state.q, drawn.state.v).total();
  int closed = 0;
  for (int k = 0; k < 1000; ++k) {
    const dynamics::StepReport report = integrator.advance(drawn.state);
    closed += report.sticking + report.sliding;
  }
  CHECK(closed > 0);
  CHECK(mechanical_energy(drawn.system, drawn.state.q, drawn.state.v).total() ==
        doctest::Approx(before).epsilon(1e-10));
}
