#include "app/report/coarse_mesh.hpp"
#include "app/report/envelope.hpp"
#include "app/report/packed.hpp"
#include "app/report/write_report.hpp"
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

/// A square of n x n nodes.
fem::Mesh square(int n) {
  fem::Mesh mesh;
  mesh.nodes.resize(2, n * n);
  mesh.triangles.resize(3, 2 * (n - 1) * (n - 1));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) mesh.nodes.col(j * n + i) << i / (n - 1.0), j / (n - 1.0);
  int e = 0;
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = j * n + i;
      mesh.triangles.col(e++) << a, a + 1, a + n + 1;
      mesh.triangles.col(e++) << a, a + n + 1, a + n;
    }
  return mesh;
}

double area(const fem::Mesh& mesh, const app::CoarseMesh& coarse) {
  double sum = 0.0;
  for (const auto& triangle : coarse.triangles) {
    Eigen::Matrix<double, 2, 3> p;
    for (int k = 0; k < 3; ++k)
      p.col(k) = mesh.nodes.col(
          coarse.nodes[static_cast<std::size_t>(triangle[static_cast<std::size_t>(k)])]);
    const Eigen::Vector2d b = p.col(1) - p.col(0), c = p.col(2) - p.col(0);
    sum += 0.5 * std::abs(b[0] * c[1] - b[1] * c[0]);
  }
  return sum;
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

TEST_CASE("app/report: text of the data cannot leave its block") {
  const std::string plain = app::page_with("{\"runs\":[]}");
  const std::string hostile = app::page_with("{\"runs\":[],\"case\":\"</script><b><!--\"}");
  CHECK(times(hostile, "</script>") == times(plain, "</script>"));
  CHECK(times(hostile, "<!--") == times(plain, "<!--"));
  CHECK(times(hostile, "\\u003c/script>\\u003cb>\\u003c!--") == 1);
}

TEST_CASE("app/report: a thinned curve keeps its ends and every spike") {
  std::vector<double> values(10'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.001 * double(i));
  values[1234] = 50.0;
  values[1235] = -50.0;
  const std::vector<std::size_t> rows = app::envelope(values, 100);
  CHECK(rows.size() <= 202);
  CHECK(rows.front() == 0);
  CHECK(rows.back() == 9'999);
  CHECK(std::is_sorted(rows.begin(), rows.end()));
  CHECK(std::count(rows.begin(), rows.end(), 1234) == 1);
  CHECK(std::count(rows.begin(), rows.end(), 1235) == 1);
}

TEST_CASE("app/report: a short curve is drawn row by row, and a gap is not lost") {
  CHECK(app::envelope({3.0, 1.0, 2.0}, 100) == std::vector<std::size_t>{0, 1, 2});
  CHECK(app::envelope({}, 100).empty());
  std::vector<double> values(1'000, 1.0);
  values[777] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::size_t> rows = app::envelope(values, 10);
  CHECK(std::count(rows.begin(), rows.end(), 777) == 1);
}

TEST_CASE("app/report: quantised numbers are off by half a level at most") {
  std::vector<float> values;
  for (int i = 0; i < 1'000; ++i) values.push_back(std::sin(float(i)) * 17.0f - 3.0f);
  values.push_back(std::numeric_limits<float>::quiet_NaN());
  const app::Quantised q = app::quantise(values);
  const double level = (q.high - q.low) / 65534.0;
  for (std::size_t i = 0; i < 1'000; ++i)
    CHECK(std::abs(q.low + level * q.levels[i] - values[i]) <= 0.5001 * level);
  CHECK(q.levels.back() == 65535);
  CHECK(app::quantise(std::vector<float>(3, 2.0f)).levels == std::vector<std::uint16_t>(3, 0));
}

TEST_CASE("app/report: a coarse mesh has few nodes and covers the body") {
  const fem::Mesh mesh = square(101);
  const app::CoarseMesh coarse = app::coarsen(mesh, 500);
  CHECK(coarse.nodes.size() <= 500);
  CHECK(coarse.nodes.size() > 250);
  CHECK(area(mesh, coarse) == doctest::Approx(1.0).epsilon(0.03));
  const app::CoarseMesh all = app::coarsen(mesh, 10'201);
  CHECK(all.nodes.size() == 10'201);
  CHECK(area(mesh, all) == doctest::Approx(1.0).epsilon(1e-12));
}
