#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>

namespace slipwave::cli_tests {

namespace {

/// The first 0.04 ms of the sliding block: a slip front runs from its left end.
void run_block(const TemporaryFolder& folder, const std::string& interface_every) {
  const ProgramResult result = slipwave(
      {"run", SLIPWAVE_ROOT "/cases/sliding_block.toml", "--out", "out", "--set", "time.end=0.04",
       "--set", "output.frames_every=0", "--set", "output.interface_every=" + interface_every},
      folder.path());
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("cli/waves: lists the slip front that starts the sliding block, and writes waves.json") {
  const TemporaryFolder folder;
  run_block(folder, "1");
  const ProgramResult result = slipwave({"waves", "out"}, folder.path());
  CAPTURE(result.out);
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(contains(result.out, "c_R = 1239.7, c_s = 1345.2, c_p = 2374.2 mm/ms"));
  CHECK(contains(result.out, "slip front"));
  CHECK(contains(result.out, "speed (mm/ms)"));
  const auto json = folder / "out/waves.json";
  CHECK(json_value(json, "waves.0.class") == "slip front");
  CHECK(std::stod(json_value(json, "waves.0.x_start")) == 0.0);
  CHECK(std::stod(json_value(json, "waves.0.x_end")) >= 20.0);
  const double speed = std::stod(json_value(json, "waves.0.speed"));
  CHECK(speed > 1239.7);
  CHECK(speed < 2374.2);
  CHECK(std::abs(std::stod(json_value(json, "waves.0.speed_over_c_s")) - speed / 1345.17) <= 1e-3);
  CHECK(std::abs(std::stod(json_value(json, "lines.bottom.c_R")) - 1239.74) <= 0.01);
  CHECK(json_value(json, "units.length") == "mm");
}

TEST_CASE("cli/waves: lists only what is asked for") {
  const TemporaryFolder folder;
  run_block(folder, "1");
  const ProgramResult none =
      slipwave({"waves", "out", "--class", "schallamach", "--json", "listed.json"}, folder.path());
  CHECK(none.exit_code == 0);
  CHECK(contains(none.out, "no waves"));
  CHECK(json_value(folder / "listed.json", "waves") == "[]");
  CHECK(json_value(folder / "out/waves.json", "waves.0.class") == "slip front");
  const ProgramResult late = slipwave({"waves", "out", "--from", "0.035"}, folder.path());
  CHECK(!contains(late.out, "slip front"));
  const ProgramResult line = slipwave({"waves", "out", "--line", "top"}, folder.path());
  CHECK(line.exit_code == 2);
  CHECK(contains(line.err, "no contact line named \"top\"; the run has \"bottom\""));
}

TEST_CASE("cli/waves: --signal names the velocity to follow along a line that touches nothing") {
  const TemporaryFolder folder;
  const ProgramResult run =
      slipwave({"run", SLIPWAVE_ROOT "/cases/verify/pressure_pulse.toml", "--out", "out", "--set",
                "mesh.size=1", "--set", "time.step=2e-4"},
               folder.path());
  CAPTURE(run.err);
  REQUIRE(run.exit_code == 0);
  const auto waves = [&](const std::string& signal) {
    return slipwave({"waves", "out", "--signal", signal}, folder.path());
  };
  CHECK(contains(waves("tangential").out, "1 surface pulse;"));
  CHECK(waves("normal").out != waves("tangential").out);
  CHECK(waves("sideways").exit_code == 2);
  CHECK(contains(waves("sideways").err, "sideways not in {magnitude,normal,tangential}"));
}

TEST_CASE("cli/waves: growth rate and phase speed of a wavelength") {
  const TemporaryFolder folder;
  run_block(folder, "1");
  const ProgramResult growth = slipwave(
      {"waves", "out", "--wavelength", "10", "--x-from", "5", "--from", "0.02"}, folder.path());
  CAPTURE(growth.err);
  CHECK(growth.exit_code == 0);
  CHECK(contains(growth.out, "3 of them between x = 5 and 35 mm"));
  CHECK(contains(growth.out, "growth rate"));
  CHECK(contains(growth.out, "1/ms"));
  CHECK(!std::filesystem::exists(folder / "out/waves.json"));
  const ProgramResult too_long = slipwave({"waves", "out", "--wavelength", "41"}, folder.path());
  CHECK(too_long.exit_code == 2);
  CHECK(contains(too_long.err, "do not hold one"));
}

TEST_CASE("cli/waves: a folder without interface.h5 is told how to get one") {
  const TemporaryFolder folder;
  run_block(folder, "0");
  const ProgramResult result = slipwave({"waves", "out"}, folder.path());
  CHECK(result.exit_code == 2);
  CHECK(contains(result.err, "output.interface_every"));
  CHECK(slipwave({"waves", "nowhere"}, folder.path()).exit_code == 2);
}

}  // namespace slipwave::cli_tests
