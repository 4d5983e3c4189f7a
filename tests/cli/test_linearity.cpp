#include "tests/cli/program.hpp"
#include "tests/cli/small_case.hpp"
#include "tests/support/same_results.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace {

using Words = std::vector<std::string>;

/// The disc that rolls, on a coarse mesh, to t = 100 ms: beyond where it turns back.
Words roll_into(const std::string& out, const Words& settings) {
  Words words{"run", SLIPWAVE_ROOT "/cases/rolling_disc.toml", "--out", out, "--quiet"};
  for (const char* setting : {"mesh.size=8", "time.step=0.05", "time.end=100",
                              "output.frames_every=300", "output.checkpoint_every=500"})
    words.insert(words.end(), {"--set", setting});
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  return words;
}

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

double number(const std::filesystem::path& out, const std::string& path) {
  return std::stod(json_value(out / "summary.json", path));
}

/// A disc of radius 20 that spins freely about its centre, by 0.2 rad in all; it is stiff, and its
/// steps are long: the forces that K q adds up to zero are large.
const std::string spinning_disc = "[mesh]\nfile = \"" SLIPWAVE_ROOT R"toml(/meshes/disc.geo"
size = 8.0

[material]
young_modulus = 1e5
poisson_ratio = 0.3
density = 1e-3

[initial]
velocity_x = "-0.002*(y - 18.7938524157182)"
velocity_y = "0.002*(x + 6.84040286651337)"

[time]
step = 0.05
end = 99.0

[output]
frames_every = 0
)toml";

/// The small block drawn along under a disc of radius 2 and pressed against it.
const std::string block_under_disc = R"toml([mesh]
file = "block.msh"

[material]
young_modulus = 1000.0
poisson_ratio = 0.3
density = 1.0

[[prescribed]]
on = "bottom"
velocity_x = "-min(1, 5*t)"
velocity_y = 0.02

[[contact]]
on = "top"
friction = 0.0
circle = [1.0, 3.0]
radius = 2.0

[time]
theta = 1.0
step = 0.01
end = 0.9

[output]
frames_every = 0
checkpoint_every = 7
)toml";

}  // namespace

TEST_CASE("cli/linearity: a disc that rolls stops at 0.2 rad with exit code 3 and a way to go on") {
  const TemporaryFolder folder;
  const ProgramResult stopped = slipwave(roll_into("out", {}), folder.path());
  CHECK(stopped.exit_code == 3);
  CHECK(count(stopped.err, "warning: ") == 1);
  for (const char* part :
       {"warning: step ", "\"disc\" has turned by 0.05", " rad, limits.rotation = 0.2: ",
        "linear elasticity holds for small rotations", "a larger limits.rotation goes on",
        "; the same command with --resume goes on after step "}) {
    CAPTURE(part);
    CHECK(says(stopped.err, part));
  }
  CHECK(json_value(folder / "out/summary.json", "exit_reason") ==
        "rotation beyond limits.rotation");
  const double turned = number(folder / "out", "worst.body_rotation");
  CHECK(turned >= 0.15);
  CHECK(turned <= 0.22);
  const double locally = number(folder / "out", "worst.local_rotation");
  CHECK(std::max(turned, locally) >= 0.2);
  CHECK(locally <= 0.25);
  CHECK(says(json_value(folder / "out/summary.json", "warnings"), "\"disc\" has turned by 0."));

  CHECK(slipwave(roll_into("out", {}) + Words{"--resume"}, folder.path()).exit_code == 3);
  const Words further{"limits.rotation=10"};
  const ProgramResult resumed =
      slipwave(roll_into("out", further) + Words{"--resume"}, folder.path());
  CHECK(resumed.exit_code == 0);
  CHECK(resumed.err == "");
  REQUIRE(slipwave(roll_into("whole", further), folder.path()).exit_code == 0);
  CHECK(tests::difference_of_results(folder / "whole", folder / "out") == "");
  CHECK(number(folder / "whole", "worst.body_rotation") > 0.4);
  for (const char* path : {"worst", "warnings"})
    CHECK(json_value(folder / "out/summary.json", path) ==
          json_value(folder / "whole/summary.json", path));
}

