#include "dynamics/integrator.hpp"
#include "tests/support/random_system.hpp"

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

using namespace slipwave;

TEST_CASE("dynamics/integrator: a step allocates nothing") {
#ifdef SLIPWAVE_SANITIZED
  MESSAGE("not run: a sanitizer's malloc cannot be counted");
#else
  std::mt19937 random(5);
  for (const bool fremond : {true, false}) {
    tests::RandomSystem drawn =
        tests::random_system(random, 0.4, dynamics::Activation::dissipative, 60, 30);
    const auto scheme = fremond ? dynamics::moreau_jean_fremond(0.6) : dynamics::moreau_jean(0.6);
    dynamics::Integrator integrator(drawn.system, scheme, 2e-3, {});
    const long before_anything = allocations;
    std::vector<double> probe(1000, 1.0);
    REQUIRE(allocations > before_anything);  // the counter counts
    const long before = allocations;
    int closed = 0;
    for (int k = 0; k < 100; ++k) {
      const dynamics::StepReport report = integrator.advance(drawn.state);
      closed += report.sticking + report.sliding;
    }
    CHECK(allocations.load() == before);
    CHECK(closed > 0);
  }
#endif
}
