#include "dynamics/projection.hpp"
#include "dynamics/schemes/few_dofs_integrator.hpp"
#include "dynamics/schemes/schemes.hpp"
#include "dynamics/schemes/theta_integrator.hpp"
#include "dynamics/systems/rigid_body.hpp"
#include "parallel/team.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/grid_matrix.hpp"
#include "tests/support/random_system.hpp"

#include <doctest/doctest.h>

using namespace slipwave;

TEST_CASE("dynamics/integrator: a step allocates nothing") {
  if (!counting_allocations()) return;
  std::mt19937 random(5);
  for (const bool fremond : {true, false}) {
    tests::RandomSystem drawn =
        tests::random_system(random, 0.4, dynamics::Activation::dissipative, 60, 30);
    const auto scheme = fremond ? dynamics::moreau_jean_fremond(0.6) : dynamics::moreau_jean(0.6);
    dynamics::ThetaIntegrator integrator(drawn.system, scheme, 2e-3, {});
    const long before = allocations();
    int closed = 0;
    for (int k = 0; k < 100; ++k) {
      const dynamics::StepReport report = integrator.advance(drawn.state);
      closed += report.sticking + report.sliding;
    }
    CHECK(allocations() == before);
    CHECK(closed > 0);
  }
}

TEST_CASE("linear/factor: triangular solves allocate nothing, shared between threads or not") {
  if (!counting_allocations()) return;
  const linear::ContactLastFactor factor(tests::grid_matrix(120, 1), tests::lower_edges(120, 1));
  Eigen::VectorXd y = Eigen::VectorXd::Ones(factor.L().work_size());
  const int threads = parallel::threads();
  for (const int count : {1, 2, 3}) {
    parallel::set_threads(count);
    factor.L().forward(y);  // starts the threads
    const long before = allocations();
    for (int k = 0; k < 10; ++k) {
      factor.L().forward(y);
      factor.L().backward(y);
      parallel::paced([] { parallel::for_each(1000, [](int) {}); });
    }
    CHECK(allocations() == before);
  }
  parallel::set_threads(threads);
}

TEST_CASE("dynamics/schemes: a step of any scheme allocates nothing, projection included") {
  if (!counting_allocations()) return;
  const std::vector<dynamics::Scheme> schemes{
      dynamics::newmark(0.6, 0.4), dynamics::generalized_alpha(0.7),
      dynamics::kh_alpha(dynamics::generalized_alpha(0.7)), dynamics::ExplicitScheme{}};
  std::mt19937 random(5);
  for (const dynamics::Scheme& scheme : schemes) {
    tests::RandomSystem drawn =
        tests::random_system(random, 0.0, dynamics::Activation::gap_and_velocity);
    tests::bring_to_rest(drawn);
    for (dynamics::ContactPoint& contact : drawn.system.contacts) contact.projection = true;
    const auto integrator = dynamics::make_integrator(drawn.system, scheme, 2e-3, {});
    dynamics::Projection projection(*integrator);
    integrator->start(drawn.state);
    const long before = allocations();
    double moved = 0.0;
    for (int k = 0; k < 100; ++k) {
      dynamics::StepReport report = integrator->advance(drawn.state);
      projection.apply(*integrator, drawn.state, report);
      moved += std::abs(report.energy.works.projection);
    }
    CHECK(allocations() == before);
    CHECK(moved > 0.0);
  }
}

TEST_CASE("dynamics/state: looking for numbers that are not finite allocates nothing") {
  if (!counting_allocations()) return;
  dynamics::State state;
  state.q = state.v = Eigen::VectorXd::Ones(1000);
  const long before = allocations();
  CHECK(state.is_finite());
  CHECK(allocations() == before);
}

TEST_CASE("dynamics/few_dofs_integrator: a step of a rocking block allocates nothing") {
  if (!counting_allocations()) return;
  dynamics::RigidBodyData data = dynamics::block(1.0, 1.0, 1.0);
  data.gravity = {0.0, -10.0};
  data.laws.resize(2);
  for (dynamics::ContactLaw& law : data.laws) law.friction = 0.5;
  const dynamics::RigidBody block(data);
  dynamics::FewDofsIntegrator integrator(block, dynamics::moreau_jean(0.5), 1e-3, {});
  dynamics::State state;
  state.q = Eigen::Vector3d(0.0, 0.51, 0.0);
  state.v = Eigen::Vector3d(0.3, 0.0, 0.5);
  (void)integrator.advance(state);  // the first sizes what W needs
  const long before = allocations();
  int closed = 0;
  for (int k = 0; k < 1000; ++k) {
    const dynamics::StepReport report = integrator.advance(state);
    closed += report.sticking + report.sliding;
  }
  CHECK(allocations() == before);
  CHECK(closed > 0);
}
