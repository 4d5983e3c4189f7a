#include "contact/fclib/write_fclib.hpp"
#include "tests/cli/program.hpp"
#include "tests/contact/fclib/odd_files.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace slipwave::cli_tests {

namespace {

namespace fs = std::filesystem;

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// plane.hdf5 and space.hdf5, pushed together, and global.hdf5.
void write_problems(const TemporaryFolder& folder) {
  std::mt19937_64 generator(17);
  for (const int dimension : {2, 3}) {
    contact::StoredProblem problem = contact::tests::random_problem(5, dimension, generator);
    for (int a = 0; a < 5; ++a) problem.b[dimension * a] -= 2.0;
    contact::write_local_problem(folder / (dimension == 2 ? "plane.hdf5" : "space.hdf5"), problem);
  }
  contact::StoredGlobalProblem global = contact::tests::random_global(20, 3, 3, generator);
  global.H = contact::tests::random_matrix(20, 9, generator).sparseView();
  contact::write_global_problem(folder / "global.hdf5", global);
}

/// Slipwave without other programs: what is beside it or in PATH is not found.
ProgramResult compare(const TemporaryFolder& folder, std::vector<std::string> words) {
  fs::create_directory(folder / "bin");
  std::error_code is_there;
  fs::copy_file(SLIPWAVE_PROGRAM, folder / "bin/slipwave", is_there);
  std::vector<std::string> command{"env", "PATH=", (folder / "bin/slipwave").string(), "solve",
                                   "--compare"};
  command.insert(command.end(), words.begin(), words.end());
  return Program(command, folder.path()).wait();
}

/// The methods of each file in compare.csv with what its column `certified` says.
std::map<std::string, std::map<std::string, std::string>> certified_in(const fs::path& csv) {
  std::map<std::string, std::map<std::string, std::string>> table;
  std::vector<std::string> rows = lines_of(read_text(csv));
  REQUIRE(!rows.empty());
  CHECK(rows[0] == "file,dimension,contacts,method,ms,raw,scaled,certified,asked_tolerance,remark");
  rows.erase(rows.begin());
  for (const std::string& row : rows) {
    const std::vector<std::string> fields = fields_of(row);
    REQUIRE(fields.size() == 10);
    table[fields[0]][fields[3]] = fields[7];
    const bool both = std::stod(fields[5]) <= 1e-9 && std::stod(fields[6]) <= 1e-9;
    CHECK(both == (fields[7] == "yes"));
  }
  return table;
}

}  // namespace

