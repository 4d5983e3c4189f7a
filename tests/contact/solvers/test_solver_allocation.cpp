#include "bench/random_problems.hpp"
#include "contact/solvers/solver.hpp"
#include "tests/support/allocation_counter.hpp"

#include <doctest/doctest.h>

using namespace slipwave::contact;

TEST_CASE("contact/solver: a solve allocates nothing, whatever the method") {
  if (!counting_allocations()) return;
  std::mt19937_64 generator(1);
  for (const int d : {2, 3})
    for (const Method method :
         {Method::nsgs, Method::newton, Method::projected_gradient, Method::automatic}) {
      const int n = d == 2 ? 400 : 60;
      Problem drawn = tests::problem_with(tests::banded_delassus(n, d, 0.5), d, 0.5, generator);
      Solver solver(drawn.W, {method, 1e-10, 500, 1.0});
      Solution solution(n, d);
      const Eigen::VectorXd first = drawn.b, second = tests::random_vector(d * n, -0.3, generator);
      bool converged = solver.solve(drawn, solution).converged;  // starts the threads
      const long before = allocations();
      for (int k = 0; k < 6; ++k) {
        drawn.b = k % 2 == 0 ? second : first;
        drawn.active.resize(static_cast<std::size_t>(n - 5 * k));
        const SolverReport report = solver.solve(drawn, solution);
        converged = converged && report.converged;
      }
      CHECK(allocations() == before);
      if (method != Method::projected_gradient) CHECK(converged);
    }
}
