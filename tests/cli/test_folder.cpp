#include "tests/cli/program.hpp"
#include "tests/cli/small_case.hpp"
#include "tests/support/same_results.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

const std::string block = SLIPWAVE_ROOT "/cases/sliding_block.toml";

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Steps of the sliding block with every kind of file.
Words run_into(const std::string& out, const std::string& steps = "50") {
  Words words{"run", block, "--out", out, "--quiet", "--steps", steps};
  for (const char* setting :
       {"mesh.size=8", "output.frames_every=10", "output.checkpoint_every=20"})
    words = words + Words{"--set", setting};
  return words;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The files below a folder, relative to it.
std::set<std::string> files_below(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.insert(fs::relative(entry.path(), folder).string());
  return files;
}

}  // namespace

TEST_CASE("cli/folder: every file of a run is in its list, the list's own name apart") {
  const TemporaryFolder folder;
  REQUIRE(slipwave(run_into("out") + Words{"--dump-problem", "7"}, folder.path()).exit_code == 0);
  REQUIRE(slipwave({"waves", "out"}, folder.path()).exit_code == 0);
  const std::vector<std::string> lines = lines_of(read_text(folder / "out/slipwave-files.txt"));
  const std::set<std::string> listed(lines.begin(), lines.end());
  for (const std::string& file : files_below(folder / "out"))
    if (file != "slipwave-files.txt") CHECK_MESSAGE(listed.contains(file), file);
  CHECK(listed.contains("problem_0000007.hdf5"));
  CHECK(listed.contains("waves.json"));
  CHECK(listed.contains("frames/frames_0000050.vtu"));
}

TEST_CASE("cli/folder: a case file in the folder of the results is never replaced") {
  const TemporaryFolder folder;
  write_text(folder / "case.toml", small_case);
  write_text(folder / "block.msh", small_mesh);
  for (const Words& options :
       std::vector<Words>{{}, {"--resume"}, {"--force"}, {"--resume", "--force"}}) {
    const ProgramResult result =
        slipwave(Words{"run", "case.toml", "--out", "."} + options, folder.path());
    CHECK(result.exit_code == 2);
    CHECK(says(result.err, ".: the results would replace the case file; choose another folder"));
    CHECK(read_text(folder / "case.toml") == small_case);
    CHECK(files_below(folder.path()) == std::set<std::string>{"block.msh", "case.toml"});
  }
}

TEST_CASE("cli/folder: the case of a folder that has nothing to go on from is not replaced") {
  const TemporaryFolder folder;
  REQUIRE(slipwave(run_into("out"), folder.path()).exit_code == 0);
  for (const char* name : {"checkpoint.h5", "energy.csv"}) fs::remove(folder / "out" / name);
  const std::string text = read_text(folder / "out/case.toml") + "# mine\n";
  write_text(folder / "out/case.toml", text);
  const ProgramResult result =
      slipwave({"run", "out/case.toml", "--out", "out", "--resume"}, folder.path());
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, "out: the results would replace the case file"));
  CHECK(read_text(folder / "out/case.toml") == text);
}

TEST_CASE("cli/folder: files of the user stay, whatever their names") {
  const TemporaryFolder folder;
  REQUIRE(slipwave(run_into("out"), folder.path()).exit_code == 0);
  const std::vector<std::string> mine{"frames/frames_movie.avi", "frames/frames_0000099.vtu",
                                      "contact/contact_notes.txt", "problem_0000099.hdf5",
                                      "energy.csv.bak"};
  for (const std::string& name : mine) write_text(folder / ("out/" + name), "mine");
  CHECK(slipwave(run_into("out", "60") + Words{"--resume"}, folder.path()).exit_code == 0);
  for (const std::string& name : mine) CHECK(read_text(folder / ("out/" + name)) == "mine");
  CHECK(slipwave(run_into("out") + Words{"--force"}, folder.path()).exit_code == 0);
  for (const std::string& name : mine) CHECK(read_text(folder / ("out/" + name)) == "mine");
  CHECK(!fs::exists(folder / "out/frames/frames_0000060.vtu"));
}

TEST_CASE("cli/folder: a file of the user under a name that a run would write is refused") {
  const TemporaryFolder folder;
  for (const std::string name : {"energy.csv", "case.toml", "frames.pvd", "interface.h5.part"}) {
    CAPTURE(name);
    fs::create_directories(folder / "out");
    write_text(folder / ("out/" + name), "mine");
    for (const Words& options : std::vector<Words>{{}, {"--force"}, {"--resume"}}) {
      const ProgramResult result = slipwave(run_into("out") + options, folder.path());
      CHECK(result.exit_code == 2);
      CHECK(says(result.err, "out/" + name + ": was not written by Slipwave"));
      CHECK(says(result.err, "move it away, or choose another folder with --out"));
    }
    CHECK(files_below(folder / "out") == std::set<std::string>{name});
    CHECK(read_text(folder / ("out/" + name)) == "mine");
    fs::remove_all(folder / "out");
  }
}

