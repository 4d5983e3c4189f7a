#include "tests/support/case_run.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace slipwave;

namespace {

/// What the wave theory of the bar predicts, as computed.
struct Impact {
  double first = -1.0, last = -1.0;  ///< steps with contact
  double impulse = 0.0;
  double pressure = 0.0;      ///< mean while it is steady
  double closing_loss = 0.0;  ///< energy lost before t = 0.6, relative
  double rebound = 0.0;       ///< mean velocity at the end
};

double sum_of_normal_impulses(const tests::CaseRun& run) {
  double sum = 0.0;
  for (Eigen::Index a = 0; a < run.integrator->contact().solution().p.size(); a += 2)
    sum += run.integrator->contact().solution().p[a];
  return sum;
}

Impact impact(double size) {
  tests::CaseRun run("bar_impact", {"mesh.size=" + std::to_string(size)});
  Impact result;
  int steady_steps = 0;
  while (run.state.step < run.c.step_count) {
    const dynamics::StepReport report = run.advance();
    const double p_N = sum_of_normal_impulses(run);
    result.impulse += p_N;
    if (report.sticking + report.sliding > 0) {
      if (result.first < 0.0) result.first = run.t();
      result.last = run.t();
    }
    if (run.t() < 0.6) result.closing_loss -= report.energy.works.contact_normal / 500.0;
    if (run.t() < 0.55 || run.t() > 1.1) continue;
    result.pressure += p_N / run.c.first_step();  // the end has area 1
    ++steady_steps;
  }
  result.pressure /= steady_steps;
  result.rebound = (run.integrator->system().M * run.state.v).sum() /
                   10.0;  // mass 10; there is no motion along y
  return result;
}

double relative_error(double value, double exact) { return std::abs(value / exact - 1.0); }

}  // namespace

// cases/bar_impact.toml: L = 10, c = 30, v0 = 10, gap 5, rho c v0 = 300, contact on [0.5, 0.5 +
// 2/3].
TEST_CASE(
    "verification/bar_impact: contact lasts 2L/c under the pressure rho c v0, and the bar flies "
    "back at "
    "v0") {
  const Impact coarse = impact(0.2), fine = impact(0.1);
  MESSAGE("first contact " << fine.first << " (0.5), duration " << fine.last - fine.first
                           << " (0.6667), pressure " << fine.pressure << " (300), impulse "
                           << fine.impulse << " (200), rebound " << fine.rebound
                           << " (10); at twice the size " << coarse.rebound);
  CHECK(relative_error(fine.first, 0.5) <= 0.005);
  CHECK(relative_error(fine.last - fine.first, 2.0 / 3.0) <= 0.01);
  CHECK(relative_error(fine.pressure, 300.0) <= 0.002);
  CHECK(relative_error(fine.impulse, 200.0) <= 0.01);
  // What does not fly back vibrates: the error is of the order of the element size.
  CHECK(relative_error(fine.rebound, 10.0) <= 0.015);
  CHECK(relative_error(coarse.rebound, 10.0) >= 1.4 * relative_error(fine.rebound, 10.0));
}

TEST_CASE(
    "verification/bar_impact: the energy lost when the end closes is of first order in the element "
    "size") {
  const double ratio = impact(0.2).closing_loss / impact(0.1).closing_loss;
  MESSAGE("loss at 0.2 over loss at 0.1: " << ratio);
  CHECK(ratio >= 1.7);
  CHECK(ratio <= 2.3);
}