TEST_CASE("cli/linearity: a run in two parts has the figures of one that was never stopped") {
  const TemporaryFolder folder;
  const Words further{"limits.rotation=10"};
  REQUIRE(
      slipwave(roll_into("whole", further) + Words{"--steps", "1400"}, folder.path()).exit_code ==
      0);
  // 877 is no multiple of the steps between two looks at the mesh.
  for (const char* steps : {"877", "1400"})
    REQUIRE(
        slipwave(roll_into("parts", further) + Words{"--steps", steps, "--resume"}, folder.path())
            .exit_code == 0);
  CHECK(json_value(folder / "parts/summary.json", "worst") ==
        json_value(folder / "whole/summary.json", "worst"));
  CHECK(tests::difference_of_results(folder / "whole", folder / "parts") == "");
}

TEST_CASE("cli/linearity: the last step is looked at too, however short the run") {
  const TemporaryFolder folder;
  write_text(folder / "spin.toml", spinning_disc);
  const ProgramResult result =
      slipwave({"run", "spin.toml", "--set", "time.step=50", "--set", "time.end=150", "--quiet"},
               folder.path());
  CHECK(result.exit_code == 3);
  CHECK(says(result.err, "step 3 (t = 150): the body of \"disc\" has turned by 0.29"));
}

TEST_CASE("cli/linearity: a body that merely turns keeps its energy, whatever the scheme") {
  const TemporaryFolder folder;
  write_text(folder / "spin.toml", spinning_disc);
  for (const std::string scheme :
       {"moreau-jean-fremond", "moreau-jean", "newmark", "hht", "kh-alpha"}) {
    CAPTURE(scheme);
    const ProgramResult result =
        slipwave({"run", "spin.toml", "--out", scheme, "--set", "time.scheme=" + scheme, "--quiet"},
                 folder.path());
    CHECK(result.exit_code == 0);
    CHECK(number(folder / scheme, "worst.balance_residual_relative") <= 1e-13);
    CHECK(number(folder / scheme, "worst.body_rotation") ==
          doctest::Approx(std::atan(0.198)).epsilon(1e-6));
  }
}

TEST_CASE("cli/linearity: sliding over a disc by a fifth of its radius stops the run") {
  const TemporaryFolder folder;
  write_text(folder / "block.msh", small_mesh);
  write_text(folder / "drawn.toml", block_under_disc);
  const ProgramResult stopped = slipwave({"run", "drawn.toml", "--quiet"}, folder.path());
  CHECK(stopped.exit_code == 3);
  CHECK(count(stopped.err, "warning: ") == 1);
  CHECK(says(stopped.err, " has slid over its disc by 0.05"));
  CHECK(says(stopped.err, " on contact line \"top\" has slid over its disc by 0.2"));
  CHECK(says(stopped.err, " of the radius, limits.sliding = 0.2: "));
  const auto out = folder.path() / "results/drawn";
  CHECK(json_value(out / "summary.json", "exit_reason") == "sliding beyond limits.sliding");
  CHECK(number(out, "worst.sliding_over_disc") == doctest::Approx(0.2).epsilon(0.05));
  const ProgramResult further = slipwave(
      {"run", "drawn.toml", "--quiet", "--resume", "--set", "limits.sliding=1"}, folder.path());
  CHECK(further.exit_code == 0);
  CHECK(number(out, "worst.sliding_over_disc") > 0.25);
}

TEST_CASE("cli/linearity: limits must be positive numbers, and a [system] has none") {
  const TemporaryFolder folder;
  write_text(folder / "block.msh", small_mesh);
  write_text(folder / "block.toml", small_case);
  const ProgramResult negative =
      slipwave({"run", "block.toml", "--set", "limits.rotation=-1"}, folder.path());
  CHECK(negative.exit_code == 2);
  CHECK(says(negative.err, "limits.rotation = -1: must be greater than 0"));
  const ProgramResult system =
      slipwave({"check", SLIPWAVE_ROOT "/cases/rocking_block.toml", "--set", "limits.rotation=1"},
               folder.path());
  CHECK(system.exit_code == 2);
  CHECK(says(system.err, "limits"));
}

}  // namespace slipwave::cli_tests
