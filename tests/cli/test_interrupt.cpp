#include "tests/cli/program.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace slipwave::cli_tests {

namespace {

const std::string block = SLIPWAVE_ROOT "/cases/sliding_block.toml";

std::vector<std::string> run_with(const std::vector<std::string>& replacements) {
  std::vector<std::string> arguments{"run", block, "--out", "out", "--set", "mesh.size=8"};
  for (const std::string& replacement : replacements) {
    arguments.push_back("--set");
    arguments.push_back(replacement);
  }
  return arguments;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The step of the last row of energy.csv, which must be complete.
int last_step(const std::filesystem::path& file) {
  const std::string text = read_text(file);
  REQUIRE(text.ends_with("\n"));
  const std::vector<std::string> rows = lines_of(text);
  for (const std::string& row : rows) REQUIRE(fields_of(row).size() == 21);
  return std::stoi(fields_of(rows.back()).front());
}

/// The collection is whole, lists only files that are there, and ends with the step's.
void check_collection(const std::filesystem::path& pvd, int step) {
  CHECK(read_text(pvd).ends_with("</VTKFile>\n"));
  const auto files = files_of_collection(pvd);
  REQUIRE(!files.empty());
  for (const auto& file : files) CHECK(std::filesystem::file_size(file) > 0);
  CHECK(files.back().stem().string().ends_with(fmt::format("_{:07d}", step)));
}

}  // namespace

TEST_CASE("cli/interrupt: Ctrl-C ends the run after its step with everything written") {
  const TemporaryFolder folder;
  std::vector<std::string> command = run_with({"time.end=100", "output.frames_every=200"});
  command.insert(command.begin(), SLIPWAVE_PROGRAM);
  Program program(command, folder.path());
  const auto second_frame = folder.path() / "out/frames/frames_0000200.vtu";
  for (int i = 0; i < 12000 && program.running() && !std::filesystem::exists(second_frame); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  REQUIRE(program.running());
  program.interrupt();
  const ProgramResult result = program.wait();
  CHECK(result.exit_code == 130);
  const int step = last_step(folder / "out/energy.csv");
  CHECK(step >= 200);
  CHECK(says(result.err, "interrupted after step " + std::to_string(step) + " (t = "));
  CHECK(says(
      result.err,
      "What was computed so far is in out; the same command with --resume goes on after step " +
          std::to_string(step) + "\n"));
  check_collection(folder / "out/frames.pvd", step);
  check_collection(folder / "out/contact.pvd", step);
  CHECK(json_value(folder / "out/summary.json", "exit_reason") == "interrupted");
  CHECK(json_value(folder / "out/summary.json", "steps") == std::to_string(step));
}

TEST_CASE("cli/failure: a step that misses the tolerance stops the run with exit code 3") {
  const TemporaryFolder folder;
  const ProgramResult result =
      slipwave(run_with({"solver.method=nsgs", "solver.max_iterations=1", "solver.tolerance=1e-15",
                         "output.frames_every=100"}),
               folder.path());
  CHECK(result.exit_code == 3);
  const int step = last_step(folder / "out/energy.csv");
  CHECK(says(result.err, "step " + std::to_string(step) + " (t = "));
  CHECK(says(result.err, "contact problem stopped at residual "));
  const std::string problem = "out/failed_step_" + std::to_string(step) + ".hdf5";
  CHECK(says(result.err, " > 1.0e-15 after 1 iteration(s), worst at contact "));
  CHECK(says(result.err, " on contact line \"bottom\": mu = "));
  CHECK(says(result.err, "; the problem was written to " + problem + ". Try "));
  CHECK(std::filesystem::exists(folder / problem));
  CHECK(says(result.err,
             "solver.max_iterations or solver.tolerance; solver.on_failure = \"continue\" "));
  check_collection(folder / "out/frames.pvd", step);
  check_collection(folder / "out/contact.pvd", step);
  CHECK(json_value(folder / "out/summary.json", "exit_reason") == "contact solve failed");
  CHECK(json_value(folder / "out/summary.json", "counts.failed_steps") == "1");
}

TEST_CASE("cli/failure: on_failure = continue completes the run and counts the steps") {
  const TemporaryFolder folder;
  std::vector<std::string> arguments =
      run_with({"solver.max_iterations=1", "solver.tolerance=1e-15", "solver.on_failure=continue",
                "energy.tolerance=1"});
  arguments.insert(arguments.end(), {"--steps", "20"});
  const ProgramResult result = slipwave(arguments, folder.path());
  CHECK(result.exit_code == 0);
  CHECK(last_step(folder / "out/energy.csv") == 20);
  CHECK(json_value(folder / "out/summary.json", "exit_reason") == "completed");
  const std::string failed = json_value(folder / "out/summary.json", "counts.failed_steps");
  CHECK(std::stoi(failed) > 0);
  CHECK(says(result.out, failed + " step(s) missed the tolerance"));
}

TEST_CASE("cli/failure: an energy balance that does not close stops the run with exit code 3") {
  const TemporaryFolder folder;
  const ProgramResult result = slipwave(run_with({"energy.tolerance=1e-30"}), folder.path());
  CHECK(result.exit_code == 3);
  const int step = last_step(folder / "out/energy.csv");
  CHECK(says(result.err, "step " + std::to_string(step) + " (t = "));
  CHECK(says(result.err, "the energy balance is off by "));
  CHECK(says(result.err,
             "= energy.tolerance x the energy exchanged so far. Try a smaller time.step"));
  check_collection(folder / "out/frames.pvd", step);
  CHECK(json_value(folder / "out/summary.json", "exit_reason") == "energy balance failed");
}

TEST_CASE("cli/failure: a formula that becomes infinite stops the run, whatever on_failure says") {
  const TemporaryFolder folder;
  const ProgramResult result = slipwave(
      run_with({"gravity.y=1/(t < 5e-4 ? 1 : 0)", "solver.on_failure=continue"}), folder.path());
  CHECK(result.exit_code == 3);
  CHECK(says(result.err,
             "step 5 (t = 0.0005 ms): the solution is no longer a finite number: the displacement "
             "of node "));
  CHECK(says(result.err,
             ". Likely cause: gravity.y = \"1/(t < 5e-4 ? 1 : 0)\" is inf at t = 0.0005 ms: "
             "correct the formula"));
  CHECK(last_step(folder / "out/energy.csv") == 5);
  CHECK(json_value(folder / "out/summary.json", "exit_reason") == "not finite");
}

}  // namespace slipwave::cli_tests
