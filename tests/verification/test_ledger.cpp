#include "tests/support/case_run.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace slipwave;

namespace {

std::vector<std::string> with(std::vector<std::string> settings,
                              const std::vector<std::string>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

/// Largest |balance residual| of a step relative to the energy then or the step's largest work
/// (docs/theory.md section 9).
double worst_balance(tests::CaseRun& run, int steps) {
  double worst = 0.0;
  for (int k = 0; k < steps; ++k) {
    const dynamics::StepReport report = run.advance();
    const double scale =
        std::max(report.energy.energy.total(), report.energy.works.sum_of_magnitudes());
    if (report.energy.residual() != 0.0)
      worst = std::max(worst, std::abs(report.energy.residual()) / scale);
  }
  return worst;
}

}  // namespace

TEST_CASE(
    "verification/ledger: closes to 1e-11 of the energy at every step of every case, for every "
    "theta and "
    "e") {
  for (const std::string name :
       {"sliding_block", "sliding_block_moreau_jean", "incline", "bar_impact"})
    for (const double theta : {0.5, 0.6, 0.75, 1.0})
      for (const double e : {0.0, 0.4, 1.0}) {
        CAPTURE(name);
        CAPTURE(theta);
        CAPTURE(e);
        std::vector<std::string> settings{fmt::format("time.theta={}", theta),
                                          fmt::format("contact.restitution={}", e)};
        if (name.starts_with("sliding")) settings = with(tests::on_reference_mesh(4), settings);
        tests::CaseRun run(name, settings);
        CHECK(worst_balance(run, 1500) <= 1e-11);
      }
}

TEST_CASE(
    "verification/ledger: closes with damping, moving boundaries and an inclined obstacle at "
    "once") {
  for (const double theta : {0.5, 0.6, 0.75, 1.0})
    for (const double e : {0.0, 0.4, 1.0}) {
      CAPTURE(theta);
      CAPTURE(e);
      tests::CaseRun run(
          "sliding_block",
          with(tests::on_reference_mesh(4),
               {fmt::format("time.theta={}", theta), fmt::format("contact.restitution={}", e),
                "time.step=1e-3", "material.rayleigh_mass=2", "material.rayleigh_stiffness=1e-4",
                "prescribed.velocity_y=-0.02*sin(10*t)", "prescribed.displacement_x=0.1*sin(20*t)",
                "contact.normal=[0.02, 1]"}));
      const double worst = worst_balance(run, 1500);
      CHECK(worst <= 1e-11);
      CHECK(worst > 0.0);
    }
}

TEST_CASE(
    "verification/ledger: keeps closing after a slide of more than twenty-five block lengths") {
  tests::CaseRun run("incline", {});
  for (int k = 0; k < 200000; ++k) (void)run.advance();
  CHECK(run.state.q[0] > 1000.0);  // along x; the block is 40 long
  CHECK(worst_balance(run, 1000) <= 1e-14);
}
