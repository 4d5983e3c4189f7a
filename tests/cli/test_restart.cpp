#include "app/messages/user_error.hpp"
#include "app/results/checkpoint.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/same_results.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace slipwave::cli_tests {

namespace {

using Clock = std::chrono::steady_clock;
using Words = std::vector<std::string>;

const std::string block = SLIPWAVE_ROOT "/cases/sliding_block.toml";

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A run with every kind of file, a checkpoint every 40 steps and strides that do not divide it.
Words run_into(const std::string& out) {
  Words words{"run", block, "--out", out, "--quiet"};
  for (const char* setting :
       {"mesh.size=4", "time.end=0.15", "output.checkpoint_every=40", "output.frames_every=77",
        "output.interface_every=3", "output.ledger_every=7", "output.forces_every=9"})
    words = words + Words{"--set", setting};
  return words;
}

/// The same of an arch that falls, some of whose contacts open and close in every step.
Words run_arch_into(const std::string& out) {
  Words words{"run", SLIPWAVE_ROOT "/cases/arch.toml", "--out", out, "--quiet"};
  for (const char* setting :
       {"pattern.thickness=0.1", "time.end=0.45", "output.checkpoint_every=20",
        "output.frames_every=77", "output.trajectory_every=11", "output.ledger_every=7",
        "output.forces_every=9"})
    words = words + Words{"--set", setting};
  return words;
}

/// A run that would take hours, and write little.
Words long_run_into(const std::string& out) {
  Words words{"run", block, "--out", out, "--quiet"};
  for (const char* setting : {"mesh.size=8", "time.end=1e5", "output.frames_every=0",
                              "output.interface_every=1000", "output.ledger_every=1000000"})
    words = words + Words{"--set", setting};
  return words;
}

Words program(const Words& arguments) { return Words{SLIPWAVE_PROGRAM} + arguments; }

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void wait_for(Program& running, const std::filesystem::path& file) {
  for (int i = 0; i < 12000 && running.running() && !std::filesystem::exists(file); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// -1 in the moment in which a new checkpoint takes the place of the last.
int step_of_newest(const std::filesystem::path& out) {
  try {
    const auto newest = app::newest_checkpoint(out);
    return newest ? newest->state.step : -1;
  } catch (const app::UserError&) {
    return -1;
  }
}

/// Until its newest checkpoint is of this step or a later one.
void wait_for_step(Program& running, const std::filesystem::path& out, int step) {
  wait_for(running, out / "checkpoint.h5");
  for (int i = 0; i < 12000 && running.running(); ++i) {
    if (step_of_newest(out) >= step) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::chrono::duration<double> random_part_of(double duration, std::mt19937& generator) {
  return std::chrono::duration<double>(
      std::uniform_real_distribution<double>(0.0, duration)(generator));
}

/// Kills a run so often at random moments, and compares what comes out of going on.
void check_kills(Words (*run)(const std::string& out), int kills) {
  const TemporaryFolder folder;
  const Clock::time_point begin = Clock::now();
  REQUIRE(slipwave(run("whole"), folder.path()).exit_code == 0);
  const double duration = std::chrono::duration<double>(Clock::now() - begin).count();
  std::mt19937 generator(25);
  int killed = 0, from_checkpoint = 0;
  for (int trial = 0; trial < kills; ++trial) {
    const std::string out = "killed_" + std::to_string(trial);
    {
      Program running(program(run(out)), folder.path());
      std::this_thread::sleep_for(random_part_of(duration, generator));
      running.kill();
      killed += running.wait().exit_code == -9 ? 1 : 0;
    }
    // Every third is killed once more while it goes on.
    if (trial % 3 == 0) {
      Program resumed(program(run(out) + Words{"--resume"}), folder.path());
      std::this_thread::sleep_for(random_part_of(duration, generator));
      resumed.kill();
      resumed.wait();
    }
    const ProgramResult result = slipwave(run(out) + Words{"--resume"}, folder.path());
    CAPTURE(trial);
    CHECK(result.exit_code == 0);
    CHECK(result.err == "");
    CHECK(tests::difference_of_results(folder / "whole", folder / out) == "");
    from_checkpoint += says(read_text(folder / (out + "/summary.json")), "\"resumed_at\"") ? 1 : 0;
    std::filesystem::remove_all(folder / out);
  }
  MESSAGE(killed << " of " << kills << " were killed before their end, " << from_checkpoint
                 << " went on from a checkpoint of a later step");
  CHECK(5 * killed >= 2 * kills);
  CHECK(5 * from_checkpoint >= kills);
}

}  // namespace

TEST_CASE("cli/restart: killed at 25 random moments and resumed, every byte is the same") {
  check_kills(run_into, 25);
}

TEST_CASE("cli/restart: so are the bytes of rigid bodies, an arch that falls, killed ten times") {
  check_kills(run_arch_into, 10);
}

TEST_CASE("cli/restart: what a friction law remembers survives a kill, to the byte") {
  const TemporaryFolder folder;
  const Words law{"--set", "contact.law=static-dynamic", "--set", "contact.dynamic_friction=0.2",
                  "--set", "contact.healing=0.002"};
  const auto run = [&](const std::string& out) { return run_into(out) + law; };
  REQUIRE(slipwave(run("whole"), folder.path()).exit_code == 0);
  REQUIRE(slipwave(run_into("coulomb"), folder.path()).exit_code == 0);
  CHECK(tests::difference_of_results(folder / "whole", folder / "coulomb") != "");
  {
    Program running(program(run("killed")), folder.path());
    wait_for_step(running, folder / "killed", 400);
    running.kill();
    REQUIRE(running.wait().exit_code == -9);
  }
  const app::Checkpoint left = app::newest_checkpoint(folder / "killed").value();
  const Eigen::VectorXd& rest = left.memory.contact.laws.at("static-dynamic.rest");
  CHECK(rest.size() == static_cast<Eigen::Index>(left.memory.contact.keys.size()));
  CHECK(rest.minCoeff() < 0.002);  // one that slid has not healed yet
  CHECK(slipwave(run("killed") + Words{"--resume"}, folder.path()).exit_code == 0);
  CHECK(says(read_text(folder / "killed/summary.json"), "\"resumed_at\""));
  CHECK(tests::difference_of_results(folder / "whole", folder / "killed") == "");
}

TEST_CASE(
    "cli/restart: Ctrl-C and SIGTERM leave a checkpoint, and the rest is as if never stopped") {
  const TemporaryFolder folder;
  REQUIRE(slipwave(run_into("whole"), folder.path()).exit_code == 0);
  for (const bool terminate : {false, true}) {
    CAPTURE(terminate);
    const std::string out = terminate ? "terminated" : "interrupted";
    Program running(program(run_into(out)), folder.path());
    wait_for(running, folder.path() / out / "frames/frames_0000077.vtu");
    if (terminate)
      running.terminate();
    else
      running.interrupt();
    const ProgramResult stopped = running.wait();
    if (stopped.exit_code == 0) continue;  // it was faster than the signal
    CHECK(stopped.exit_code == (terminate ? 143 : 130));
    CHECK(says(stopped.err, out + " after step "));
    CHECK(says(stopped.err, "; the same command with --resume goes on after step "));
    CHECK(json_value(folder / (out + "/summary.json"), "exit_reason") == out);
    CHECK(slipwave(run_into(out) + Words{"--resume"}, folder.path()).exit_code == 0);
    CHECK(tests::difference_of_results(folder / "whole", folder / out) == "");
  }
}

TEST_CASE("cli/restart: time.wall_limit stops in time with a checkpoint and exit code 5") {
  const TemporaryFolder folder;
  const Clock::time_point begin = Clock::now();
  const Words words = long_run_into("out") + Words{"--set"};
  const ProgramResult result = slipwave(words + Words{"time.wall_limit=10 s"}, folder.path());
  CHECK(std::chrono::duration<double>(Clock::now() - begin).count() < 10.0);
  CHECK(result.exit_code == 5);
  CHECK(says(result.err, "time.wall_limit stops the run after step "));
  CHECK(json_value(folder / "out/summary.json", "exit_reason") == "wall limit");
  const std::string steps = json_value(folder / "out/summary.json", "steps");
  CHECK(says(result.err, "--resume goes on after step " + steps));
  CHECK(slipwave(words + Words{"time.wall_limit=0.05 min", "--resume"}, folder.path()).exit_code ==
        5);
  CHECK(json_value(folder / "out/summary.json", "resumed_at") == steps);
}

TEST_CASE("cli/restart: a case that changed is refused with the differences, a later end is not") {
  const TemporaryFolder folder;
  REQUIRE(slipwave(run_into("out"), folder.path()).exit_code == 0);
  const std::string before = read_text(folder / "out/energy.csv");
  const auto resumed_with = [&](const Words& settings) {
    Words words = run_into("out") + Words{"--resume"};
    for (const std::string& setting : settings) words = words + Words{"--set", setting};
    return slipwave(words, folder.path());
  };
  ProgramResult result = resumed_with({"contact.friction=0.3", "time.end=0.2"});
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, "out: cannot be resumed: contact"));
  CHECK(says(result.err, "friction was 0.5 and is 0.3 now. Take the old values, or "));
  result = resumed_with({"mesh.size=5"});
  CHECK(says(result.err, "mesh.size was 4 and is 5 now"));
  result = resumed_with({"time.end=0.1"});
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, "[time] no longer has the steps that led to the checkpoint, step 1500"));
  CHECK(read_text(folder / "out/energy.csv") == before);
  result = resumed_with({});
  CHECK(result.exit_code == 0);
  CHECK(says(result.out, "out: is complete, 1500 steps"));
  CHECK(read_text(folder / "out/energy.csv") == before);
  result = resumed_with({"time.end=0.16", "output.checkpoint_every=1 h", "time.wall_limit=1 h"});
  CHECK(result.exit_code == 0);
  CHECK(json_value(folder / "out/summary.json", "steps") == "1600");
}