TEST_CASE("cli/compare: every method certifies every small problem, and files say so") {
  const TemporaryFolder folder;
  write_problems(folder);
  const ProgramResult result =
      compare(folder, {"plane.hdf5", "space.hdf5", "global.hdf5", "--tolerance", "1e-9"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(says(result.err, "[2/3 space.hdf5] nsgs: "));
  CHECK(says(result.out, "file         method "));
  CHECK(says(result.out, "share of the 3 file(s) solved within tau times the fastest\n"));
  CHECK(says(result.out, "written to results/compare: compare.csv, profile.csv, profile.svg\n"));
  CHECK_FALSE(says(result.out, "Siconos"));

  const auto table = certified_in(folder / "results/compare/compare.csv");
  using Methods = std::map<std::string, std::string>;
  const Methods all{
      {"auto", "yes"}, {"nsgs", "yes"}, {"proximal-newton", "yes"}, {"interior-point", "yes"}};
  Methods plane = all;
  plane["newton"] = "yes";
  CHECK(table.at("\"plane.hdf5\"") == plane);
  CHECK(table.at("\"space.hdf5\"") == all);
  CHECK(table.at("\"global.hdf5\"") == all);
}

TEST_CASE("cli/compare: shares rise to what is solved, and the fastest are all files") {
  const TemporaryFolder folder;
  write_problems(folder);
  REQUIRE(compare(folder, {"plane.hdf5", "space.hdf5", "--out", "out"}).exit_code == 0);
  const std::vector<std::string> rows = lines_of(read_text(folder / "out/profile.csv"));
  REQUIRE(rows.size() == 6);
  CHECK(rows[0] == "method,1,1.5,2,3,5,10,100");
  double fastest = 0.0;
  for (std::size_t m = 1; m < rows.size(); ++m) {
    const std::vector<std::string> fields = fields_of(rows[m]);
    REQUIRE(fields.size() == 8);
    for (std::size_t k = 2; k < fields.size(); ++k)
      CHECK(std::stod(fields[k]) >= std::stod(fields[k - 1]));
    CHECK(std::stod(fields.back()) <= (fields[0] == "newton" ? 0.5 : 1.0));
    fastest += std::stod(fields[1]);
  }
  CHECK(fastest >= 1.0);
  const std::string figure = read_text(folder / "out/profile.svg");
  CHECK(figure.starts_with("<?xml"));
  CHECK(says(figure, "proximal-newton"));
}

TEST_CASE("cli/compare: what is not certified has failed, and the exit code is 3") {
  const TemporaryFolder folder;
  write_problems(folder);
  const ProgramResult result = compare(folder, {"space.hdf5", "--tolerance", "1e-300"});
  CHECK(result.exit_code == 3);
  const std::vector<std::string> rows = lines_of(read_text(folder / "results/compare/profile.csv"));
  REQUIRE(rows.size() == 5);
  CHECK(rows[1] == "auto,0,0,0,0,0,0,0");
}

TEST_CASE("cli/compare: a file that is no problem is named, and the others are compared") {
  const TemporaryFolder folder;
  write_problems(folder);
  const ProgramResult result = compare(folder, {"none.hdf5", "plane.hdf5"});
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, "none.hdf5: no such file; expected a frictional contact problem"));
  CHECK(says(result.out, "share of the 1 file(s)"));
}

TEST_CASE("cli/compare: a solve over the limit has failed") {
  const TemporaryFolder folder;
  write_problems(folder);
  const ProgramResult result = compare(folder, {"plane.hdf5", "--limit", "1e-9"});
  CHECK(result.exit_code == 3);
  CHECK(says(read_text(folder / "results/compare/compare.csv"), ",no,1e-10,\"over 1e-09 s\"\n"));
}

TEST_CASE("cli/compare: Ctrl-C stops with what there is") {
  const TemporaryFolder folder;
  write_problems(folder);
  std::vector<std::string> command{SLIPWAVE_PROGRAM, "solve", "--compare"};
  command.insert(command.end(), 2000, "space.hdf5");
  Program program(command, folder.path());
  for (int i = 0; i < 12000 && program.running() && !fs::exists(folder / "results/compare"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  program.interrupt();
  const ProgramResult result = program.wait();
  CHECK(result.exit_code == 130);
  CHECK(says(result.err, "interrupted: the rest was not solved\n"));
  CHECK(says(result.out, "written to results/compare"));
  CHECK(fs::exists(folder / "results/compare/profile.svg"));
}

TEST_CASE("cli/compare: one method, or all; a folder is for what is compared") {
  const TemporaryFolder folder;
  write_problems(folder);
  CHECK(compare(folder, {"plane.hdf5", "--method", "nsgs"}).exit_code == 2);
  CHECK(compare(folder, {"plane.hdf5", "--write-solution"}).exit_code == 2);
  CHECK(slipwave({"solve", "plane.hdf5", "--out", "out"}, folder.path()).exit_code == 2);
}

TEST_CASE("cli/solve: of several files each is solved, and the largest exit code remains") {
  const TemporaryFolder folder;
  write_problems(folder);
  const ProgramResult good = slipwave({"solve", "plane.hdf5", "space.hdf5"}, folder.path());
  CHECK(good.exit_code == 0);
  CHECK(says(good.out, "plane.hdf5: random\n  5 contacts in 2D"));
  CHECK(says(good.out, "space.hdf5: random\n  5 contacts in 3D"));
  const ProgramResult bad = slipwave({"solve", "none.hdf5", "space.hdf5"}, folder.path());
  CHECK(bad.exit_code == 2);
  CHECK(lines_of(bad.err).size() == 1);
  CHECK(says(bad.out, "space.hdf5: random\n  5 contacts in 3D"));
}

}  // namespace slipwave::cli_tests
