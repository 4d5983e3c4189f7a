#include "tests/cli/program.hpp"
#include "tests/cli/small_case.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

const std::string block = SLIPWAVE_ROOT "/cases/sliding_block.toml";

ProgramResult run_block(const TemporaryFolder& folder, const std::vector<std::string>& set = {}) {
  std::vector<std::string> words{"run", block, "--out", "out", "--steps", "100"};
  for (const char* setting : {"mesh.size=5", "time.step=2e-3", "output.frames_every=0"})
    words.insert(words.end(), {"--set", setting});
  for (const std::string& setting : set) words.insert(words.end(), {"--set", setting});
  return slipwave(words, folder.path());
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string study_of(const std::string& quantity) {
  return "case = \"" + block + R"("
set = ["time.end=0.1", "time.step=2e-3", "mesh.size=5"]

[[axis]]
key = "contact.friction"
values = [0.1, 0.2]

[[quantity]]
name = "force"
)" + quantity;
}

}  // namespace

TEST_CASE("cli/forces.csv: a row per step with every line and group, and means in words") {
  const TemporaryFolder folder;
  const ProgramResult result = run_block(folder);
  REQUIRE(result.exit_code == 0);
  const std::vector<std::string> rows = lines_of(read_text(folder / "out/forces.csv"));
  REQUIRE(rows.size() == 101);
  CHECK(rows[0] == "step,t,bottom.F_N,bottom.F_T,bottom.apparent_friction,top.F_x,top.F_y");
  CHECK(rows[1].starts_with("1,0.002,"));
  CHECK(rows[100].starts_with("100,0.2,"));
  CHECK(says(result.out, "bottom, from t = 0.1 ms on: F_N "));
  CHECK(says(result.out, " N, apparent friction 0."));
  const fs::path summary = folder / "out/summary.json";
  CHECK(json_value(summary, "forces.from") == "0.1");
  CHECK(says(read_text(summary), "\"bottom.apparent_friction\": 0."));
}

TEST_CASE("cli/forces.csv: forces_every = 0 writes none, and what needs it says so") {
  const TemporaryFolder folder;
  REQUIRE(run_block(folder, {"output.forces_every=0"}).exit_code == 0);
  CHECK_FALSE(fs::exists(folder / "out/forces.csv"));
  const ProgramResult plot = slipwave({"plot", "out", "--figure", "forces"}, folder.path());
  CHECK(plot.exit_code == 2);
  CHECK(says(plot.err, "out/forces.csv: the run wrote no forces"));
  REQUIRE(slipwave({"report", "out"}, folder.path()).exit_code == 0);
  CHECK(says(read_text(folder / "out/report.html"), "forces.csv, the forces over time"));
  const ProgramResult refused = run_block(folder, {"output.forces_every=-1"});
  CHECK(refused.exit_code == 2);
  CHECK(says(refused.err, "output.forces_every = -1: must be a whole number from 0"));
}

TEST_CASE("cli/forces.csv: follows ledger_every unless told") {
  const TemporaryFolder folder;
  REQUIRE(run_block(folder, {"output.ledger_every=30"}).exit_code == 0);
  CHECK(lines_of(read_text(folder / "out/forces.csv")).size() == 5);  // 30, 60, 90, 100
}

TEST_CASE("cli/report: has the forces with their means") {
  const TemporaryFolder folder;
  REQUIRE(run_block(folder).exit_code == 0);
  REQUIRE(slipwave({"report", "out"}, folder.path()).exit_code == 0);
  const std::string page = read_text(folder / "out/report.html");
  CHECK(says(page, "\"forces\":{"));
  CHECK(says(page, "\"judged_from\":0.1"));
  CHECK(says(page, "\"apparent_friction\":{"));
}

TEST_CASE("cli/study: follows a column of forces.csv between two times") {
  const TemporaryFolder folder;
  write_text(folder / "study.toml",
             study_of("forces = \"bottom.F_N\"\nof = \"mean\"\nfrom = 0.04\nto = 0.08\n"));
  const ProgramResult result = slipwave({"study", "study.toml", "--out", "out"}, folder.path());
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  const std::vector<std::string> rows =
      lines_of(read_text(folder / "out/members/friction_0.1/forces.csv"));
  REQUIRE(rows.size() == 51);
  double sum = 0.0;
  for (int step = 21; step <= 40; ++step) {
    const std::string& row = rows[static_cast<std::size_t>(step)];
    sum += std::stod(row.substr(row.find(',', row.find(',') + 1) + 1));
  }
  const std::string values = "series.0.quantities.0.values.0.value";
  CHECK(std::stod(json_value(folder / "out/study.json", values)) ==
        doctest::Approx(sum / 20.0).epsilon(1e-12));
}

TEST_CASE("cli/study: a column that members will not have is refused before they run") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& quantity, const std::string& message) {
    write_text(folder / "study.toml", study_of(quantity));
    const ProgramResult result = slipwave({"study", "study.toml", "--out", "out"}, folder.path());
    CHECK(result.exit_code == 2);
    CHECK_MESSAGE(says(result.err, message), result.err);
  };
  refused(
      "forces = \"botom.F_N\"\n",
      "quantity \"force\": no column \"botom.F_N\" in forces.csv; it has step, t, bottom.F_N, ");
  refused("forces = \"bottom.F_N\"\nof = \"median\"\n", "of = \"median\"");
  refused("forces = \"bottom.F_N\"\nat = 0.05\n", "at = 0.05: is for one time");
  refused("forces = \"bottom.F_N\"\nfrom = 0.05\nto = 0.02\n", "to = 0.02: must be more than from");
}

TEST_CASE("cli/study: a period is a quantity, and where there is none the study says so") {
  const TemporaryFolder folder;
  write_text(folder / "study.toml", study_of("forces = \"top.F_x\"\nof = \"period\"\n"));
  const ProgramResult result = slipwave({"study", "study.toml", "--out", "out"}, folder.path());
  CHECK(result.exit_code != 0);
  CHECK_MESSAGE(says(result.err, "nothing comes again in the values of top.F_x"), result.err);
}

}  // namespace slipwave::cli_tests
