#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

/// A mass that swings freely, U_n = −cos t, until t = π/2.
const std::string swing = R"([system]
kind = "mass-spring"
K_t = 1
W = 0
K_n = 1
F_t = 0
F_n = 0

[contact]
friction = 0.5

[initial]
position = [0, -1]

[time]
scheme = "moreau-jean"
step = 0.1
end = 1.0
)";

const std::string swing_study = R"(case = "swing.toml"

[[axis]]
key = "time.step"
values = [0.1, 0.05, 0.025, 0.0125]

[[axis]]
key = "time.theta"
values = [0.5, 1.0]

[[quantity]]
name = "kinetic energy"
ledger = "kinetic"
at = 1.0
exact = 0.35403670913678564 # sin² 1 / 2
)";

const std::string block_study = R"(case = ")" SLIPWAVE_ROOT R"(/cases/sliding_block.toml"
set = ["time.end=0.02"]

[[axis]]
key = "mesh.size"
values = [10, 5, 2.5]
unit = "mm"

[[quantity]]
name = "kinetic energy"
ledger = "kinetic"
unit = "N mm"

[[quantity]]
name = "largest work"
ledger = "external_work"
extreme = "max"

[[quantity]]
name = "middle"
probe = [20, 12]
field = "displacement_x"
at = 0.01

[[quantity]]
name = "difference in L2"
error = "L2"
field = "velocity"

[[quantity]]
name = "pressure"
profile = "pressure"
)";

/// A block that is thrown along the ground, a little differently for each seed.
const std::string slide = R"([gravity]
z = -10

[[shape]]
name = "ground"
kind = "half-space"

[[shape]]
name = "block"
kind = "box"
size = [2, 2, 1]
density = 1

[[body]]
name = "ground"
shape = "ground"
group = "ground"

[[body]]
name = "block"
shape = "block"
group = "thrown"
at = [0, 0, 0.5]
velocity = [4, 0, 0]
scatter = { velocity = [1, 0, 0] }

[[contact]]
friction = 0.5

[time]
scheme = "moreau-jean"
step = 1e-2
end = 1.5
)";

const std::string throws = R"(case = "slide.toml"
samples = true

[[axis]]
key = "body[1].scatter.seed"
values = [1, 2, 3, 4, 5]

[[axis]]
key = "time.scheme"
values = ["moreau-jean", "moreau-jean-fremond"]

[[quantity]]
name = "dissipated"
ledger = "contact_work"

[[quantity]]
name = "way"
body = "block"
of = "x"
unit = "m"

[[quantity]]
name = "far"
displaced = ["thrown"]
by = 1.6

[[quantity]]
name = "fastest"
body = "block"
of = "speed"
extreme = "max"
)";

/// The values of study.csv by quantity and by the last axis, in the order of the first.
std::map<std::string, std::map<std::string, std::vector<double>>> values_by_series(
    const std::string& csv) {
  std::map<std::string, std::map<std::string, std::vector<double>>> values;
  std::istringstream rows(csv);
  std::string row;
  std::getline(rows, row);
  while (std::getline(rows, row)) {
    std::vector<std::string> cells;
    std::istringstream line(row);
    for (std::string cell; std::getline(line, cell, ',');) cells.push_back(cell);
    REQUIRE(cells.size() == 5);
    values[cells[1]][cells[3]].push_back(std::stod(cells[4]));
  }
  return values;
}

ProgramResult study(const TemporaryFolder& folder, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"study", "study.toml", "--out", "out"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return slipwave(arguments, folder.path());
}

double number_at(const TemporaryFolder& folder, const std::string& path) {
  return std::stod(json_value(folder / "out/study.json", path));
}

/// What must not depend on how often a study was disturbed.
std::vector<std::string> tables_of(const fs::path& out) {
  std::vector<std::string> texts;
  for (const char* name : {"study.csv", "study.json", "study.md"})
    texts.push_back(read_text(out / name));
  std::vector<fs::path> figures;
  for (const fs::directory_entry& entry : fs::directory_iterator(out / "figures"))
    if (entry.path().filename() != "cost.svg") figures.push_back(entry.path());
  std::sort(figures.begin(), figures.end());
  for (const fs::path& figure : figures) texts.push_back(read_text(figure));
  return texts;
}

