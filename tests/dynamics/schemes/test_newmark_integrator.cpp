#include "dynamics/schemes/newmark_integrator.hpp"
#include "linear/submatrix.hpp"
#include "tests/support/random_system.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <Eigen/Cholesky>
#include <cmath>

using namespace slipwave;
using dynamics::Activation;
using dynamics::NewmarkScheme;

namespace {

/// A random system whose prescribed dofs rest.
tests::RandomSystem resting_system(std::mt19937& random, double restitution,
                                   Activation activation = Activation::gap_and_velocity) {
  tests::RandomSystem drawn = tests::random_system(random, restitution, activation);
  tests::bring_to_rest(drawn);
  return drawn;
}

/// Any scheme of the family, proven or not, with either law.
NewmarkScheme any_scheme() {
  const auto between = [](int low, int high) { return *rc::gen::inRange(low, high) * 0.01; };
  NewmarkScheme scheme{between(-50, 46), between(0, 46), between(40, 90), between(20, 60)};
  scheme.kh = *rc::gen::arbitrary<bool>();
  return scheme;
}

/// Laws and restitutions drawn contact by contact.
void draw_laws(dynamics::System& system) {
  for (dynamics::ContactPoint& contact : system.contacts) {
    contact.law.impact =
        *rc::gen::element(dynamics::ImpactLaw::newton, dynamics::ImpactLaw::fremond);
    contact.law.restitution = *rc::gen::inRange(0, 11) * 0.1;
    contact.law.tangential_restitution = *rc::gen::inRange(-10, 11) * 0.1;
  }
}

double largest_term(const dynamics::EnergyBalance& b) {
  const dynamics::Works& w = b.works;
  return std::max({std::abs(w.external), std::abs(w.damping), std::abs(w.numerical),
                   std::abs(w.contact_normal), std::abs(w.contact_tangential),
                   b.energy.kinetic + b.energy.strain, std::abs(b.energy.algorithmic)});
}

/// One step as the definitions have it, with dense matrices, on the dofs that are free.
struct Oracle {
  Oracle(const dynamics::System& s, double step) : system(s), h(step), M(s.M), K(s.K), C(s.C) {
    const std::vector<bool> is_prescribed = dynamics::prescribed_dofs(s);
    free = linear::indices_where(is_prescribed, false);
    M_free = Eigen::MatrixXd(M(free, free)).llt();
  }
  Eigen::VectorXd force(int k) const {
    Eigen::VectorXd F(system.dof_count());
    dynamics::external_force(system, k * h, F);
    return F;
  }
  Eigen::VectorXd accelerate(const Eigen::VectorXd& force_on_all) const {
    Eigen::VectorXd a = Eigen::VectorXd::Zero(system.dof_count());
    const Eigen::VectorXd on_free = M_free.solve(Eigen::VectorXd(force_on_all(free)));
    a(free) = on_free;
    return a;
  }
  /// ã of M ã + K q + C v = F.
  Eigen::VectorXd smooth(const dynamics::State& s) const {
    return accelerate(force(s.step) - K * s.q - C * s.v);
  }

  const dynamics::System& system;
  double h;
  Eigen::MatrixXd M, K, C;
  std::vector<int> free;
  Eigen::LLT<Eigen::MatrixXd> M_free;
};

Eigen::VectorXd impulses(const dynamics::NewmarkIntegrator& integrator) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(integrator.system().dof_count());
  integrator.contact().add_impulses(integrator.system().H, result);
  return result;
}

