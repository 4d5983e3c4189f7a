#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

/// A folder with the results of fifty steps of the sliding block, a frame every ten.
struct BlockRun {
  TemporaryFolder folder;

  BlockRun() {
    const ProgramResult result =
        slipwave({"run", SLIPWAVE_ROOT "/cases/sliding_block.toml", "--out", "out", "--steps", "50",
                  "--set", "mesh.size=4", "--set", "output.frames_every=10"},
                 folder.path());
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
  }
  ProgramResult plot(std::vector<std::string> more) const {
    more.insert(more.begin(), {"plot", "out"});
    return slipwave(more, folder.path());
  }
  void check_refused(const std::vector<std::string>& more, const std::string& message) const {
    const ProgramResult result = plot(more);
    CHECK(result.exit_code == 2);
    CHECK_MESSAGE(result.err.find(message) != std::string::npos, result.err);
  }
};

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i)
    number = number << 8U | static_cast<unsigned char>(bytes.at(i));
  return number;
}

bool is_xml(const fs::path& file) {
  const std::string parse = "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])";
  return Program({"python3", "-c", parse, file.string()}, "/").wait().exit_code == 0;
}

}  // namespace

TEST_CASE("cli/plot: every figure in every format") {
  const BlockRun run;
  for (const char* figure : {"energy", "work", "forces", "interface", "snapshot"}) {
    CAPTURE(figure);
    for (const char* format : {"svg", "pdf", "png"}) {
      const ProgramResult result =
          run.plot({"--figure", figure, "--format", format, "--width", "127"});
      CAPTURE(result.err);
      CHECK(result.exit_code == 0);
      CHECK(result.out == "out/" + std::string(figure) + "." + format + "\n");
    }
    const std::string stem = "out/" + std::string(figure);
    CHECK(is_xml(run.folder / (stem + ".svg")));
    const std::string pdf = read_text(run.folder / (stem + ".pdf"));
    CHECK(pdf.starts_with("%PDF-"));
    std::smatch box;
    REQUIRE(std::regex_search(pdf, box, std::regex(R"(/MediaBox \[ 0 0 ([\d.]+) )")));
    CHECK(std::stod(box[1]) == doctest::Approx(5.0 * 72.0).epsilon(1e-4));
    CHECK(pdf.find("/Type /Font") != std::string::npos);
    const std::string png = read_text(run.folder / (stem + ".png"));
    CHECK(png.substr(1, 3) == "PNG");
    CHECK(std::abs(static_cast<int>(big_endian(png, 16)) - 1500) <= 1);
    CHECK(big_endian(png, 20) > 300);
  }
}

