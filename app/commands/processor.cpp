// Compiled for any processor, whatever the rest is compiled for: it runs first and stops where the
// rest could not run.
#include "app/commands/processor.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace slipwave::app {

namespace {

struct Entry {
  const char* name;
  bool (*is_here)();
};

#if defined(__x86_64__)
#define SLIPWAVE_SET(name)                                 \
  Entry {                                                  \
    name, [] { return __builtin_cpu_supports(name) != 0; } \
  }
// The order is that of the bits in processor_needs.cpp; the last is of no processor that is sold.
constexpr std::array entries{
    SLIPWAVE_SET("popcnt"),     SLIPWAVE_SET("sse4.2"),     SLIPWAVE_SET("avx"),
    SLIPWAVE_SET("fma"),        SLIPWAVE_SET("bmi"),        SLIPWAVE_SET("bmi2"),
    SLIPWAVE_SET("avx2"),       SLIPWAVE_SET("avx512f"),    SLIPWAVE_SET("avx512cd"),
    SLIPWAVE_SET("avx512dq"),   SLIPWAVE_SET("avx512bw"),   SLIPWAVE_SET("avx512vl"),
    SLIPWAVE_SET("avx512vbmi"), SLIPWAVE_SET("avx512vnni"), SLIPWAVE_SET("avx5124fmaps")};
#undef SLIPWAVE_SET
#else
constexpr std::array<Entry, 0> entries{};
#endif

/// Functions of the C library only: of templates the linker may keep the copy of another file.
void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) std::_Exit(1);
}

bool is_missing(unsigned bit) {
  return (compiled_for >> bit & 1U) != 0U && !entries[bit].is_here();
}

/// Before any code that was compiled for another processor, that of static objects included.
__attribute__((constructor(101))) void require_processor() {
#if defined(__x86_64__)
  __builtin_cpu_init();
#endif
  bool stops = false;
  for (unsigned bit = 0; bit < entries.size(); ++bit) {
    if (!is_missing(bit)) continue;
    if (!stops) say("slipwave: was compiled for another processor; this one lacks");
    say(" ");
    say(entries[bit].name);
    stops = true;
  }
  if (!stops) return;
  say(". Compile it here, or for any processor with cmake -DSLIPWAVE_NATIVE=OFF\n");
  std::_Exit(1);
}

}  // namespace

const char* name_of_set(unsigned bit) { return bit < entries.size() ? entries[bit].name : nullptr; }

}  // namespace slipwave::app