std::vector<fs::path> finished_members(const fs::path& out) {
  std::vector<fs::path> finished;
  if (!fs::exists(out / "members")) return finished;
  for (const fs::directory_entry& entry : fs::directory_iterator(out / "members"))
    if (fs::exists(entry.path() / "summary.json"))
      finished.push_back(entry.path() / "summary.json");
  return finished;
}

}  // namespace

TEST_CASE("cli/study: observes order 2 at theta = 1/2 and order 1 at theta = 1") {
  const TemporaryFolder folder;
  write_text(folder / "swing.toml", swing);
  write_text(folder / "study.toml", swing_study);
  const ProgramResult result = study(folder, {"--jobs", "2"});
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(number_at(folder, "series.0.quantities.0.order") == doctest::Approx(2.0).epsilon(0.02));
  CHECK(number_at(folder, "series.1.quantities.0.order") == doctest::Approx(1.0).epsilon(0.05));
  CHECK(lines_of(read_text(folder / "out/study.csv")).size() == 9);
  CHECK(lines_of(read_text(folder / "out/cost.csv")).size() == 9);
  CHECK(read_text(folder / "out/figures/kinetic_energy.svg").starts_with("<?xml"));
  CHECK(result.out.find("theta = 0.5") != std::string::npos);
}

TEST_CASE("cli/study: a study that asks for the wrong order says so and ends with exit code 3") {
  const TemporaryFolder folder;
  write_text(folder / "swing.toml", swing);
  std::string one_series =
      swing_study.substr(0, swing_study.find("[[axis]]\nkey = \"time.theta\""));
  one_series += swing_study.substr(swing_study.find("[[quantity]]"));
  write_text(folder / "study.toml", one_series + "order = 2\nwithin = 1e-3\n");
  CHECK(study(folder).exit_code == 0);
  write_text(folder / "study.toml", one_series + "order = 1\n");
  const ProgramResult wrong = study(folder, {"--resume"});
  CHECK(wrong.exit_code == 3);
  CHECK(wrong.out.find("Not as asked by the study") != std::string::npos);
  CHECK(wrong.err == "4 of 4 members are finished already\n");
}

TEST_CASE("cli/study: an error or a reference that is not finite fails, and is named") {
  const TemporaryFolder folder;
  const std::string text = R"(case = ")" SLIPWAVE_ROOT R"(/cases/sliding_block.toml"
set = ["time.end=0.001", "output.frames_every=0"]

[[axis]]
key = "mesh.size"
values = [10, 5]

[[quantity]]
name = "error"
error = "L2"
exact_x = "EXACT"
exact_y = 0
within = 2
)";
  const auto run = [&](const std::string& exact, const std::vector<std::string>& more) {
    std::string changed = text;
    changed.replace(changed.find("EXACT"), 5, exact);
    write_text(folder / "study.toml", changed);
    return study(folder, more);
  };
  CHECK(run("1", {}).exit_code == 0);
  const ProgramResult infinite = run("x/0", {"--resume"});
  CHECK(infinite.exit_code == 3);
  CHECK(infinite.out.find("Not as asked by the study") != std::string::npos);
  CHECK(infinite.out.find("the error of member size_10 is ") != std::string::npos);
  CHECK(infinite.out.find(": no finite number") != std::string::npos);
}