TEST_CASE("cli/folder: links are not followed") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "elsewhere");
  const std::vector<std::string> names{"frames_0000010.vtu", "notes.txt"};
  for (const std::string& name : names) write_text(folder / ("elsewhere/" + name), "mine");
  const auto check_mine = [&] {
    for (const std::string& name : names)
      CHECK(read_text(folder / ("elsewhere/" + name)) == "mine");
    CHECK(files_below(folder / "elsewhere").size() == names.size());
  };
  SUBCASE("a link in the place of frames/ is refused") {
    REQUIRE(slipwave(run_into("out"), folder.path()).exit_code == 0);
    fs::remove_all(folder / "out/frames");
    fs::create_directory_symlink(folder / "elsewhere", folder / "out/frames");
    for (const char* option : {"--force", "--resume"}) {
      const ProgramResult result = slipwave(run_into("out", "60") + Words{option}, folder.path());
      CHECK(result.exit_code == 2);
      CHECK(says(result.err,
                 "out/frames: is a link or a file, where frames would be written, and "
                 "is not touched; move it away"));
      check_mine();
    }
  }
  SUBCASE("a link in the place of a file or of its half is refused") {
    for (const std::string name : {"summary.json", "energy.csv.part", "checkpoint.h5.part"}) {
      CAPTURE(name);
      REQUIRE(slipwave(run_into("out") + Words{"--force"}, folder.path()).exit_code == 0);
      fs::remove(folder / ("out/" + name));
      fs::create_symlink(folder / "elsewhere/notes.txt", folder / ("out/" + name));
      for (const char* option : {"--force", "--resume"}) {
        const ProgramResult result = slipwave(run_into("out", "60") + Words{option}, folder.path());
        CHECK(result.exit_code == 2);
        CHECK(says(result.err, "out/" + name + ": is not the file that Slipwave wrote"));
        CHECK(fs::is_symlink(folder / ("out/" + name)));
        check_mine();
      }
      fs::remove(folder / ("out/" + name));
    }
  }
  SUBCASE("a link .write-test is left alone") {
    fs::create_directories(folder / "out");
    fs::create_symlink(folder / "elsewhere/notes.txt", folder / "out/.write-test");
    fs::create_symlink(folder / "elsewhere/notes.txt", folder / "out/.write-test.part");
    CHECK(slipwave(run_into("out"), folder.path()).exit_code == 0);
    check_mine();
    CHECK(fs::is_symlink(folder / "out/.write-test"));
  }
  SUBCASE("a link in the place of a frame's half stops the run, which can go on without it") {
    fs::create_directories(folder / "out/frames");
    const fs::path link = folder / "out/frames/frames_0000040.vtu.part";
    fs::create_symlink(folder / "elsewhere/notes.txt", link);
    const ProgramResult result = slipwave(run_into("out"), folder.path());
    CHECK(result.exit_code == 4);
    CHECK(says(result.err, "frames_0000040.vtu.part: was not written by Slipwave"));
    CHECK(says(result.err, "the same command with --resume goes on after step 20"));
    CHECK(!says(result.err, "MB free"));
    CHECK(json_value(folder / "out/summary.json", "exit_reason") == "output failed");
    check_mine();
    fs::remove(link);
    CHECK(slipwave(run_into("out") + Words{"--resume"}, folder.path()).exit_code == 0);
    CHECK(slipwave(run_into("whole"), folder.path()).exit_code == 0);
    CHECK(tests::difference_of_results(folder / "whole", folder / "out") == "");
  }
  SUBCASE("figures, reports and waves do not write through links") {
    REQUIRE(slipwave(run_into("out"), folder.path()).exit_code == 0);
    for (const std::string name : {"energy.svg", "report.html", "waves.json", "view.py"})
      fs::create_symlink(folder / "elsewhere/notes.txt", folder / ("out/" + name + ".part"));
    CHECK(slipwave({"plot", "out", "--figure", "energy"}, folder.path()).exit_code == 0);
    CHECK(slipwave({"report", "out"}, folder.path()).exit_code == 0);
    CHECK(slipwave({"view", "out", "--no-open"}, folder.path()).exit_code == 0);
    CHECK(slipwave({"waves", "out"}, folder.path()).exit_code == 4);
    check_mine();
    for (const std::string name : {"energy.svg", "report.html", "view.py"})
      CHECK(fs::is_regular_file(folder / ("out/" + name)));
  }
}