TEST_CASE("cli/restart: a mesh file with other content is refused") {
  const TemporaryFolder folder;
  const std::string mesh = read_text(SLIPWAVE_TEST_DATA "/meshes/sliding_block_4mm.msh");
  write_text(folder / "block.msh", mesh);
  const Words words{"run",   block,        "--out",
                    "out",   "--set",      "mesh.file=" + (folder / "block.msh").string(),
                    "--set", "mesh.size=", "--steps"};
  REQUIRE(slipwave(words + Words{"20"}, folder.path()).exit_code == 0);
  write_text(folder / "block.msh", read_text(SLIPWAVE_TEST_DATA "/meshes/sliding_block_2mm.msh"));
  const ProgramResult result = slipwave(words + Words{"30", "--resume"}, folder.path());
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, "out: cannot be resumed: the mesh of " + (folder / "block.msh").string() +
                             " is another"));
}

TEST_CASE("cli/restart: --resume starts what has not begun and refuses what cannot go on") {
  const TemporaryFolder folder;
  CHECK(slipwave(run_into("fresh") + Words{"--resume"}, folder.path()).exit_code == 0);
  const Words without = run_into("without") + Words{"--set", "output.checkpoint_every=0"};
  CHECK(slipwave(without, folder.path()).exit_code == 0);
  CHECK(!std::filesystem::exists(folder / "without/checkpoint.h5"));
  CHECK(read_text(folder / "without/energy.csv") == read_text(folder / "fresh/energy.csv"));
  ProgramResult result = slipwave(without + Words{"--resume"}, folder.path());
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, "without: has results and no checkpoint to go on from"));
  for (const char* name : {"checkpoint.h5", "checkpoint.previous.h5"})
    write_text(folder / (std::string("fresh/") + name), "damaged");
  result = slipwave(run_into("fresh") + Words{"--resume"}, folder.path());
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, "fresh/checkpoint.h5: is not a checkpoint of Slipwave, or cut short"));
}

