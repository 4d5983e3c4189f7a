#include "app/results/interface_file.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/same_results.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace slipwave::cli_tests {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Words run_words(const std::string& out, const std::string& end) {
  return {"run",
          SLIPWAVE_ROOT "/cases/sliding_block.toml",
          "--out",
          out,
          "--quiet",
          "--set",
          "mesh.size=8",
          "--set",
          "time.end=" + end,
          "--set",
          "output.frames_every=50",
          "--set",
          "output.checkpoint_every=50"};
}

/// A finished run of 200 steps in "out".
void run_once(const TemporaryFolder& folder) {
  REQUIRE(slipwave(run_words("out", "0.02"), folder.path()).exit_code == 0);
}

/// The first part of a file, as a broken copy leaves it.
void cut(const fs::path& file, double share) {
  const auto size = static_cast<double>(fs::file_size(file));
  fs::resize_file(file, static_cast<std::uintmax_t>(share * size));
}

void check_refused(const TemporaryFolder& folder, const Words& command,
                   const std::string& message) {
  const ProgramResult result = slipwave(command, folder.path());
  CAPTURE(command[0]);
  CAPTURE(result.err);
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, message));
  CHECK(lines_of(result.err).size() == 1);
}

const Words report{"report", "out"}, energy{"plot", "out", "--figure", "energy"},
    snapshot{"plot", "out", "--figure", "snapshot"}, view{"view", "out", "--no-open"};

}  // namespace

TEST_CASE("cli/damaged_results: a finished run's energy.csv that was cut is named") {
  const TemporaryFolder folder;
  run_once(folder);
  const std::string whole = read_text(folder / "out/energy.csv");
  cut(folder / "out/energy.csv", 0.5);
  for (const Words& command : {report, energy})
    check_refused(folder, command, "out/energy.csv: is cut short: its last row is not whole");
  write_text(folder / "out/energy.csv", whole.substr(0, whole.rfind('\n', whole.size() / 2) + 1));
  for (const Words& command : {report, energy}) {
    check_refused(folder, command, "out/energy.csv: ends after step ");
    check_refused(folder, command, ", and summary.json says 200 steps");
  }
}

TEST_CASE("cli/damaged_results: a finished run's forces.csv that was cut is named") {
  const TemporaryFolder folder;
  run_once(folder);
  const Words forces{"plot", "out", "--figure", "forces"};
  const std::string whole = read_text(folder / "out/forces.csv");
  cut(folder / "out/forces.csv", 0.5);
  for (const Words& command : {report, forces})
    check_refused(folder, command, "out/forces.csv: is cut short: its last row is not whole");
  write_text(folder / "out/forces.csv", whole.substr(0, whole.rfind('\n', whole.size() / 2) + 1));
  for (const Words& command : {report, forces})
    check_refused(folder, command, "out/forces.csv: ends after step ");
}

TEST_CASE(
    "cli/damaged_results: a run without a summary is read to its last whole row, and it is said") {
  const TemporaryFolder folder;
  run_once(folder);
  fs::remove(folder / "out/summary.json");
  cut(folder / "out/energy.csv", 0.5);
  for (const Words& command : {report, energy}) {
    const ProgramResult result = slipwave(command, folder.path());
    CHECK(result.exit_code == 0);
    CHECK(says(
        result.err,
        "warning: out: has no summary.json: the run goes on, or was killed. Read up to step "));
  }
}

TEST_CASE("cli/damaged_results: a summary.json that is empty, cut or lacks keys is named") {
  const TemporaryFolder folder;
  run_once(folder);
  const std::string whole = read_text(folder / "out/summary.json");
  const auto is_refused = [&](const std::string& text, const std::string& message) {
    write_text(folder / "out/summary.json", text);
    for (const Words& command : {report, energy})
      check_refused(folder, command, "out/summary.json: " + message);
  };
  is_refused("", "is cut short after 0 bytes");
  is_refused(whole.substr(0, whole.size() / 2), "is cut short after ");
  is_refused(whole.substr(0, whole.find("\"scheme\"") + 4), "is cut short after ");
  is_refused("{}",
             "has no \"case\"; remove it, and the run's command with --resume writes it anew");
  is_refused(whole + "}", "is no JSON after ");
  fs::remove(folder / "out/summary.json");
  CHECK(slipwave(run_words("out", "0.02") + Words{"--resume"}, folder.path()).exit_code == 0);
  CHECK(slipwave(report, folder.path()).err == "");
}