TEST_CASE("cli/folder: a slow run does not replace what a quick one has finished meanwhile") {
  const TemporaryFolder folder;
  // Both look at an empty folder; the slow one then meshes and factorises for seconds.
  Program slow({SLIPWAVE_PROGRAM, "run", block, "--out", "out", "--quiet", "--set", "mesh.size=0.2",
                "--steps", "5"},
               folder.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  REQUIRE(slipwave(run_into("out"), folder.path()).exit_code == 0);
  const std::string quick = read_text(folder / "out/energy.csv");
  const ProgramResult result = slow.wait();
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, "out: already has results"));
  CHECK(read_text(folder / "out/energy.csv") == quick);
  CHECK(json_value(folder / "out/summary.json", "steps") == "50");
}

TEST_CASE("cli/folder: results of a version that kept no list are replaced and resumed") {
  const TemporaryFolder folder;
  REQUIRE(slipwave(run_into("whole"), folder.path()).exit_code == 0);
  REQUIRE(slipwave(run_into("out", "30"), folder.path()).exit_code == 0);
  const auto age = [&] {
    fs::remove(folder / "out/slipwave-files.txt");
    write_text(folder / "out/frames/frames_movie.avi", "mine");
    write_text(folder / "out/frames/frames_0000031.vtu.bak", "mine");
  };
  age();
  CHECK(slipwave(run_into("out"), folder.path()).exit_code == 2);
  CHECK(slipwave(run_into("out") + Words{"--resume"}, folder.path()).exit_code == 0);
  age();
  CHECK(slipwave(run_into("out") + Words{"--force"}, folder.path()).exit_code == 0);
  CHECK(read_text(folder / "out/frames/frames_movie.avi") == "mine");
  CHECK(read_text(folder / "out/frames/frames_0000031.vtu.bak") == "mine");
  fs::remove(folder / "out/frames/frames_movie.avi");
  fs::remove(folder / "out/frames/frames_0000031.vtu.bak");
  CHECK(tests::difference_of_results(folder / "whole", folder / "out") == "");
}

TEST_CASE("cli/folder: --resume refuses files that were changed since the checkpoint") {
  const TemporaryFolder folder;
  REQUIRE(slipwave(run_into("out"), folder.path()).exit_code == 0);
  const auto resumed = [&] {
    return slipwave(run_into("out", "60") + Words{"--resume"}, folder.path());
  };
  const std::string energy = read_text(folder / "out/energy.csv");
  const std::string frames = read_text(folder / "out/frames.pvd");
  std::string edited = energy;
  edited[edited.size() / 2] = edited[edited.size() / 2] == '7' ? '8' : '7';
  write_text(folder / "out/energy.csv", edited);
  ProgramResult result = resumed();
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, "out/energy.csv: was changed since the checkpoint was written"));
  CHECK(says(result.err, "put the file back as it was, or start anew with --force"));
  CHECK(read_text(folder / "out/energy.csv") == edited);
  write_text(folder / "out/energy.csv", energy);
  for (const std::string& text :
       {std::string(), frames.substr(0, frames.find("    <DataSet")) +
                           frames.substr(frames.find("  </Collection>"))}) {
    write_text(folder / "out/frames.pvd", text);
    result = resumed();
    CHECK(result.exit_code == 2);
    CHECK(says(result.err, "out/frames.pvd: was changed or removed since the checkpoint"));
    CHECK(read_text(folder / "out/frames.pvd") == text);
    CHECK(fs::exists(folder / "out/frames/frames_0000050.vtu"));
  }
  write_text(folder / "out/frames.pvd", frames);
  fs::remove(folder / "out/frames/frames_0000020.vtu");
  result = resumed();
  CHECK(result.exit_code == 0);
  CHECK(says(result.err, "warning: out/frames/frames_0000020.vtu: is gone; frames.pvd goes on"));
  CHECK(files_of_collection(folder / "out/frames.pvd").size() == 6);
}

TEST_CASE("cli/folder: a trajectory that was changed is refused") {
  const TemporaryFolder folder;
  const Words words{"run", SLIPWAVE_ROOT "/cases/bouncing_ball.toml", "--out", "out", "--quiet"};
  REQUIRE(slipwave(words + Words{"--steps", "50"}, folder.path()).exit_code == 0);
  std::string edited = read_text(folder / "out/trajectory.csv");
  edited[edited.size() / 2] = edited[edited.size() / 2] == '7' ? '8' : '7';
  write_text(folder / "out/trajectory.csv", edited);
  const ProgramResult result = slipwave(words + Words{"--steps", "60", "--resume"}, folder.path());
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, "out/trajectory.csv: was changed since the checkpoint was written"));
}

