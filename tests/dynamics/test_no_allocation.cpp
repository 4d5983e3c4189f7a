#include "dynamics/theta_integrator.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/grid_matrix.hpp"
#include "tests/support/random_system.hpp"

#include <doctest/doctest.h>
#include <omp.h>

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

TEST_CASE("dynamics/factor: triangular solves allocate nothing, shared between threads or not") {
  if (!counting_allocations()) return;
  const dynamics::ContactLastFactor factor(tests::grid_matrix(120, 1), tests::lower_edges(120, 1));
  Eigen::VectorXd y = Eigen::VectorXd::Ones(factor.L().work_size());
  const int threads = omp_get_max_threads();
  for (const int count : {1, 2, 3}) {
    omp_set_num_threads(count);
    factor.L().forward(y);  // starts the threads
    const long before = allocations();
    for (int k = 0; k < 10; ++k) {
      factor.L().forward(y);
      factor.L().backward(y);
    }
    CHECK(allocations() == before);
  }
  omp_set_num_threads(threads);
}
