#include "parallel/governor.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using slipwave::parallel::Governor;

namespace {

/// Time of so many steps that take the team and one thread so many seconds each, over that of the
/// better way.
double price(Governor& governor, int steps, double team, double alone) {
  double time = 0.0;
  for (int k = 0; k < steps; ++k) {
    const double seconds = governor.alone() ? alone : team;
    governor.record(seconds);
    time += seconds;
  }
  return time / (steps * std::min(team, alone));
}

}  // namespace

TEST_CASE("parallel/governor: begins with the team") { CHECK_FALSE(Governor().alone()); }

TEST_CASE("parallel/governor: on a quiet machine trials cost two hundredths at most") {
  for (const double step : {2e-4, 1.5e-3, 3e-2})
    for (const double gain : {1.05, 1.3, 1.9, 7.0}) {
      CAPTURE(step);
      CAPTURE(gain);
      Governor governor;
      (void)price(governor, static_cast<int>(1.0 / step) + 100, step, gain * step);
      const double later = price(governor, static_cast<int>(10.0 / step) + 1000, step, gain * step);
      CHECK(later > 1.0);  // it does look
      CHECK(later < (gain < 2.0 ? 1.02 : 1.08));
    }
}

TEST_CASE("parallel/governor: where a team is slower, a run is slower by less than a tenth") {
  for (const double step : {2e-4, 1.5e-3, 3e-2})
    for (const double loss : {1.05, 1.3, 2.0, 5.0}) {
      CAPTURE(step);
      CAPTURE(loss);
      Governor governor;
      CHECK(price(governor, static_cast<int>(2.0 / step) + 100, loss * step, step) < 1.1);
      CHECK(price(governor, static_cast<int>(10.0 / step) + 1000, loss * step, step) < 1.05);
    }
}

TEST_CASE("parallel/governor: follows a load that comes and goes") {
  Governor governor;
  for (int k = 0; k < 5; ++k) {
    CHECK(price(governor, 2000, 8.0e-3, 1.6e-3) < 1.1);  // another process on a processor
    (void)price(governor, 2000, 1.0e-3, 1.6e-3);         // two quiet seconds, in which it looks
    CHECK(price(governor, 2000, 1.0e-3, 1.6e-3) < 1.05);
  }
}

TEST_CASE("parallel/governor: one step that took long by chance does not turn it for long") {
  Governor governor;
  governor.record(0.5);  // the first, with all that is done once
  CHECK(price(governor, 2000, 1.0e-3, 1.5e-3) < 1.05);
  governor.record(0.5);
  CHECK(price(governor, 2000, 1.0e-3, 1.5e-3) < 1.05);
}
