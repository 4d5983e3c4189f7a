#include "tests/cli/program.hpp"
#include "tests/cli/small_case.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

void check_runs(const std::vector<std::string>& arguments, const fs::path& working_directory) {
  std::vector<std::string> command{"run"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--quiet", "--out", "out", "--force"});
  const ProgramResult result = slipwave(command, working_directory);
  CHECK(result.err == "");
  CHECK(result.exit_code == 0);
  CHECK(lines_of(read_text(working_directory / "out/energy.csv")).size() == 4);
}

std::string with_crlf(const std::string& text) {
  std::string result;
  for (const std::string& line : lines_of(text)) result += line + "\r\n";
  return result;
}

}  // namespace

TEST_CASE("cli/odd input: a byte order mark and Windows line ends are no obstacle") {
  const TemporaryFolder folder;
  write_text(folder / "block.msh", small_mesh);
  write_text(folder / "bom.toml", "\xef\xbb\xbf" + small_case);
  check_runs({"bom.toml"}, folder.path());
  write_text(folder / "crlf.toml", with_crlf(small_case));
  check_runs({"crlf.toml"}, folder.path());
  write_text(folder / "block.msh", with_crlf(small_mesh));
  check_runs({"crlf.toml"}, folder.path());
}

TEST_CASE("cli/odd input: spaces and letters beyond ASCII in paths") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "Käse und Brot");
  write_text(folder / "Käse und Brot/摩擦 1.toml", small_case);
  write_text(folder / "Käse und Brot/block.msh", small_mesh);
  check_runs({"Käse und Brot/摩擦 1.toml"}, folder.path());
  CHECK(json_value(folder / "out/summary.json", "case") == "摩擦 1");
  fs::rename(folder / "Käse und Brot/block.msh", folder / "Käse und Brot/le pavé.msh");
  check_runs({"Käse und Brot/摩擦 1.toml", "--set", "mesh.file=le pavé.msh"}, folder.path());
}

TEST_CASE("cli/odd input: the mesh is found from the case file, wherever the program is started") {
  const TemporaryFolder folder;
  for (const char* name : {"cases", "meshes", "elsewhere"}) fs::create_directory(folder / name);
  write_text(folder / "cases/block.toml", small_case);
  write_text(folder / "meshes/block.msh", small_mesh);
  check_runs({"../cases/block.toml", "--set", "mesh.file=../meshes/block.msh"},
             folder / "elsewhere");
  const std::string mesh = (folder / "meshes/block.msh").string();
  CHECK(read_text(folder / "elsewhere/out/case.toml").find("'" + mesh + "'") != std::string::npos);
}

TEST_CASE("cli/odd input: without --out the results go to results/CASE") {
  const TemporaryFolder folder;
  write_text(folder / "block.toml", small_case);
  write_text(folder / "block.msh", small_mesh);
  CHECK(slipwave({"run", "block.toml", "--quiet"}, folder.path()).exit_code == 0);
  CHECK(fs::exists(folder / "results/block/summary.json"));
}

TEST_CASE("cli/--set: an empty value removes a key, so that a .geo case runs on a .msh") {
  const TemporaryFolder folder;
  const ProgramResult result = slipwave(
      {"run", SLIPWAVE_ROOT "/cases/sliding_block.toml", "--quiet", "--steps", "3", "--set",
       "mesh.size=", "--set", "mesh.file=" SLIPWAVE_TEST_DATA "/meshes/sliding_block_4mm.msh"},
      folder.path());
  CHECK(result.err == "");
  CHECK(result.exit_code == 0);
  CHECK(json_value(folder / "results/sliding_block/summary.json", "sizes.contacts") == "11");
}

TEST_CASE("cli/--set: sections, list entries and numbers of a vector can be set and removed") {
  const TemporaryFolder folder;
  write_text(folder / "block.toml", small_case);
  write_text(folder / "block.msh", small_mesh);
  check_runs({"block.toml", "--set", "contact="}, folder.path());
  CHECK(json_value(folder / "out/summary.json", "sizes.contacts") == "0");
  CHECK(!fs::exists(folder / "out/contact.pvd"));
  check_runs({"block.toml", "--set", "contact=[]"}, folder.path());
  CHECK(json_value(folder / "out/summary.json", "sizes.contacts") == "0");
  check_runs({"block.toml", "--set", "contact[0]="}, folder.path());
  CHECK(json_value(folder / "out/summary.json", "sizes.contacts") == "0");
  check_runs({"block.toml", "--set", "contact={on = 'bottom', friction = 0}"}, folder.path());
  CHECK(json_value(folder / "out/summary.json", "sizes.contacts") == "2");
  check_runs({"block.toml", "--set", "contact.normal=[0, 1]", "--set", "contact.normal[0]=0.5"},
             folder.path());
  check_runs({"block.toml", "--set", "contact.normal=[0, 1e300]"}, folder.path());
  check_runs({"block.toml", "--set", "gravity.y=-2*exp(-t)"}, folder.path());
  CHECK(read_text(folder / "out/case.toml").find("y = '-2*exp(-t)'") != std::string::npos);
  check_runs({"block.toml", "--set", "units.length=µm"}, folder.path());
  CHECK(json_value(folder / "out/summary.json", "units.length") == "µm");
}

TEST_CASE("cli/--set: the last of two values for a key wins") {
  const TemporaryFolder folder;
  write_text(folder / "block.toml", small_case);
  write_text(folder / "block.msh", small_mesh);
  check_runs({"block.toml", "--set", "time.theta=0.9", "--set", "time.theta=0.75"}, folder.path());
  CHECK(json_value(folder / "out/summary.json", "scheme_parameters.theta") == "0.75");
}

}  // namespace slipwave::cli_tests
