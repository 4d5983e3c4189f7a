#include "tests/cli/program.hpp"
#include "tests/support/same_results.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Runs a line of shell; SLIPWAVE and CASE are the program and the sliding block.
ProgramResult shell(const TemporaryFolder& folder, const std::string& line) {
  const std::string words =
      "SLIPWAVE='" SLIPWAVE_PROGRAM "' CASE='" SLIPWAVE_ROOT "/cases/sliding_block.toml'; ";
  return Program({"/bin/sh", "-c", words + line}, folder.path()).wait();
}

/// Thirty steps that warn, show progress and write every kind of file.
std::string run_into(const std::string& out) {
  return "$SLIPWAVE run $CASE --out " + out +
         " --steps 30 --set mesh.size=8 --set output.frames_every=10 "
         "--set contact.friction=1.5 ";
}

}  // namespace

TEST_CASE("cli/streams: a run ends well where nobody can read its messages") {
  const TemporaryFolder folder;
  REQUIRE(shell(folder, run_into("whole")).exit_code == 0);
  for (const std::string streams : {"2>&-", ">&-", ">&- 2>&-", "<&- >&- 2>&-", "2>/dev/full",
                                    ">/dev/full", ">/dev/full 2>&1"}) {
    CAPTURE(streams);
    const ProgramResult result = shell(folder, run_into("out") + streams);
    CHECK(result.exit_code == 0);
    CHECK(json_value(folder / "out/summary.json", "exit_reason") == "completed");
    CHECK(tests::difference_of_results(folder / "whole", folder / "out") == "");
    fs::remove_all(folder / "out");
  }
}

TEST_CASE("cli/streams: a run goes on to its end when the reader of its messages has gone") {
  const TemporaryFolder folder;
  REQUIRE(shell(folder, run_into("whole")).exit_code == 0);
  const ProgramResult result =
      shell(folder, "{ " + run_into("out") +
                        " 2>&1; echo $? > code; } | true; "
                        "until [ -s code ]; do sleep 0.01; done; cat code");
  CHECK(result.out == "0\n");
  CHECK(tests::difference_of_results(folder / "whole", folder / "out") == "");
}

TEST_CASE("cli/streams: what a command prints and cannot is exit code 4") {
  const TemporaryFolder folder;
  const ProgramResult result = shell(folder, "$SLIPWAVE schemes > /dev/full");
  CHECK(result.exit_code == 4);
  CHECK(says(result.err, "could not be written to standard output"));
  CHECK(shell(folder, "$SLIPWAVE schemes > /dev/null").exit_code == 0);
}

TEST_CASE("cli/streams: a limit on the size of files is exit code 4 and can be resumed from") {
  const TemporaryFolder folder;
  const std::string run =
      "$SLIPWAVE run $CASE --out out --quiet --steps 400 --set mesh.size=8 "
      "--set output.frames_every=0 --set output.interface_every=0 --set "
      "output.checkpoint_every=50 ";
  // 64 blocks of 512 bytes: the ledger grows beyond.
  const ProgramResult result = shell(folder, "ulimit -f 64; " + run);
  CHECK(result.exit_code == 4);
  CHECK(says(result.err, "out/energy.csv: could not be written: File too large"));
  CHECK(says(result.err, "the same command with --resume goes on after step "));
  CHECK(!says(result.err, "MB free"));
  CHECK(json_value(folder / "out/summary.json", "exit_reason") == "output failed");
  CHECK(shell(folder, run + "--resume").exit_code == 0);
  fs::rename(folder / "out", folder / "resumed");
  CHECK(shell(folder, run).exit_code == 0);
  CHECK(tests::difference_of_results(folder / "out", folder / "resumed") == "");
}

TEST_CASE("cli/streams: a limit on the size of files stops frames and contact problems alike") {
  const TemporaryFolder folder;
  // Frames of the fine mesh have more than 100 kB, contact problems ask for 65 kB and more.
  ProgramResult result =
      shell(folder,
            "ulimit -f 128; $SLIPWAVE run $CASE --out frames --quiet --steps 20 --set "
            "mesh.size=1 --set output.frames_every=10 --set output.interface_every=0 "
            "--set output.checkpoint_every=0");
  CHECK(result.exit_code == 4);
  CHECK(says(result.err, "frames_0000000.vtu: could not be written: File too large"));
  result = shell(folder,
                 "ulimit -f 100; $SLIPWAVE run $CASE --out problem --quiet --steps 20 --set "
                 "mesh.size=8 --set output.frames_every=0 --set output.interface_every=0 "
                 "--dump-problem 10");
  CHECK(result.exit_code == 4);
  CHECK(says(result.err, "problem_0000010.hdf5: could not be written"));
  CHECK(says(result.err, "File too large"));
  CHECK(json_value(folder / "problem/summary.json", "exit_reason") == "output failed");
}

}  // namespace slipwave::cli_tests
