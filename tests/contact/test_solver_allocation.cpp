#include "contact/solver.hpp"
#include "tests/contact/random_problems.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>

// The sanitizers bring their own malloc, which cannot be counted like this: there the test says so
// and stops.
#ifndef SLIPWAVE_SANITIZED
extern "C" void* __libc_malloc(std::size_t size);            // NOLINT
extern "C" void* __libc_memalign(std::size_t, std::size_t);  // NOLINT

namespace {
std::atomic<long> allocations{0};
}

extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

extern "C" int posix_memalign(void** pointer, std::size_t alignment, std::size_t size) {
  ++allocations;
  *pointer = __libc_memalign(alignment, size);
  return *pointer ? 0 : 12;
}

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
#endif

using namespace slipwave::contact;

TEST_CASE("contact/solver: a solve allocates nothing, whatever the method") {
#ifdef SLIPWAVE_SANITIZED
  MESSAGE("not run: a sanitizer's malloc cannot be counted");
#else
  std::mt19937_64 generator(1);
  for (const int d : {2, 3})
    for (const Method method :
         {Method::nsgs, Method::newton, Method::projected_gradient, Method::automatic}) {
      const int n = d == 2 ? 400 : 60;
      tests::OwnedProblem drawn(tests::banded_delassus(n, d, 0.5), d, 0.5, generator);
      Solver solver(*drawn.W, {method, 1e-10, 500, 1.0});
      Solution solution(n, d);
      const Eigen::VectorXd first = drawn.problem.b,
                            second = tests::random_vector(d * n, -0.3, generator);
      const long before_anything = allocations;
      std::vector<double> probe(1000, 1.0);
      REQUIRE(allocations > before_anything);                            // the counter counts
      bool converged = solver.solve(drawn.problem, solution).converged;  // starts the threads
      const long before = allocations;
      for (int k = 0; k < 6; ++k) {
        drawn.problem.b = k % 2 == 0 ? second : first;
        drawn.problem.active.resize(static_cast<std::size_t>(n - 5 * k));
        const SolverReport report = solver.solve(drawn.problem, solution);
        converged = converged && report.converged;
      }
      CHECK(allocations.load() == before);
      if (method != Method::projected_gradient) CHECK(converged);
    }
#endif
}
