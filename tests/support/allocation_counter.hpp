#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <vector>

// Replaces malloc by one that counts: for one source file of a test program of its own. The
// sanitizers bring their own malloc, which cannot be counted like this: there
// counting_allocations() says so, and the test stops.

#ifdef SLIPWAVE_SANITIZED

/// Whether allocations can be counted here; says why if not.
inline bool counting_allocations() {
  MESSAGE("not run: a sanitizer's malloc cannot be counted");
  return false;
}

/// Allocations so far.
inline long allocations() { return 0; }

/// Bytes of the largest allocation since it was asked last.
inline std::size_t largest_allocation() { return 0; }

#else

extern "C" void* __libc_malloc(std::size_t size);            // NOLINT
extern "C" void* __libc_memalign(std::size_t, std::size_t);  // NOLINT

namespace {
std::atomic<long> allocation_count{0};
std::atomic<std::size_t> largest_size{0};

void count_allocation(std::size_t size) {
  ++allocation_count;
  std::size_t before = largest_size;
  while (size > before && !largest_size.compare_exchange_weak(before, size)) {
  }
}
}  // namespace

extern "C" void* malloc(std::size_t size) {
  count_allocation(size);
  return __libc_malloc(size);
}

extern "C" int posix_memalign(void** pointer, std::size_t alignment, std::size_t size) {
  count_allocation(size);
  *pointer = __libc_memalign(alignment, size);
  return *pointer ? 0 : 12;
}

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count_allocation(size);
  return __libc_memalign(alignment, size);
}

/// Allocations so far.
inline long allocations() { return allocation_count; }

/// Bytes of the largest allocation since it was asked last.
inline std::size_t largest_allocation() { return largest_size.exchange(0); }

/// Whether allocations can be counted here: asks for memory and looks.
inline bool counting_allocations() {
  const long before = allocations();
  const std::vector<double> probe(1000, 1.0);
  REQUIRE(allocations() > before);
  return true;
}

#endif
