#include "dynamics/schemes/theta_integrator.hpp"

#include "tests/support/random_system.hpp"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <cmath>

using namespace slipwave;
using dynamics::Activation;

namespace {

/// M̂ written out, for comparison.
Eigen::MatrixXd dense_M_hat(const dynamics::System& system, double theta, double h) {
  return Eigen::MatrixXd(system.M) + h * theta * Eigen::MatrixXd(system.C) +
         h * h * theta * theta * Eigen::MatrixXd(system.K);
}

Eigen::MatrixXd dense_H(const dynamics::System& system) {
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(2 * system.contact_count(), system.dof_count());
  for (int a = 0; a < system.contact_count(); ++a)
    H.block<2, 2>(2 * a, system.H.own_dof(a)) = system.H.own_block(a);
  return H;
}

/// A unit mass on a spring, free in x.
struct Oscillator {
  Oscillator() {
    system.M = Eigen::MatrixXd::Identity(2, 2).sparseView();
    system.K = Eigen::MatrixXd(4.0 * Eigen::MatrixXd::Identity(2, 2)).sparseView();
    system.C.resize(2, 2);
    state.q = Eigen::VectorXd::Unit(2, 0);
    state.v = Eigen::VectorXd::Zero(2);
  }
  dynamics::System system;
  dynamics::State state;
};

double oscillator_error(const dynamics::ThetaScheme& scheme, int steps) {
  Oscillator o;
  const double h = 1.0 / steps;
  dynamics::ThetaIntegrator integrator(o.system, scheme, h, {});
  for (int k = 0; k < steps; ++k) (void)integrator.advance(o.state);
  return std::abs(o.state.q[0] - std::cos(2.0));
}

}  // namespace

TEST_CASE(
    "dynamics/theta_integrator: a step satisfies the momentum equation and the contact law as (61) "
    "and "
    "(72) print them") {
  std::mt19937 random(5);
  int closed = 0;
  for (const bool fremond : {true, false})
    for (const double theta : {0.5, 0.7}) {
      tests::RandomSystem drawn = tests::random_system(random, 0.0, Activation::dissipative);
      drawn.system.prescribed.clear();
      const dynamics::System& system = drawn.system;
      const double h = 2e-3;
      const auto scheme =
          fremond ? dynamics::moreau_jean_fremond(theta) : dynamics::moreau_jean(theta);
      dynamics::ThetaIntegrator integrator(system, scheme, h, {.tolerance = 1e-14});
      const Eigen::MatrixXd H = dense_H(system);
      for (int k = 0; k < 200; ++k) {
        const dynamics::State before = drawn.state;
        const dynamics::StepReport report = integrator.advance(drawn.state);
        closed += report.sticking + report.sliding;
        const Eigen::VectorXd v_theta = (1.0 - theta) * before.v + theta * drawn.state.v;
        const Eigen::VectorXd q_theta = (1.0 - theta) * before.q + theta * drawn.state.q;
        Eigen::VectorXd F(system.dof_count()), F_next(system.dof_count());
        dynamics::external_force(system, k * h, F);
        dynamics::external_force(system, (k + 1) * h, F_next);
        const Eigen::VectorXd momentum = system.M * (drawn.state.v - before.v) +
                                         h * (system.K * q_theta) + h * (system.C * v_theta) -
                                         h * ((1.0 - theta) * F + theta * F_next) -
                                         H.transpose() * integrator.contact().solution().p;
        CHECK(momentum.norm() <= 1e-12 * (system.M * drawn.state.v).norm());
        CHECK((drawn.state.q - before.q - h * v_theta).norm() <= 1e-14);
        // The velocity the law saw, with its shift, is the solver's w.
        const Eigen::VectorXd u_law =
            H * (before.v + scheme.law_theta * (drawn.state.v - before.v));
        for (const int a : integrator.contact().problem().active) {
          const double u_N = std::min((H * before.v)[2 * a], 0.0);
          const double w_N = u_law[2 * a] + (scheme.law_theta - 1.0) * u_N;
          CHECK(w_N ==
                doctest::Approx(integrator.contact().solution().w[2 * a]).epsilon(1e-9).scale(1.0));
          CHECK(u_law[2 * a + 1] == doctest::Approx(integrator.contact().solution().w[2 * a + 1])
                                        .epsilon(1e-9)
                                        .scale(1.0));
        }
      }
    }
  CHECK(closed > 50);
}

TEST_CASE("dynamics/theta_integrator: W is law_theta H M̂^-1 H^T") {
  std::mt19937 random(9);
  tests::RandomSystem drawn = tests::random_system(random, 0.0, Activation::dissipative);
  drawn.system.prescribed.clear();
  const dynamics::ThetaIntegrator integrator(drawn.system, dynamics::moreau_jean_fremond(0.6), 0.01,
                                             {});
  const Eigen::MatrixXd H = dense_H(drawn.system);
  const Eigen::MatrixXd W =
      0.6 * H * dense_M_hat(drawn.system, 0.6, 0.01).llt().solve(H.transpose());
  CHECK((integrator.contact().W().matrix() - W).norm() <= 1e-13 * W.norm());
}