TEST_CASE("cli/study: members write the frames and histories that their user asks for") {
  const TemporaryFolder folder;
  const auto members = [&](const std::string& set, const std::string& name) {
    std::string text = block_study;
    text.replace(text.find("[10, 5, 2.5]"), 12, "[10, 5]");
    text.replace(text.find("\"time.end=0.02\""), 15, "\"time.end=0.02\"" + set);
    write_text(folder / "study.toml", text);
    const ProgramResult result =
        slipwave({"study", "study.toml", "--out", name, "--jobs", "2"}, folder.path());
    REQUIRE_MESSAGE(result.exit_code == 0, result.err);
    return folder / name / "members/size_5";
  };
  const fs::path asked = members(
      ", \"output.frames_every=40\", \"output.interface_every=7\", \"output.frames_at=[0.013]\"",
      "asked");
  // 0, 40, ... 200 of 200 steps, 130 of frames_at, 100 of the quantity at 0.01; the end is there.
  CHECK(files_of_collection(asked / "frames.pvd").size() == 8);
  CHECK(fs::exists(asked / "frames/frames_0000130.vtu"));
  const std::string written = read_text(asked / "case.toml");
  CHECK(written.find("interface_every = 7") != std::string::npos);
  CHECK(fs::exists(asked / "interface.h5"));
  // The case's own frames_every = 100 counts too; the history, of which it does not speak, is left
  // out.
  const fs::path plain = members("", "plain");
  CHECK(files_of_collection(plain / "frames.pvd").size() == 3);
  CHECK(!fs::exists(plain / "interface.h5"));
  const fs::path none = members(", \"output.frames_every=0\"", "none");
  CHECK(files_of_collection(none / "frames.pvd").size() == 2);
}

TEST_CASE("cli/study: a history that is measured cannot be left out") {
  const TemporaryFolder folder;
  write_text(folder / "study.toml", R"(case = ")" SLIPWAVE_ROOT R"(/cases/sliding_block.toml"
set = ["time.end=0.001", "output.interface_every=0"]

[[axis]]
key = "mesh.size"
values = [10, 5]

[[quantity]]
name = "speed"
wave = "slip-front"
)");
  const ProgramResult result = study(folder);
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("quantity \"speed\": is measured over the history") != std::string::npos);
}

TEST_CASE("cli/study: follows ledger, probe, field error and contact profile of a body") {
  const TemporaryFolder folder;
  write_text(folder / "study.toml", block_study);
  const ProgramResult result = study(folder, {"--jobs", "2"});
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  // Two of the five compare with the finest and have one value less.
  CHECK(lines_of(read_text(folder / "out/study.csv")).size() == 1 + 5 * 3 - 2);
  // The ledger's value is that of the member's own file.
  const std::vector<std::string> rows =
      lines_of(read_text(folder / "out/members/size_5/energy.csv"));
  CHECK(number_at(folder, "series.0.quantities.0.values.1.value") ==
        std::stod(fields_of(rows.back())[2]));
  CHECK(number_at(folder, "series.0.quantities.3.values.1.value") <
        number_at(folder, "series.0.quantities.3.values.0.value"));
  CHECK(fs::exists(folder / "out/figures/pressure_profile.svg"));
  CHECK(!fs::exists(folder / "out/members/size_5.log"));
}

TEST_CASE("cli/study: killed and resumed, it repeats nothing and its tables are the same bytes") {
  const TemporaryFolder undisturbed, folder;
  for (const TemporaryFolder* where : {&undisturbed, &folder})
    write_text(*where / "study.toml", block_study);
  REQUIRE(study(undisturbed, {"--jobs", "2"}).exit_code == 0);
  {
    Program running({SLIPWAVE_PROGRAM, "study", "study.toml", "--out", "out"}, folder.path());
    while (running.running() && finished_members(folder / "out").empty())
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    running.kill();
    CHECK(running.wait().exit_code == -9);
  }
  const std::vector<fs::path> finished = finished_members(folder / "out");
  REQUIRE(!finished.empty());
  REQUIRE(finished.size() < 3);
  CHECK(!fs::exists(folder / "out/study.csv"));
  const auto written = fs::last_write_time(finished.front());
  CHECK(study(folder).exit_code == 2);  // not without being asked
  REQUIRE(study(folder, {"--resume"}).exit_code == 0);
  CHECK(fs::last_write_time(finished.front()) == written);
  CHECK(tables_of(folder / "out") == tables_of(undisturbed / "out"));
}

