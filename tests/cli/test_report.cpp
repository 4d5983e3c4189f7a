#include "tests/cli/program.hpp"
#include "tests/cli/small_case.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace slipwave;
using namespace slipwave::cli_tests;

namespace {

struct Run {
  TemporaryFolder folder;
  Run() {
    write_text(folder / "block.msh", small_mesh);
    write_text(folder / "block.toml", small_case);
  }
  ProgramResult operator()(const std::vector<std::string>& arguments) {
    return cli_tests::slipwave(arguments, folder.path());
  }
};

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("cli/report: writes one page into the folder of the run, and it may load nothing") {
  Run run;
  REQUIRE(run({"run", "block.toml", "--out", "r", "--quiet"}).exit_code == 0);
  const ProgramResult result = run({"report", "r"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with("r/report.html: 1 run(s)"));
  const std::string page = read_text(run.folder / "r/report.html");
  CHECK(page.starts_with("<!doctype html>"));
  CHECK(times(page, "default-src 'none'; script-src 'sha256-") == 1);
  CHECK(times(page, "<script src") == 0);
  CHECK(times(page, "<link rel=\"stylesheet\"") == 0);
  CHECK(times(page, "\"runs\"") == 1);
}

TEST_CASE("cli/report: puts several runs on one page, where --out says") {
  Run run;
  REQUIRE(run({"run", "block.toml", "--out", "a", "--quiet"}).exit_code == 0);
  REQUIRE(run({"run", "block.toml", "--out", "b", "--quiet", "--set", "time.scheme=moreau-jean"})
              .exit_code == 0);
  CHECK(run({"report", "a", "b", "--out", "both.html"}).exit_code == 0);
  const std::string page = read_text(run.folder / "both.html");
  CHECK(times(page, "\"folder\":\"a\"") == 1);
  CHECK(times(page, "\"folder\":\"b\"") == 1);
  CHECK_FALSE(std::filesystem::exists(run.folder / "a/report.html"));
}

TEST_CASE("cli/report: a page that compares runs does not take the place of a run's own") {
  Run run;
  REQUIRE(run({"run", "block.toml", "--out", "a", "--quiet"}).exit_code == 0);
  std::filesystem::create_directories(run.folder / "deep");
  REQUIRE(run({"run", "block.toml", "--out", "deep/b", "--quiet"}).exit_code == 0);
  REQUIRE(run({"report", "a"}).exit_code == 0);
  const std::string own = read_text(run.folder / "a/report.html");
  const ProgramResult both = run({"report", "a", "deep/b/"});
  CHECK(both.exit_code == 0);
  CHECK(both.out.starts_with("a/report_with_b.html: 2 run(s)"));
  CHECK(read_text(run.folder / "a/report.html") == own);
  CHECK(times(read_text(run.folder / "a/report_with_b.html"), "\"folder\":\"deep/b/\"") == 1);
}

TEST_CASE("cli/report: says what a folder lacks, and how to get it") {
  Run run;
  REQUIRE(run({"run", "block.toml", "--out", "r", "--quiet", "--set", "output.frames_every=0",
               "--set", "output.interface_every=0"})
              .exit_code == 0);
  REQUIRE(run({"report", "r"}).exit_code == 0);
  const std::string page = read_text(run.folder / "r/report.html");
  CHECK(times(page, "run the case again with output.frames_every above 0") == 1);
  CHECK(times(page, "run the case again with output.interface_every = 1") == 1);
}

TEST_CASE("cli/report: a system of a few degrees of freedom has its trajectory on the page") {
  Run run;
  const std::string file = std::string(SLIPWAVE_ROOT) + "/cases/mass_spring.toml";
  REQUIRE(run({"run", file, "--out", "r", "--quiet", "--steps", "20"}).exit_code == 0);
  REQUIRE(run({"report", "r"}).exit_code == 0);
  CHECK(times(read_text(run.folder / "r/report.html"), "\"trajectory\":{") == 1);
}

TEST_CASE("cli/report: refuses what is no run's folder, and a place that is not there") {
  Run run;
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const ProgramResult result = run(arguments);
    CHECK(result.exit_code == 2);
    CHECK(result.err == message);
  };
  refused({"report", "nowhere"}, "nowhere: no such folder; expected the results of a run\n");
  refused({"report", "."}, ".: has no energy.csv; expected the results of a run\n");
  REQUIRE(run({"run", "block.toml", "--out", "r", "--quiet"}).exit_code == 0);
  refused({"report", "r", "--out", "x/y.html"}, "x: no such folder (--out)\n");
  refused({"report", "r", "--out", "r"},
          "r: is a folder; expected a file for the report (--out)\n");
}