TEST_CASE(
    "dynamics/theta_integrator: prescribed dofs follow their velocity or displacement at every "
    "step") {
  std::mt19937 random(13);
  for (const double theta : {0.5, 0.8}) {
    tests::RandomSystem drawn = tests::random_system(random, 0.0, Activation::dissipative);
    const double h = 1e-3;
    dynamics::impose_initial_motion(drawn.system, h, drawn.state.q, drawn.state.v);
    const int n = drawn.system.dof_count();
    dynamics::ThetaIntegrator integrator(drawn.system, dynamics::moreau_jean_fremond(theta), h, {});
    for (int k = 1; k <= 200; ++k) {
      (void)integrator.advance(drawn.state);
      CHECK(drawn.state.v[n - 1] ==
            doctest::Approx(0.3 * std::cos(20.0 * k * h)).epsilon(1e-13).scale(0.3));
      CHECK(drawn.state.v[0] ==
            doctest::Approx(0.3 * std::cos(20.0 * k * h)).epsilon(1e-13).scale(0.3));
      CHECK(drawn.state.q[n - 2] ==
            doctest::Approx(0.05 * std::sin(25.0 * k * h)).epsilon(1e-13).scale(0.05));
    }
  }
}

TEST_CASE("dynamics/theta_integrator: second order at theta = 1/2, first order above") {
  for (const bool fremond : {true, false}) {
    const auto order = [&](double theta) {
      const auto scheme =
          fremond ? dynamics::moreau_jean_fremond(theta) : dynamics::moreau_jean(theta);
      return std::log2(oscillator_error(scheme, 400) / oscillator_error(scheme, 800));
    };
    CHECK(order(0.5) == doctest::Approx(2.0).epsilon(0.02));
    CHECK(order(0.75) == doctest::Approx(1.0).epsilon(0.02));
  }
}

TEST_CASE("dynamics/theta_integrator: Frémond never creates contact work, Moreau–Jean does") {
  std::mt19937 random(21);
  double fremond_T = 0.0, fremond_N = 0.0, classical_T = 0.0;
  for (int trial = 0; trial < 30; ++trial) {
    const tests::RandomSystem drawn = tests::random_system(random, 0.0, Activation::dissipative);
    for (const bool fremond : {true, false}) {
      tests::RandomSystem copy = drawn;
      const auto scheme = fremond ? dynamics::moreau_jean_fremond(0.5) : dynamics::moreau_jean(0.5);
      dynamics::ThetaIntegrator integrator(copy.system, scheme, 5e-3, {.tolerance = 1e-13});
      for (int k = 0; k < 300; ++k) {
        const dynamics::StepReport report = integrator.advance(copy.state);
        const double scale = report.energy.energy.total();
        if (!fremond) classical_T = std::max(classical_T, report.max_tangential_work / scale);
        if (fremond) fremond_T = std::max(fremond_T, report.max_tangential_work / scale);
        if (fremond) fremond_N = std::max(fremond_N, report.max_normal_work / scale);
      }
    }
  }
  CHECK(fremond_T <= 1e-13);
  CHECK(fremond_N <= 1e-13);
  CHECK(classical_T > 1e-6);
}

TEST_CASE(
    "dynamics/theta_integrator: inside (87) no restitution makes Frémond create normal work, "
    "outside it "
    "may") {
  std::mt19937 random(23);
  double inside = 0.0, outside = 0.0;
  for (int trial = 0; trial < 30; ++trial)
    for (const double e : {0.4, 1.0}) {
      const tests::RandomSystem drawn = tests::random_system(random, e, Activation::dissipative);
      for (const double theta : {0.5, 1.0 / (1.0 + e), 1.0}) {
        tests::RandomSystem copy = drawn;
        dynamics::ThetaIntegrator integrator(copy.system, dynamics::moreau_jean_fremond(theta),
                                             5e-3, {.tolerance = 1e-13});
        for (int k = 0; k < 200; ++k) {
          const dynamics::StepReport report = integrator.advance(copy.state);
          double& worst = theta <= 1.0 / (1.0 + e) ? inside : outside;
          worst = std::max(worst, report.max_normal_work / report.energy.energy.total());
        }
      }
    }
  CHECK(inside <= 1e-13);
  CHECK(outside > 1e-6);
}

TEST_CASE(
    "dynamics/theta_integrator: a dof prescribed twice and a held normal are refused by name") {
  std::mt19937 random(2);
  tests::RandomSystem drawn = tests::random_system(random, 0.0, Activation::dissipative);
  drawn.system.prescribed.push_back(drawn.system.prescribed.front());
  CHECK_THROWS_WITH_AS(dynamics::ThetaIntegrator(drawn.system, dynamics::moreau_jean(0.5), 0.1, {}),
                       "component y of node 7 (counted from 0) is prescribed twice",
                       std::invalid_argument);
  drawn = tests::random_system(random, 0.0, Activation::dissipative);
  drawn.system.prescribed.front().dofs.push_back(1);  // the normal of contact 0
  CHECK_THROWS_AS(dynamics::ThetaIntegrator(drawn.system, dynamics::moreau_jean(0.5), 0.1, {}),
                  std::invalid_argument);
}