TEST_CASE(
    "cli/damaged_results: a frames.pvd that was cut and frames that are gone or cut are named") {
  const TemporaryFolder folder;
  run_once(folder);
  const std::string whole = read_text(folder / "out/frames.pvd");
  for (const double share : {0.0, 0.3, 0.6, 0.95}) {
    cut(folder / "out/frames.pvd", share);
    for (const Words& command : {report, snapshot, view})
      check_refused(folder, command, "out/frames.pvd: is cut short");
    write_text(folder / "out/frames.pvd", whole);
  }
  const fs::path frame = folder / "out/frames/frames_0000100.vtu";
  const std::string bytes = read_text(frame);
  for (const double share : {0.0, 0.2, 0.9}) {
    cut(frame, share);
    for (const Words& command : {report, snapshot})
      check_refused(folder, command, "frames_0000100.vtu: this frame is cut short");
    write_text(frame, bytes);
  }
  fs::remove(frame);
  for (const Words& command : {report, snapshot, view})
    check_refused(folder, command, "frames_0000100.vtu, which is missing");
}

namespace {

/// interface.h5 of a run of the same case that was killed after more than 200 steps.
std::string file_of_killed_run(const TemporaryFolder& folder) {
  Program running(Words{SLIPWAVE_PROGRAM} + run_words("killed", "1000"), folder.path());
  for (int i = 0; i < 6000 && !fs::exists(folder / "killed/frames/frames_0000400.vtu"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  running.kill();
  REQUIRE(running.wait().exit_code == -9);
  return read_text(folder / "killed/interface.h5");
}

std::string damaged(std::string bytes, std::mt19937& generator) {
  const bool anywhere = generator() % 2 == 0;
  const std::size_t place = generator() % (anywhere ? bytes.size() : 4096);
  if (generator() % 4 == 0) return bytes.substr(0, place);
  bytes[place] = static_cast<char>(bytes[place] ^ (1 << generator() % 8));
  return bytes;
}

}  // namespace

TEST_CASE(
    "cli/damaged_results: a damaged interface.h5 is exit code 2 at once, or does not matter") {
  const TemporaryFolder folder;
  run_once(folder);
  REQUIRE(slipwave(run_words("longer", "0.021"), folder.path()).exit_code == 0);
  const std::string finished = read_text(folder / "out/interface.h5");
  fs::copy(folder / "out", folder / "start", fs::copy_options::recursive);
  std::mt19937 generator(16);
  int messages = 0;
  for (const std::string& whole : {finished, file_of_killed_run(folder)})
    for (int trial = 0; trial < 12; ++trial) {
      CAPTURE(trial);
      CAPTURE(whole == finished);
      write_text(folder / "out/interface.h5", damaged(whole, generator));
      fs::copy(folder / "start", folder / "copy", fs::copy_options::recursive);
      fs::copy(folder / "out/interface.h5", folder / "copy/interface.h5",
               fs::copy_options::overwrite_existing);
      for (const Words& command :
           {Words{"waves", "out"}, Words{"plot", "out", "--figure", "interface"},
            Words{"report", "out"}, run_words("copy", "0.021") + Words{"--resume"}}) {
        CAPTURE(command[0]);
        const ProgramResult result = Program(Words{SLIPWAVE_PROGRAM} + command, folder.path())
                                         .wait(std::chrono::seconds(60));
        CAPTURE(result.err);
        if (result.exit_code != 0) CHECK(result.exit_code == 2);
        if (result.exit_code == 2) CHECK(says(result.err, "/interface.h5: "));
        messages += result.exit_code == 2 ? 1 : 0;
        if (command[0] == "run" && result.exit_code == 0)
          CHECK(tests::difference_of_results(folder / "longer", folder / "copy") == "");
      }
      fs::remove_all(folder / "copy");
    }
  MESSAGE(messages << " of 96 commands found the damage");
  CHECK(messages > 20);
}

TEST_CASE("cli/damaged_results: --resume finishes the interface.h5 of a complete run") {
  const TemporaryFolder folder;
  run_once(folder);
  const std::string finished = read_text(folder / "out/interface.h5");
  const pid_t child = fork();
  if (child == 0) {  // writes it again, and ends as a killed run does
    app::InterfaceHistory rows = app::read_interface_history(folder / "out/interface.h5");
    auto* file = new app::InterfaceFile(folder / "out/interface.h5", rows, {}, 256);
    file->append(rows, static_cast<int>(rows.t.size()));
    _exit(0);
  }
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  REQUIRE(read_text(folder / "out/interface.h5") != finished);
  const ProgramResult result =
      slipwave(run_words("out", "0.02") + Words{"--resume"}, folder.path());
  CHECK(result.exit_code == 0);
  CHECK(says(result.out, "out: is complete, 200 steps"));
  CHECK(read_text(folder / "out/interface.h5") == finished);
}

}  // namespace slipwave::cli_tests