/// Largest violation of the scheme's equations by the step from `before` to `after`.
double equation_residual(const Oracle& o, const NewmarkScheme& s, const dynamics::State& before,
                         const dynamics::State& after, const Eigen::VectorXd& H_p) {
  const double h = o.h;
  const Eigen::VectorXd w = o.accelerate(H_p), &a0 = before.a, &a1 = after.a;
  const Eigen::VectorXd q =
      before.q + h * before.v + h * h * (0.5 - s.beta) * a0 + h * h * s.beta * a1 + 0.5 * h * w;
  const Eigen::VectorXd v = before.v + h * (1.0 - s.gamma) * a0 + h * s.gamma * a1 + w;
  Eigen::VectorXd equation;
  if (s.kh)
    equation = o.accelerate((1.0 - s.alpha_m) * (o.M * a1 + o.C * after.v - o.force(after.step)) +
                            s.alpha_m * (o.M * a0 + o.C * before.v - o.force(before.step)) +
                            (1.0 - s.alpha_f) * o.K * after.q + s.alpha_f * o.K * before.q);
  else
    equation = (1.0 - s.alpha_m) * a1 + s.alpha_m * a0 - (1.0 - s.alpha_f) * o.smooth(after) -
               s.alpha_f * o.smooth(before);
  const double scale = after.q.norm() + after.v.norm() + 1.0;
  return std::max({(after.q - q).norm() / scale, (after.v - v).norm() / scale,
                   equation.norm() / (a1.norm() + o.smooth(after).norm() + 1.0)});
}

}  // namespace

TEST_CASE(
    "dynamics/newmark_integrator: steps satisfy (27) or (32) with M w = H'p, whatever the "
    "parameters") {
  CHECK(rc::check([] {
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    const NewmarkScheme scheme = any_scheme();
    tests::RandomSystem drawn = resting_system(random, 0.0);
    draw_laws(drawn.system);
    const double h = 2e-3;
    dynamics::NewmarkIntegrator integrator(drawn.system, scheme, h, {});
    integrator.start(drawn.state);
    const Oracle oracle(drawn.system, h);
    for (int k = 0; k < 20; ++k) {
      const dynamics::State before = drawn.state;
      RC_ASSERT(integrator.advance(drawn.state).contact.converged);
      RC_ASSERT(equation_residual(oracle, scheme, before, drawn.state, impulses(integrator)) <=
                1e-10);
    }
  }));
}

TEST_CASE(
    "dynamics/newmark_integrator: (69) and (72) close to round-off on random systems and "
    "parameters") {
  int closed = 0;
  CHECK(rc::check([&] {
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    const NewmarkScheme scheme = any_scheme();
    tests::RandomSystem drawn = resting_system(random, 0.0);
    draw_laws(drawn.system);
    dynamics::NewmarkIntegrator integrator(drawn.system, scheme, 2e-3, {});
    integrator.start(drawn.state);
    for (int k = 0; k < 100; ++k) {
      const double before = integrator.energy(drawn.state).total();
      const dynamics::StepReport report = integrator.advance(drawn.state);
      closed += report.sticking + report.sliding;
      const double scale = largest_term(report.energy);
      RC_ASSERT(std::abs(report.energy.residual()) <= 1e-12 * scale);
      // And the change it speaks of is that of the energy it speaks of.
      RC_ASSERT(std::abs(integrator.energy(drawn.state).total() - before - report.energy.change) <=
                1e-11 * scale);
      RC_ASSERT(std::abs(integrator.energy(drawn.state).total() - report.energy.energy.total()) <=
                1e-11 * scale);
    }
  }));
  CHECK(closed > 1000);
}

TEST_CASE(
    "dynamics/newmark_integrator: (80), (88) and (92) as the report has them, with h^2/2 in (88)") {
  const double h = 2e-3;
  std::mt19937 random(11);
  for (const double alpha : {0.0, 0.1, 0.25})
    for (const double gamma : {0.5, 0.6, 0.8})
      for (const double beta : {0.5 * gamma, 0.5}) {
        const NewmarkScheme s{0.0, alpha, gamma, beta};
        tests::RandomSystem drawn = resting_system(random, 0.5);
        dynamics::NewmarkIntegrator integrator(drawn.system, s, h, {});
        dynamics::State& state = drawn.state;
        integrator.start(state);
        const Oracle o(drawn.system, h);
        dynamics::State last = state;  // of the step before, at rest before the first
        Eigen::VectorXd F_last = o.force(0);
        for (int k = 0; k < 60; ++k) {
          const dynamics::State before = state;
          const dynamics::StepReport report = integrator.advance(state);
          const Eigen::VectorXd dq = state.q - before.q, da = state.a - before.a;
          // The filter as the report has it: z = ν z with ν = 1/2.
          const Eigen::VectorXd dz = 0.5 * (state.filtered_q - before.filtered_q);
          const auto between = [&](const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
            return Eigen::VectorXd(gamma * to + (1.0 - gamma) * from);
          };
          const Eigen::VectorXd F = (1.0 - alpha) * between(o.force(k), o.force(k + 1)) +
                                    alpha * between(F_last, o.force(k));
          const Eigen::VectorXd v =
              (1.0 - alpha) * between(before.v, state.v) + alpha * between(last.v, before.v);
          const double works = dq.dot(F) - dq.dot(o.C * v) + report.energy.works.contact_normal +
                               report.energy.works.contact_tangential;
          const double numerical =
              -0.5 * h * h * (gamma - 0.5) * (2.0 * beta - gamma) * da.dot(o.M * da) -
              (gamma - 0.5 - alpha) * dq.dot(o.K * dq) -
              2.0 * alpha * (1.0 - gamma) * dz.dot(o.K * dz);
          const double scale = largest_term(report.energy);
          CHECK(std::abs(report.energy.change - works - numerical) <= 1e-12 * scale);
          last = before;
          F_last = o.force(k);
        }
      }
}

