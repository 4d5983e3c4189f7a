#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

namespace slipwave::cli_tests {

namespace {

const std::string source = SLIPWAVE_ROOT "/app/view/view.py";
const std::string no_palette = "\nSTATUS, COLOURS, SIGNED_COLOURS = (), (), ()\n";

/// A script of ours without its palette, as it is in the sources.
std::string without_palette(const std::string& script) {
  const std::size_t start = script.find("\nSTATUS = ("), end = script.find("\nCURVES = (");
  if (start == std::string::npos || end == std::string::npos) return script;
  return script.substr(0, start) + no_palette + script.substr(end + 1);
}

/// A folder that looks as if a run had left frames there.
std::string folder_with_frames(const TemporaryFolder& folder, const std::string& name) {
  std::filesystem::create_directories(folder / name);
  write_text(folder / name / "frames.pvd", "<VTKFile>\n</VTKFile>\n");
  return name;
}

/// `slipwave view` where programs are found in `path` and the screen is `display`.
ProgramResult view_on_screen(const TemporaryFolder& folder, const std::string& path,
                             const std::string& display, const std::string& name) {
  Program program({"/usr/bin/env", "-u", "WAYLAND_DISPLAY", "PATH=" + path, "DISPLAY=" + display,
                   SLIPWAVE_PROGRAM, "view", name},
                  folder.path());
  return program.wait();
}

/// A program of the name paraview that writes down what it was called with.
void make_paraview(const TemporaryFolder& folder) {
  std::filesystem::create_directories(folder / "bin");
  write_text(folder / "bin" / "paraview",
             "#!/bin/sh\nprintf '%s\\n' \"$@\" > called.part\n/bin/mv called.part called\n");
  std::filesystem::permissions(folder / "bin" / "paraview", std::filesystem::perms::owner_all);
}

bool appears(const std::filesystem::path& file) {
  for (int tenths = 0; tenths < 100 && !std::filesystem::exists(file); ++tenths)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return std::filesystem::exists(file);
}

}  // namespace

TEST_CASE("cli/view: writes view.py as it is in the sources, byte for byte, with the palette") {
  const TemporaryFolder folder;
  folder_with_frames(folder, "results");
  const ProgramResult result = slipwave({"view", "results", "--no-open"}, folder.path());
  CHECK(result.exit_code == 0);
  CHECK(result.err == "");
  CHECK(without_palette(read_text(folder / "results" / "view.py")) == read_text(source));
  CHECK(read_text(folder / "results" / "view.py").find("(\"open\", \"#") != std::string::npos);
  CHECK(result.out.find("pvpython 'results/view.py' --png") != std::string::npos);
  CHECK(!std::filesystem::exists(folder / "results" / "view.py.part"));
}

TEST_CASE("cli/view: --warp changes one line of view.py") {
  const TemporaryFolder folder;
  folder_with_frames(folder, "results");
  CHECK(slipwave({"view", "results", "--no-open", "--warp", "12.5"}, folder.path()).exit_code == 0);
  std::string expected = read_text(source);
  const std::string line = "\nWARP = None\n";
  REQUIRE(expected.find(line) != std::string::npos);
  expected.replace(expected.find(line), line.size(), "\nWARP = 12.5\n");
  CHECK(without_palette(read_text(folder / "results" / "view.py")) == expected);
  const ProgramResult bad =
      slipwave({"view", "results", "--no-open", "--warp", "nan"}, folder.path());
  CHECK(bad.exit_code == 2);
  CHECK(bad.err.find("--warp = nan: expected a finite number") != std::string::npos);
}

TEST_CASE("cli/view: a view.py that somebody changed is kept, and replaced with --force") {
  const TemporaryFolder folder;
  folder_with_frames(folder, "results");
  write_text(folder / "results" / "view.py", "print('mine')\n");
  const ProgramResult kept = slipwave({"view", "results", "--no-open"}, folder.path());
  CHECK(kept.exit_code == 0);
  CHECK(kept.out.find("results/view.py: kept") != std::string::npos);
  CHECK(read_text(folder / "results" / "view.py") == "print('mine')\n");
  CHECK(slipwave({"view", "results", "--no-open", "--force"}, folder.path()).exit_code == 0);
  CHECK(without_palette(read_text(folder / "results" / "view.py")) == read_text(source));
}

TEST_CASE("cli/view: a folder without frames is refused, and told how to get them") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "empty");
  const ProgramResult empty = slipwave({"view", "empty"}, folder.path());
  CHECK(empty.exit_code == 2);
  CHECK(empty.err.find("empty: no frames.pvd") != std::string::npos);
  CHECK(empty.err.find("output.frames_every") != std::string::npos);
  CHECK(!std::filesystem::exists(folder / "empty" / "view.py"));
  const ProgramResult nowhere = slipwave({"view", "nowhere"}, folder.path());
  CHECK(nowhere.exit_code == 2);
  CHECK(nowhere.err.find("nowhere: no such folder") != std::string::npos);
}

TEST_CASE("cli/view: starts ParaView with the script where there is one and a screen") {
  const TemporaryFolder folder;
  folder_with_frames(folder, "some results");
  make_paraview(folder);
  const ProgramResult result =
      view_on_screen(folder, (folder / "bin").string(), ":0", "some results");
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("ParaView is starting") != std::string::npos);
  REQUIRE(appears(folder / "called"));
  CHECK(read_text(folder / "called") == "--script=some results/view.py\n");
}

TEST_CASE("cli/view: without a screen or without ParaView it says what to type") {
  const TemporaryFolder folder;
  folder_with_frames(folder, "it's here");
  make_paraview(folder);
  const ProgramResult blind = view_on_screen(folder, (folder / "bin").string(), "", "it's here");
  CHECK(blind.exit_code == 0);
  CHECK(blind.out.find("there is no screen") != std::string::npos);
  CHECK(blind.out.find("paraview --script='it'\\''s here/view.py'") != std::string::npos);
  const ProgramResult missing = view_on_screen(folder, "/nowhere", ":0", "it's here");
  CHECK(missing.exit_code == 0);
  CHECK(missing.out.find("no program of the name paraview") != std::string::npos);
  CHECK(!std::filesystem::exists(folder / "called"));
}

}  // namespace slipwave::cli_tests