TEST_CASE("cli/study: a member that was killed goes on from its checkpoint") {
  const TemporaryFolder undisturbed, folder;
  std::string text = block_study;
  text.replace(text.find("time.end=0.02\""), 14, "time.end=0.2\", \"output.checkpoint_every=20\"");
  for (const TemporaryFolder* where : {&undisturbed, &folder})
    write_text(*where / "study.toml", text);
  REQUIRE(study(undisturbed, {"--jobs", "2"}).exit_code == 0);
  {
    Program running({SLIPWAVE_PROGRAM, "study", "study.toml", "--out", "out"}, folder.path());
    const fs::path second = folder / "out/members/size_2.5/checkpoint.previous.h5";
    while (running.running() && !fs::exists(second))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    // Until the one before the newest is no longer that of the start.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    running.kill();
    CHECK(running.wait().exit_code == -9);
  }
  REQUIRE(finished_members(folder / "out").empty());
  REQUIRE(study(folder, {"--resume"}).exit_code == 0);
  CHECK(std::stoi(json_value(folder / "out/members/size_2.5/summary.json", "resumed_at")) >= 20);
  CHECK(tables_of(folder / "out") == tables_of(undisturbed / "out"));
  // What the member cost before it was killed is not known.
  CHECK(lines_of(read_text(folder / "out/cost.csv")).size() == 3);
}

TEST_CASE(
    "cli/study: a member runs again when its mesh file holds something else, not when newer") {
  const TemporaryFolder folder;
  const auto write_mesh = [&](const std::string& size) {
    write_text(folder / "block.msh",
               read_text(SLIPWAVE_TEST_DATA "/meshes/sliding_block_" + size + "mm.msh"));
  };
  write_mesh("4");
  write_text(folder / "study.toml", R"(case = ")" SLIPWAVE_ROOT R"(/cases/sliding_block.toml"
set = ["time.end=0.001", "mesh.file=)" + (folder / "block.msh").string() +
                                        R"(", "mesh.size="]
[[axis]]
key = "contact.friction"
values = [0.3, 0.5]
[[quantity]]
name = "kinetic energy"
ledger = "kinetic"
)");
  REQUIRE(study(folder).exit_code == 0);
  write_mesh("4");
  CHECK(study(folder, {"--resume"}).err == "2 of 2 members are finished already\n");
  write_mesh("2");
  const ProgramResult again = study(folder, {"--resume"});
  CHECK(again.exit_code == 0);
  CHECK(again.err.find("finished already") == std::string::npos);
  CHECK(study(folder, {"--resume"}).err == "2 of 2 members are finished already\n");
}

TEST_CASE("cli/study: interrupted, it stops its members and can be resumed") {
  const TemporaryFolder folder;
  write_text(folder / "study.toml", block_study);
  Program running({SLIPWAVE_PROGRAM, "study", "study.toml", "--out", "out"}, folder.path());
  while (running.running() && finished_members(folder / "out").empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  running.interrupt();
  const ProgramResult result = running.wait();
  CHECK(result.exit_code == 130);
  CHECK(result.err.find("go on with --resume") != std::string::npos);
  CHECK(study(folder, {"--resume"}).exit_code == 0);
}

TEST_CASE("cli/study: a member that fails is reported and the others go on") {
  const TemporaryFolder folder;
  write_text(folder / "swing.toml", swing);
  write_text(folder / "study.toml", R"(case = "swing.toml"
[[axis]]
key = "energy.tolerance"
values = [1e-9, 1e-30]
[[quantity]]
name = "kinetic energy"
ledger = "kinetic"
)");
  const ProgramResult result = study(folder);
  CHECK(result.exit_code == 3);
  CHECK(result.err.find("tolerance_1e-30: FAILED, step ") != std::string::npos);
  CHECK(result.out.find("the energy balance is off by") != std::string::npos);
  CHECK(json_value(folder / "out/study.json", "members.0.finished") == "True");
  CHECK(json_value(folder / "out/study.json", "members.1.finished") == "False");
  CHECK(fs::exists(folder / "out/members/tolerance_1e-30.log"));
}

TEST_CASE("cli/study: sliding with friction of 1 or more is called ill-posed as the mesh refines") {
  const TemporaryFolder folder;
  std::string text = block_study;
  text.replace(text.find("time.end=0.02"), 13, "time.end=0.001\", \"contact.friction=1");
  write_text(folder / "study.toml", text.substr(0, text.find("[[quantity]]\nname = \"middle\"")));
  const ProgramResult result = study(folder);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("warning: ill-posed as the mesh refines") != std::string::npos);
  CHECK(read_text(folder / "out/study.md").find("ill-posed") != std::string::npos);
}

