#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace slipwave::cli_tests {

namespace {

const std::string block = SLIPWAVE_ROOT "/cases/sliding_block.toml";

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Runs shell commands with a disk of a few megabytes mounted at ./small, that nobody else sees.
ProgramResult on_small_disk(const TemporaryFolder& folder, const std::string& size,
                            const std::string& commands) {
  std::filesystem::create_directories(folder / "small");
  const std::string mounted =
      "mount -t tmpfs -o size=" + size + " tmpfs small || exit 99; " + commands;
  const ProgramResult result =
      Program({"/usr/bin/unshare", "--mount", "--map-root-user", "/bin/sh", "-c", mounted},
              folder.path())
          .wait();
  if (result.exit_code == 99 || says(result.err, "unshare:"))
    FAIL("this test needs unshare and mount, which are not allowed here: " << result.err);
  return result;
}

std::string run(const std::string& more) {
  return std::string(SLIPWAVE_PROGRAM) + " run " + block +
         " --out small/out --set mesh.size=4 --set output.checkpoint_every=100 "
         "--set output.frames_every=50 " +
         more;
}

}  // namespace

TEST_CASE("cli/room: a disk that is too small is found before the run, with exit code 4") {
  const TemporaryFolder folder;
  const ProgramResult result =
      on_small_disk(folder, "1m", run("--quiet; code=$?; ls small/out; exit $code"));
  CHECK(result.exit_code == 4);
  CHECK(says(result.err, "small/out: the disk has 1.0 MB free and the run needs about "));
  CHECK(says(result.err, "Make room, choose another disk with --out, or write less: output."));
  CHECK(result.out == "");
}

TEST_CASE(
    "cli/room: a disk that fills up stops the run with exit code 4, and the checkpoint loads") {
  const TemporaryFolder folder;
  // Something else takes the room once the run has begun.
  const std::string script =
      run("--quiet & run=$!; "
          "until [ -e small/out/frames/frames_0000100.vtu ]; do sleep 0.01; done; "
          "cat /dev/zero > small/other 2> /dev/null; wait $run; echo code $?; "
          "find small -name '*.part'; tail -c 1 small/out/energy.csv | od -An -c; "
          "rm small/other; ") +
      run("--quiet --resume; echo code $?; ") + std::string(SLIPWAVE_PROGRAM) + " run " + block +
      " --out whole --quiet --set mesh.size=4 --set output.checkpoint_every=100 "
      "--set output.frames_every=50; cmp whole/energy.csv small/out/energy.csv && "
      "cmp whole/checkpoint.h5 small/out/checkpoint.h5 && diff -r whole/frames small/out/frames && "
      "echo same";
  const ProgramResult result = on_small_disk(folder, "40m", script);
  CHECK(result.out == "code 4\n  \\n\ncode 0\nsame\n");
  CHECK(says(result.err, "could not be written"));
  CHECK(says(result.err,
             " MB free). What was computed so far is in small/out; the same command "
             "with --resume goes on after step "));
  CHECK(says(result.err, "the rest of the run needs about "));
}

}  // namespace slipwave::cli_tests
