#include "tests/cli/program.hpp"
#include "tests/support/same_results.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace {

using Words = std::vector<std::string>;

/// A run of 100 steps with every kind of file.
Words run_into(const std::string& out) {
  Words words{SLIPWAVE_PROGRAM, "run", SLIPWAVE_ROOT "/cases/sliding_block.toml",
              "--out",          out,   "--quiet",
              "--steps",        "100"};
  for (const char* setting :
       {"mesh.size=8", "output.checkpoint_every=30", "output.frames_every=50"}) {
    words.push_back("--set");
    words.push_back(setting);
  }
  return words;
}

/// The same where call number `at` that changes a file of the folder fails; `always`: and all
/// after.
ProgramResult run_failing(const TemporaryFolder& folder, const std::string& out, int at, int error,
                          bool always) {
  Words words{"env",
              "LD_PRELOAD=" SLIPWAVE_FAILING_SYSTEM,
              "FAIL_IN=" + out + "/",
              "FAIL_AT=" + std::to_string(at),
              "FAIL_WITH=" + std::to_string(error),
              std::string("FAIL_ALWAYS=") + (always ? "1" : "0"),
              "FAIL_COUNT=" + (folder / "count").string()};
  for (const std::string& word : run_into(out)) words.push_back(word);
  return Program(words, folder.path()).wait();
}

}  // namespace

#ifdef SLIPWAVE_SANITIZED
TEST_CASE("cli/failing_disk: not under sanitizers, which must be loaded first") {
  MESSAGE("the library that makes writes fail cannot be loaded before a sanitizer's");
}
#else
TEST_CASE(
    "cli/failing_disk: wherever a write fails, exit code 4, and --resume ends as if it had not") {
  const TemporaryFolder folder;
  REQUIRE(run_failing(folder, "whole", 0, 0, false).exit_code == 0);
  const int calls = std::stoi(read_text(folder / "count"));
  REQUIRE(calls > 300);
  constexpr int trials = 40;
  for (int trial = 0; trial < trials; ++trial) {
    // The first call is that which tries whether the folder can be written to: exit code 2.
    const int at = 2 + trial * (calls - 2) / (trials - 1);
    const bool full = trial % 2 == 1;
    const std::string out = "out_" + std::to_string(at);
    CAPTURE(at);
    CAPTURE(full);
    const ProgramResult failed = run_failing(folder, out, at, full ? ENOSPC : EIO, full);
    CAPTURE(failed.err);
    CHECK(failed.exit_code == 4);
    CHECK(failed.err.find("could not be written") != std::string::npos);
    Words again = run_into(out);
    again.push_back("--resume");
    const ProgramResult resumed = Program(again, folder.path()).wait();
    CAPTURE(resumed.err);
    CHECK(resumed.exit_code == 0);
    CHECK(tests::difference_of_results(folder / "whole", folder / out) == "");
    std::filesystem::remove_all(folder / out);
  }
}
#endif

}  // namespace slipwave::cli_tests
