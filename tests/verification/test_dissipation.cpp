#include "tests/support/case_run.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace slipwave;

// In N mm: the solver's tolerance 1e-10 times the energy scale of the runs, some tens of N mm at
// the least.
constexpr double nothing = 1e-9;

TEST_CASE(
    "verification/dissipation: Frémond creates no contact work at large steps on 2, 1 and 0.5 mm "
    "meshes") {
  for (const double size : {2.0, 1.0, 0.5})
    for (const double h : {1e-3, 1e-2}) {
      CAPTURE(size);
      CAPTURE(h);
      tests::CaseRun run("sliding_block",
                         {fmt::format("mesh.size={}", size), fmt::format("time.step={}", h),
                          fmt::format("time.end={}", 500 * h)});
      const app::RunStatistics statistics = run.run();
      CHECK(run.state.step == 500);
      CHECK(statistics.max_tangential_work <= nothing);
      CHECK(statistics.max_normal_work <= nothing);
      CHECK(statistics.worst_balance <= 1e-13);
      MESSAGE(size << " mm, h = " << h << " ms: largest w_T " << statistics.max_tangential_work
                   << ", w_N " << statistics.max_normal_work << " N mm; deepest penetration "
                   << statistics.penetration << " mm");
    }
}

TEST_CASE(
    "verification/dissipation: the published rule `gap` creates normal work, and explodes at h = "
    "1e-2") {
  tests::CaseRun small("sliding_block", {"mesh.size=2", "time.end=0.5", "contact.activation=gap"});
  CHECK(small.run().max_normal_work > 1e-5);
  tests::CaseRun large("sliding_block",
                       {"mesh.size=2", "time.step=1e-2", "time.end=2", "contact.activation=gap"});
  CHECK(large.run().final_energy.total() > 1e9);
}

TEST_CASE(
    "verification/dissipation: with e = 0.4 `gap-and-velocity` sinks, `dissipative` does not") {
  const auto penetration = [](const std::string& rule) {
    tests::CaseRun run("sliding_block", {"mesh.size=2", "time.end=0.1", "contact.restitution=0.4",
                                         "contact.activation=" + rule});
    return run.run().penetration;
  };
  CHECK(penetration("dissipative") < 3e-4);
  CHECK(penetration("gap-and-velocity") > 10.0 * penetration("dissipative"));
}