TEST_CASE("cli/restart: --resume --force goes on where it can and starts anew where it cannot") {
  const TemporaryFolder folder;
  const Words both{"--resume", "--force"};
  REQUIRE(slipwave(run_into("whole"), folder.path()).exit_code == 0);
  CHECK(slipwave(run_into("out") + Words{"--steps", "700"}, folder.path()).exit_code == 0);
  CHECK(slipwave(run_into("out") + both, folder.path()).err == "");
  CHECK(json_value(folder / "out/summary.json", "resumed_at") == "700");
  CHECK(tests::difference_of_results(folder / "whole", folder / "out") == "");
  // A complete run without its summary only writes that.
  std::filesystem::remove(folder / "out/summary.json");
  CHECK(slipwave(run_into("out") + both + Words{"--set", "time.wall_limit=1 h"}, folder.path())
            .exit_code == 0);
  CHECK(says(read_text(folder / "out/case.toml"), "wall_limit"));
  CHECK(slipwave(run_into("out") + both, folder.path()).exit_code == 0);
  CHECK(json_value(folder / "out/summary.json", "resumed_at") == "1500");
  CHECK(json_value(folder / "out/summary.json", "exit_reason") == "completed");
  CHECK(tests::difference_of_results(folder / "whole", folder / "out") == "");
  ProgramResult result =
      slipwave(run_into("out") + both + Words{"--set", "contact.friction=0.3"}, folder.path());
  CHECK(result.exit_code == 0);
  CHECK(says(result.err, "friction was 0.5 and is 0.3 now"));
  CHECK(says(result.err, "; --force was given: starting anew\n"));
  result = slipwave(run_into("out") + both, folder.path());
  CHECK(says(result.err, "friction was 0.3 and is 0.5 now"));
  CHECK(tests::difference_of_results(folder / "whole", folder / "out") == "");
  CHECK(!says(read_text(folder / "out/summary.json"), "\"resumed_at\""));
}