TEST_CASE(
    "dynamics/newmark_integrator: inside the proven ranges no step creates energy, with Fremond's "
    "law") {
  int steps = 0;
  CHECK(rc::check([&] {
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    const double gamma = 0.5 + *rc::gen::inRange(0, 40) * 0.01;
    const double beta = 0.5 * gamma + *rc::gen::inRange(0, 20) * 0.01;
    const double alpha = *rc::gen::inRange(0, 101) * 0.01 * std::min(gamma - 0.5, 1.0 / 3.0);
    NewmarkScheme scheme = dynamics::newmark(gamma, beta);
    switch (*rc::gen::inRange(0, 3)) {
      case 1:
        scheme = {0.0, alpha, gamma, beta};
        break;
      case 2:
        scheme = dynamics::kh_alpha(dynamics::generalized_alpha(*rc::gen::inRange(0, 101) * 0.01));
        break;
      default:
        break;
    }
    tests::RandomSystem drawn =
        resting_system(random, *rc::gen::inRange(0, 11) * 0.1, Activation::dissipative);
    for (dynamics::ContactPoint& contact : drawn.system.contacts)
      contact.law.impact = dynamics::ImpactLaw::fremond;
    drawn.system.loads.clear();
    // (80) proves HHT without damping's filtered part; the others dissipate with any C.
    if (!scheme.kh && scheme.alpha_f > 0.0) drawn.system.C.setZero();
    drawn.system.C.prune(0.0);
    dynamics::NewmarkIntegrator integrator(drawn.system, scheme, 5e-3, {.tolerance = 1e-13});
    integrator.start(drawn.state);
    double scale = integrator.energy(drawn.state).total();
    for (int k = 0; k < 100; ++k, ++steps) {
      const dynamics::StepReport report = integrator.advance(drawn.state);
      const double made = report.energy.change - report.energy.works.damping;
      RC_ASSERT(made <= 1e-11 * scale);
    }
  }));
  CHECK(steps >= 10000);
}

TEST_CASE("dynamics/newmark_integrator: outside the proven ranges a step creates energy") {
  NewmarkScheme kh{0.0, 0.3, 0.5, 0.25};
  kh.kh = true;
  // (90): gamma < 1/2; (82) and (74): alpha_f - alpha_m > gamma - 1/2.
  for (const NewmarkScheme& scheme :
       {dynamics::newmark(0.4, 0.25), NewmarkScheme{0.0, 0.3, 0.5, 0.25}, kh}) {
    std::mt19937 random(3);
    tests::RandomSystem drawn = resting_system(random, 0.0);
    drawn.system.loads.clear();
    drawn.system.C.setZero();
    drawn.system.C.prune(0.0);
    dynamics::NewmarkIntegrator integrator(drawn.system, scheme, 5e-3, {});
    integrator.start(drawn.state);
    double most = 0.0;
    for (int k = 0; k < 100; ++k) {
      const dynamics::StepReport report = integrator.advance(drawn.state);
      most = std::max(most, report.energy.change / report.energy.energy.total());
    }
    CHECK(most > 1e-4);
  }
}