TEST_CASE("cli/study: time.step follows mesh.size by a Courant number and divides the run") {
  const TemporaryFolder folder;
  std::string text = block_study;
  text.replace(text.find("unit = \"mm\""), 11, "courant = 2.0");
  write_text(folder / "study.toml", text);
  REQUIRE(study(folder, {"--jobs", "2"}).exit_code == 0);
  const double c_p = 2374.234;
  for (const std::string size : {"10", "5", "2.5"}) {
    const fs::path summary = folder / ("out/members/size_" + size + "/summary.json");
    const double step = std::stod(json_value(summary, "step"));
    CHECK(step * c_p / std::stod(size) <= 2.0 + 1e-6);
    CHECK(step * c_p / std::stod(size) > 1.5);
    CHECK(step * std::stod(json_value(summary, "steps")) == doctest::Approx(0.02).epsilon(1e-12));
  }
}

TEST_CASE("cli/study: bad study files name file, key and what was expected") {
  struct Bad {
    std::string from, to, message;
  };
  for (const Bad& bad : std::vector<Bad>{
           {"case = ", "cas = ", "study.toml:1: cas: unknown key; did you mean case?"},
           {"swing.toml", "swong.toml", "member step_0.1_theta_0.5: swong.toml: no such case file"},
           {"\"time.step\"", "\"time.stop\"",
            "member stop_0.1_theta_0.5: --set: time.stop: unknown key; did you mean time.step?"},
           {"[0.1, 0.05,", "[0.1, 0.1,",
            "study.toml:5: axis[0].values = [0.1, 0.1, 0.025, 0.0125]: "
            "0.1 is there twice"},
           {"ledger = \"kinetic\"", "",
            "study.toml:12: quantity[0].name = \"kinetic energy\": "
            "expected one of ledger, probe, error, profile, contact, wave, mode, forces, body and "
            "displaced to say what it is"},
           {"ledger = \"kinetic\"", "wave = \"slip-pulse\"",
            "study.toml:14: quantity[0].at = 1: is for one time; this is measured over the whole "
            "run"},
           {"ledger = \"kinetic\"\nat = 1.0", "mode = 3.0\nof = \"growth\"",
            "member step_0.1_theta_0.5: quantity \"kinetic energy\": a case with a [system] has no "
            "fields to measure; use a ledger or forces quantity"},
           {"ledger = \"kinetic\"", "contact = \"pressure\"",
            "member step_0.1_theta_0.5: quantity \"kinetic energy\": a case with a [system] has no "
            "fields to measure; use a ledger or forces quantity"},
           {"at = 1.0", "at = 7.0",
            "member step_0.1_theta_0.5: quantity \"kinetic energy\": at = 7 is not from 0 to the "
            "end, "
            "t = 1"},
           {"key = \"time.theta\"", "key = \"time.step\"",
            "study.toml: axis[1].key = \"time.step\": is an axis already"},
           {"exact = 0.35403670913678564", "within = 1e-3",
            "study.toml:15: quantity[0].within = 0.001: needs something exact to be within"},
           {"at = 1.0", "extreme = \"mean\"",
            "study.toml:14: quantity[0].extreme = \"mean\": expected one of \"max\", \"min\", "
            "\"duration\""},
           {"values = [0.5, 1.0]", "values = [0.5, 1.0]\ncourant = 1",
            "study.toml:10: axis[1].courant = 1: ties time.step to the values of mesh.size; this "
            "axis is another"}}) {
    CAPTURE(bad.to);
    const TemporaryFolder folder;
    write_text(folder / "swing.toml", swing);
    std::string text = swing_study;
    text.replace(text.find(bad.from), bad.from.size(), bad.to);
    write_text(folder / "study.toml", text);
    const ProgramResult result = study(folder);
    CHECK(result.exit_code == 2);
    CHECK(result.err == bad.message + "\n");
    CHECK(!fs::exists(folder / "out"));
  }
}