TEST_CASE("cli/plot: the curve of the tangential work is that of energy.csv") {
  const BlockRun run;
  REQUIRE(run.plot({"--figure", "work", "--out", "work.svg"}).exit_code == 0);
  const std::vector<std::string> rows = lines_of(read_text(run.folder / "out/energy.csv"));
  const std::vector<std::string> names = fields_of(rows[0]);
  const auto column = static_cast<std::size_t>(
      std::find(names.begin(), names.end(), "min_tangential_work") - names.begin());
  std::vector<double> work;
  for (std::size_t i = 1; i < rows.size(); ++i)
    work.push_back(std::stod(fields_of(rows[i])[column]));
  REQUIRE(work.size() == 51);

  const std::string svg = read_text(run.folder / "work.svg");
  const std::string last = svg.substr(svg.find(">(b)</text>"));
  std::smatch match;
  REQUIRE(std::regex_search(last, match,
                            std::regex(R"re(stroke="#0072B2"[^>]*>\n<path d="M([^"]*)")re")));
  std::vector<double> height;
  static const std::regex point(R"re([\d.]+,([\d.]+))re");
  const std::string path = match[1];
  for (std::sregex_iterator i(path.begin(), path.end(), point), none; i != none; ++i)
    height.push_back(std::stod((*i)[1]));
  REQUIRE(height.size() == work.size());
  // A linear axis: heights are one and the same linear function of the numbers.
  const auto lowest =
      static_cast<std::size_t>(std::min_element(work.begin(), work.end()) - work.begin());
  const double px = (height[lowest] - height[0]) / (work[lowest] - work[0]);
  CHECK(px < 0.0);
  for (std::size_t i = 0; i < work.size(); ++i)
    CHECK(std::abs(height[i] - height[0] - px * (work[i] - work[0])) <= 0.011);
}

TEST_CASE("cli/plot: a snapshot is of the frame nearest to the time asked for") {
  const BlockRun run;
  const auto title = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--figure", "snapshot", "--out", "snapshot.svg"});
    REQUIRE(run.plot(more).exit_code == 0);
    std::smatch match;
    const std::string svg = read_text(run.folder / "snapshot.svg");
    REQUIRE(std::regex_search(svg, match, std::regex(" = ([0-9.]+ ms, warp [0-9]+×)")));
    return match[1].str();
  };
  CHECK(title({"--time", "0.0011"}) == "0.001 ms, warp 1000×");
  CHECK(title({"--time", "7", "--warp", "20"}) == "0.005 ms, warp 20×");
  CHECK(title({"--field", "von_mises", "--time", "0.0038"}) == "0.004 ms, warp 1000×");
}

TEST_CASE("cli/plot: what cannot be drawn is refused in one line that names it") {
  const BlockRun run;
  run.check_refused({"--figure", "circle"}, "--figure: circle not in");
  run.check_refused({"--figure", "energy", "--format", "gif"}, "--format: gif not in");
  run.check_refused({"--figure", "energy", "--time", "0.1"}, "--time 0.1: the figure \"energy\"");
  run.check_refused({"--figure", "energy", "--time", "0.2:0.1"},
                    "--time 0.2:0.1: expected T0 < T1");
  run.check_refused({"--figure", "snapshot", "--time", "noon"}, "--time noon: expected a time");
  run.check_refused({"--figure", "snapshot", "--field", "heat"}, "no field \"heat\"");
  run.check_refused({"--figure", "interface", "--line", "top"},
                    "no contact line \"top\"; it has bottom");
  run.check_refused({"--figure", "energy", "--out", "nowhere/energy.svg"},
                    "nowhere: no such folder");
  run.check_refused({"--figure", "energy", "--out", "out"}, "out: is a folder");
  fs::remove(run.folder / "out/interface.h5");
  run.check_refused({"--figure", "interface"},
                    "out/interface.h5: the run wrote no interface history");
  fs::remove(run.folder / "out/frames.pvd");
  run.check_refused({"--figure", "snapshot"}, "out: the run wrote no frames");
  fs::remove(run.folder / "out/energy.csv");
  run.check_refused({"--figure", "energy"}, "out: has no energy.csv");
  const ProgramResult result = slipwave({"plot", "void", "--figure", "work"}, run.folder.path());
  CHECK(result.exit_code == 2);
  CHECK(result.err == "void: no such folder; expected the results of a run\n");
}

TEST_CASE("cli/plot: rigid bodies have energies, but no mesh") {
  const TemporaryFolder folder;
  REQUIRE(
      slipwave({"run", SLIPWAVE_ROOT "/cases/bouncing_ball.toml", "--steps", "20", "--out", "out"},
               folder.path())
          .exit_code == 0);
  CHECK(slipwave({"plot", "out", "--figure", "energy"}, folder.path()).exit_code == 0);
  const ProgramResult result = slipwave({"plot", "out", "--figure", "snapshot"}, folder.path());
  CHECK(result.exit_code == 2);
}

TEST_CASE(
    "cli/plot: what contacts dissipated and did, of both schemes side by side, in every format") {
  const TemporaryFolder folder;
  const std::vector<std::string> schemes{"moreau-jean", "moreau-jean-fremond"};
  for (const std::string& scheme : schemes)
    REQUIRE(slipwave({"run", SLIPWAVE_ROOT "/cases/domino.toml", "--out", scheme, "--steps", "150",
                      "--set", "time.scheme=" + scheme},
                     folder.path())
                .exit_code == 0);
  const auto plot = [&](const std::string& figure, const std::string& format) {
    return slipwave({"plot", schemes[0], schemes[1], "--figure", figure, "--format", format},
                    folder.path());
  };
  for (const std::string figure : {"dissipation", "contact-work"}) {
    CAPTURE(figure);
    const std::string stem = schemes[0] + "/" + figure;
    for (const std::string format : {"svg", "pdf", "png"}) {
      const ProgramResult result = plot(figure, format);
      CAPTURE(result.err);
      CHECK(result.exit_code == 0);
      CHECK(result.out == stem + "." + format + "\n");
    }
    CHECK(is_xml(folder / (stem + ".svg")));
    const std::string svg = read_text(folder / (stem + ".svg"));
    for (const std::string& scheme : schemes)
      CHECK(svg.find(">" + scheme + "</text>") != std::string::npos);
    CHECK(svg.find("stroke=\"#0072B2\"") != std::string::npos);
    CHECK(svg.find("stroke=\"#D55E00\"") != std::string::npos);
    CHECK(read_text(folder / (stem + ".pdf")).starts_with("%PDF-"));
    CHECK(read_text(folder / (stem + ".png")).substr(1, 3) == "PNG");
  }
  const ProgramResult of_one = plot("energy", "svg");
  CHECK(of_one.exit_code == 2);
  CHECK(of_one.err.find("--figure energy: is of one run") != std::string::npos);
}

}  // namespace slipwave::cli_tests