TEST_CASE("dynamics/newmark_integrator: the spectral radius at infinite frequency is rho") {
  for (const bool kh : {false, true})
    for (const double rho : {0.0, 0.3, 0.7, 0.95, 1.0}) {
      CAPTURE(rho);
      // One node, so stiff that hω = 1e6.
      dynamics::System system;
      const Eigen::Matrix2d one = Eigen::Matrix2d::Identity();
      system.M = one.sparseView();
      system.K = Eigen::Matrix2d(1e12 * one).sparseView();
      system.C.resize(2, 2);
      NewmarkScheme scheme = dynamics::generalized_alpha(rho);
      scheme.kh = kh;
      dynamics::NewmarkIntegrator integrator(system, scheme, 1.0, {});
      dynamics::State state;
      state.q = Eigen::Vector2d(1.0, 0.0);
      state.v = Eigen::Vector2d::Zero();
      integrator.start(state);
      for (int k = 0; k < 60; ++k) (void)integrator.advance(state);
      const double before = state.q.norm();
      for (int k = 0; k < 60; ++k) (void)integrator.advance(state);
      // Double roots make a factor k of growth: the mean over 60 steps is right to a few per cent.
      const double mean = std::pow(state.q.norm() / before, 1.0 / 60.0);
      if (rho == 0.0)
        CHECK(state.q.norm() < 1e-30);
      else
        CHECK(mean == doctest::Approx(rho).epsilon(0.03));
    }
}

TEST_CASE("dynamics/newmark_integrator: refuses prescribed dofs that move") {
  std::mt19937 random(3);
  const tests::RandomSystem drawn = tests::random_system(random, 0.0, Activation::gap_and_velocity);
  CHECK_THROWS_AS(dynamics::NewmarkIntegrator(drawn.system, dynamics::newmark(0.5, 0.25), 1e-3, {}),
                  std::invalid_argument);
}

TEST_CASE(
    "dynamics/newmark_integrator: contact at the position level creates energy, and the ledger "
    "says so") {
  std::mt19937 random(5);
  double most = 0.0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    tests::RandomSystem drawn = resting_system(random, 0.0);
    drawn.system.loads.clear();
    for (dynamics::ContactPoint& contact : drawn.system.contacts) contact.law.friction = 0.0;
    dynamics::NewmarkIntegrator integrator(drawn.system, dynamics::newmark_position(0.5, 0.25),
                                           2e-3, {});
    integrator.start(drawn.state);
    for (int k = 0; k < 200; ++k) {
      const dynamics::StepReport report = integrator.advance(drawn.state);
      REQUIRE(report.contact.converged);
      CHECK(std::abs(report.energy.residual()) <= 1e-11 * largest_term(report.energy));
      CHECK(report.penetration <= 1e-9);
      most = std::max(most, report.energy.works.contact_normal / report.energy.energy.total());
    }
  }
  CHECK(most > 1e-3);
}

TEST_CASE(
    "dynamics/newmark_integrator: contact forces on positions act into a step of another size") {
  std::mt19937 random(5);
  int pushed = 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    tests::RandomSystem drawn = resting_system(random, 0.0);
    for (dynamics::ContactPoint& contact : drawn.system.contacts) contact.law.friction = 0.0;
    const NewmarkScheme scheme = dynamics::newmark_position(0.5, 0.25);
    dynamics::NewmarkIntegrator coarse(drawn.system, scheme, 2e-3, {});
    dynamics::NewmarkIntegrator fine(drawn.system, scheme, 5e-4, {});
    coarse.start(drawn.state);
    dynamics::NewmarkIntegrator *now = &coarse, *next = &fine;
    for (int k = 0; k < 200; ++k) {
      if (k % 3 == 2) {
        drawn.state.first_time = drawn.state.time(now->h());
        drawn.state.first_step = drawn.state.step;
        next->continue_from(*now);
        std::swap(now, next);
        pushed += now->contact().solution().p.norm() > 0.0 ? 1 : 0;
      }
      const dynamics::StepReport report = now->advance(drawn.state);
      CHECK(std::abs(report.energy.residual()) <= 1e-11 * largest_term(report.energy));
    }
  }
  CHECK(pushed > 20);
}