TEST_CASE("cli/study: the same bytes with 1, 2 and 4 threads a run, one run or two at once") {
  const TemporaryFolder folder;
  write_text(folder / "study.toml", block_study);
  std::vector<std::string> first;
  for (const std::string threads : {"1", "2", "4"}) {
    const std::string out = "with_" + threads, jobs = threads == "4" ? "2" : "1";
    const ProgramResult result = slipwave(
        {"study", "study.toml", "--out", out, "--threads", threads, "--jobs", jobs}, folder.path());
    REQUIRE(result.exit_code == 0);
    if (first.empty()) first = tables_of(folder / out);
    CHECK(tables_of(folder / out) == first);
  }
}

TEST_CASE("cli/study: throws of a body, their mean and spread, and how schemes differ in pairs") {
  const TemporaryFolder folder;
  write_text(folder / "slide.toml", slide);
  write_text(folder / "throws.toml", throws);
  const ProgramResult result =
      slipwave({"study", "throws.toml", "--out", "out", "--jobs", "2"}, folder.path());
  REQUIRE(result.exit_code == 0);
  const auto values = values_by_series(read_text(folder / "out/study.csv"));
  REQUIRE(values.size() == 4);
  double far = 0.0;
  for (const auto& [scheme, ways] : values.at("way")) {
    REQUIRE(ways.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
      // All of ½ m v² is dissipated, m = 4, on a way of v²/(2μg): first order in the step.
      const double dissipated = -values.at("dissipated").at(scheme)[i],
                   v = std::sqrt(dissipated / 2.0);
      CHECK(ways[i] == doctest::Approx(v * v / 10.0).epsilon(0.02));
      CHECK(v == doctest::Approx(values.at("fastest").at(scheme)[i]).epsilon(1e-4));
      CHECK(v >= 3.0);
      CHECK(v <= 5.0);
      CHECK(values.at("far").at(scheme)[i] == (ways[i] > 1.6 ? 1.0 : 0.0));
      far += values.at("far").at(scheme)[i];
    }
  }
  CHECK(far > 0.0);
  CHECK(far < 10.0);
  // The same throw for both schemes, and the same energy: no difference at all.
  CHECK(result.out.find("- scheme = \"moreau-jean-fremond\" less scheme = \"moreau-jean\": ") !=
        std::string::npos);
  const std::string json = read_text(folder / "out/study.json");
  CHECK(json.find("\"standard_deviation\"") != std::string::npos);
  CHECK(json.find("\"mean_difference\"") != std::string::npos);
}

TEST_CASE("cli/study: bodies and groups that are not there are known before anything runs") {
  const TemporaryFolder folder;
  write_text(folder / "study.toml", "case = \"" SLIPWAVE_ROOT R"(/cases/rolling_sphere.toml"

[[axis]]
key = "contact.friction"
values = [0.1, 0.2]

[[quantity]]
name = "q"
body = "nobody"
of = "z"
)");
  ProgramResult result = study(folder);
  CHECK(result.exit_code == 2);
  CHECK(result.err == "member friction_0.1: quantity \"q\": the case has no body \"nobody\"\n");
  std::string text = read_text(folder / "study.toml");
  text.replace(text.find("body = \"nobody\"\nof = \"z\""), 24, "displaced = [\"walls\"]\nby = 1");
  write_text(folder / "study.toml", text);
  result = study(folder);
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("quantity \"q\": the case has no group \"walls\"; it has ") !=
        std::string::npos);
}

}  // namespace slipwave::cli_tests