TEST_CASE("cli/folder: what cannot be written stops a run with exit code 4, a summary and advice") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "out");
  SUBCASE("a contact problem that was asked for") {
    fs::create_directories(folder / "out/problem_0000030.hdf5");
    const ProgramResult result =
        slipwave(run_into("out") + Words{"--dump-problem", "30"}, folder.path());
    CHECK(result.exit_code == 4);
    CHECK(says(result.err, "step 30 (t = "));
    CHECK(says(result.err, "out/problem_0000030.hdf5: "));
    CHECK(says(result.err, "the same command with --resume goes on after step 20"));
    fs::remove(folder / "out/problem_0000030.hdf5");
  }
  SUBCASE("a frame") {
    fs::create_directories(folder / "out/frames/frames_0000030.vtu");
    const ProgramResult result = slipwave(run_into("out"), folder.path());
    CHECK(result.exit_code == 4);
    CHECK(says(result.err, "out/frames/frames_0000030.vtu: "));
    CHECK(says(result.err, "the same command with --resume goes on after step 20"));
    fs::remove(folder / "out/frames/frames_0000030.vtu");
  }
  CHECK(json_value(folder / "out/summary.json", "exit_reason") == "output failed");
  CHECK(slipwave(run_into("out") + Words{"--resume"}, folder.path()).exit_code == 0);
}

TEST_CASE("cli/folder: a folder that is removed during a run is what the message says") {
  const TemporaryFolder folder;
  Program running({SLIPWAVE_PROGRAM, "run", block, "--out", "out", "--quiet", "--set",
                   "mesh.size=8", "--set", "time.end=100", "--set", "output.frames_every=100"},
                  folder.path());
  for (int i = 0;
       i < 12000 && running.running() && !fs::exists(folder / "out/frames/frames_0000200.vtu"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  REQUIRE(running.running());
  fs::rename(folder / "out", folder / "moved");
  const ProgramResult result = running.wait();
  CHECK(result.exit_code == 4);
  CHECK(says(result.err, " is gone"));
  CHECK(says(result.err, "It was removed while the run went on"));
  CHECK(!says(result.err, "disk full"));
  CHECK(!says(result.err, "MB free"));
}

TEST_CASE("cli/folder: a folder that cannot be one is refused in a sentence") {
  const TemporaryFolder folder;
  const std::string component(300, 'a'), far = [] {
    std::string path;
    for (int i = 0; i < 500; ++i) path += "folder_" + std::to_string(i % 10) + "_/";
    return path;
  }();
  const std::vector<std::pair<std::string, std::string>> refused{
      {"/", "/: is the root of all files; expected a folder for the results (--out)"},
      {"//../.", "//../.: is the root of all files"},
      {component, "aaa...: the name is too long, 300 characters; choose a shorter one (--out)"},
      {far, "...: the name is too long, 5000 characters; choose a shorter one (--out)"},
      {"", "--out: expected a folder"}};
  for (const auto& [out, message] : refused) {
    const ProgramResult result = slipwave(run_into(out), folder.path());
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
    CHECK(says(result.err, message));
    CHECK(result.err.size() < 400);
    CHECK(files_below(folder.path()).empty());
  }
}

TEST_CASE("cli/folder: a study does not replace its own file, nor write through links") {
  const TemporaryFolder folder;
  const std::string text = "case = \"" + block + R"("
set = ["mesh.size=8", "time.end=2e-3"]
[[axis]]
key = "contact.friction"
values = [0.3, 0.5]
[[quantity]]
name = "energy"
ledger = "kinetic"
)";
  write_text(folder / "study.toml", text);
  const ProgramResult first = slipwave({"study", "study.toml", "--out", "s"}, folder.path());
  CAPTURE(first.err);
  REQUIRE(first.exit_code == 0);
  for (const char* option : {"--resume", "--collect"}) {
    const ProgramResult result =
        slipwave({"study", "study.toml", "--out", ".", option}, folder.path());
    CHECK(result.exit_code == 2);
    CHECK(says(result.err, ".: the study would replace its own file; choose another folder"));
    CHECK(read_text(folder / "study.toml") == text);
  }
  fs::create_directories(folder / "elsewhere");
  fs::remove_all(folder / "s/figures");
  fs::create_directory_symlink(folder / "elsewhere", folder / "s/figures");
  CHECK(slipwave({"study", "study.toml", "--out", "s", "--collect"}, folder.path()).exit_code == 4);
  CHECK(files_below(folder / "elsewhere").empty());
}

}  // namespace slipwave::cli_tests
