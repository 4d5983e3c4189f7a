#include "app/run/run_case.hpp"
#include "dynamics/schemes/schemes.hpp"
#include "tests/support/same_results.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

using namespace slipwave;

namespace {

using Settings = std::vector<std::string>;

void run(const std::string& name, const Settings& set, const std::filesystem::path& out, int steps,
         bool resume) {
  app::RunOptions options;
  options.case_file = SLIPWAVE_ROOT "/cases/" + name + ".toml";
  options.out = out.string();
  options.set = set;
  options.steps = steps;
  options.resume = resume;
  options.quiet = true;
  REQUIRE(app::run_case(options) == app::success);
}

/// A run of 150 steps against one that ends after 61, goes on to 97 and then to 150.
std::string difference_after_resuming(const std::string& name, const Settings& set) {
  const tests::TemporaryFolder folder;
  run(name, set, folder / "whole", 150, false);
  run(name, set, folder / "parts", 61, false);
  run(name, set, folder / "parts", 97, true);
  run(name, set, folder / "parts", 150, true);
  return tests::difference_of_results(folder / "whole", folder / "parts");
}

/// The block at a time when contacts change, with strides that do not divide the ends.
Settings block_with(const Settings& more) {
  Settings set{"mesh.size=5",           "time.step=2e-3",           "output.frames_every=20",
               "output.ledger_every=3", "output.interface_every=4", "output.forces_every=5"};
  set.insert(set.end(), more.begin(), more.end());
  return set;
}

}  // namespace

TEST_CASE("app/run/resume: every scheme goes on to the last bit") {
  for (const dynamics::SchemeEntry& entry : dynamics::schemes()) {
    CAPTURE(entry.name);
    Settings set = block_with({"time.scheme=" + entry.name, "time.theta="});
    // The others have no theta.
    const bool theta = entry.name.starts_with("moreau-jean");
    if (theta) set = block_with({"time.scheme=" + entry.name});
    if (entry.name == "moreau-explicit") set.push_back("time.step=1e-5");
    if (entry.name == "newmark-position") set.push_back("contact.friction=0");
    CHECK(difference_after_resuming("sliding_block", set) == "");
  }
}

TEST_CASE("app/run/resume: every method of the contact solver goes on to the last bit") {
  for (const std::string method : {"auto", "nsgs", "newton", "projected-gradient"}) {
    CAPTURE(method);
    const Settings set{"solver.method=" + method, "solver.max_iterations=1000000",
                       "solver.tolerance=1e-8", "mesh.size=2", "output.frames_every=0"};
    CHECK(difference_after_resuming("schallamach", set) == "");
  }
}

TEST_CASE("app/run/resume: rebounds, projection and inclined contacts go on to the last bit") {
  const Settings rules{"contact.activation=gap-and-velocity", "contact.restitution=0.4",
                       "contact.projection=true"};
  CHECK(difference_after_resuming("sliding_block", block_with(rules)) == "");
  CHECK(difference_after_resuming("incline", {}) == "");
  CHECK(difference_after_resuming("bar_impact", {"mesh.size=0.5"}) == "");
}

TEST_CASE("app/run/resume: a friction law that remembers goes on to the last bit") {
  for (const std::string method : {"auto", "nsgs", "newton"})
    for (const std::string healing : {"0", "0.01"}) {
      CAPTURE(method);
      CAPTURE(healing);
      const Settings law{"contact.law=static-dynamic", "contact.dynamic_friction=0.3",
                         "contact.healing=" + healing, "solver.method=" + method};
      CHECK(difference_after_resuming("sliding_block", block_with(law)) == "");
    }
}

TEST_CASE(
    "app/run/resume: steps of several sizes go on to the last bit, within a size and between") {
  const std::string steps =
      "time.steps=[{step=2e-3,until=0.1},{step=1e-3,until=0.147},{step=2e-3,until=1}]";
  CHECK(difference_after_resuming("sliding_block",
                                  {"mesh.size=5", "time.step=", "time.end=", steps}) == "");
}

TEST_CASE("app/run/resume: contact forces act into steps of another size, resumed or not") {
  // The bar reaches the wall at t = 0.05 and stays: every size begins and ends in contact, and 61
  // and 97 are where sizes change.
  const std::string steps =
      "time.steps=[{step=2e-3,until=0.122},{step=1e-3,until=0.158},{step=2e-3,until=1}]";
  const Settings set{"mesh.size=0.5",
                     "time.scheme=newmark-position",
                     "time.theta=",
                     "time.step=",
                     "contact.point=[4.5, 0.0]",
                     "time.end=",
                     "limits.rotation=10",
                     steps};
  CHECK(difference_after_resuming("bar_impact", set) == "");
}

TEST_CASE("app/run/resume: rigid bodies in space go on to the last bit, whatever solves") {
  const auto difference = [](const std::string& name, const std::string& method) {
    return difference_after_resuming(name, {"output.trajectory_every=7", "output.forces_every=9",
                                            "output.frames_every=20", "solver.method=" + method});
  };
  for (const std::string method : {"auto", "proximal-newton"})
    for (const std::string name : {"domino", "kaplas", "rolling_sphere"}) {
      CAPTURE(method);
      CAPTURE(name);
      CHECK(difference(name, method) == "");
    }
  CHECK(difference("domino", "nsgs") == "");
}

TEST_CASE("app/run/resume: a body that is born between two stops goes on to the last bit") {
  // Born at step 80; the stops are at 61 and 97.
  const Settings domino{"body[1].birth=0.04", "body[1].spin=[0, 20, 0]", "output.frames_every=20",
                        "output.trajectory_every=7", "output.forces_every=9"};
  CHECK(difference_after_resuming("domino", domino) == "");
  CHECK(difference_after_resuming("rolling_sphere", {"body[1].birth=0.08"}) == "");
}

TEST_CASE("app/run/resume: systems of a few degrees of freedom go on to the last bit") {
  for (const std::string name :
       {"impacting_stick", "rocking_block", "bouncing_ball", "mass_spring", "painleve_rod"}) {
    CAPTURE(name);
    CHECK(difference_after_resuming(
              name, {"output.trajectory_every=7", "output.forces_every=9", "output.frames_every=20",
                     "solver.on_several=continue"}) == "");
  }
}