TEST_CASE("cli/restart: two runs do not write into one folder") {
  const TemporaryFolder folder;
  Program first(program(long_run_into("out")), folder.path());
  wait_for(first, folder / "out/interface.h5");
  for (const char* option : {"--resume", "--force"}) {
    const ProgramResult second = slipwave(long_run_into("out") + Words{option}, folder.path());
    CHECK(second.exit_code == 2);
    CHECK(says(second.err, "out: another run is writing here"));
  }
  first.interrupt();
  CHECK(first.wait().exit_code == 130);
}

TEST_CASE("cli/restart: a checkpoint may come before the first frame") {
  const TemporaryFolder folder;
  const Words words =
      run_into("out") + Words{"--set", "output.frames_every=0", "--set", "output.frames_at=[0.1]"};
  const ProgramResult result = slipwave(words, folder.path());
  CHECK(result.err == "");
  CHECK(result.exit_code == 0);
  CHECK(files_of_collection(folder / "out/frames.pvd").size() == 1);
}

TEST_CASE("cli/restart: a checkpoint of another version is read, with a warning") {
  const TemporaryFolder folder;
  REQUIRE(slipwave(run_into("whole"), folder.path()).exit_code == 0);
  REQUIRE(slipwave(run_into("out") + Words{"--steps", "700"}, folder.path()).exit_code == 0);
  app::Checkpoint old = app::read_checkpoint(folder / "out/checkpoint.h5");
  old.version = "0.0.7";
  app::write_checkpoint(folder / "out", old);
  const ProgramResult result = slipwave(run_into("out") + Words{"--resume"}, folder.path());
  CHECK(result.exit_code == 0);
  CHECK(result.err.starts_with("warning: out: the checkpoint is of version 0.0.7, this program"));
  CHECK(tests::difference_of_results(folder / "whole", folder / "out") == "");
}

TEST_CASE("cli/restart: durations are checked") {
  const TemporaryFolder folder;
  for (const char* setting : {"time.wall_limit=10", "time.wall_limit=ten min",
                              "time.wall_limit=10 weeks", "output.checkpoint_every=5 min more"}) {
    const ProgramResult result = slipwave(run_into("out") + Words{"--set", setting}, folder.path());
    CHECK(result.exit_code == 2);
    CHECK(
        says(result.err, "expected a duration in quotes, such as \"30 s\", \"10 min\", \"23 h\""));
  }
}

}  // namespace slipwave::cli_tests
