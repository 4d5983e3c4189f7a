#include "contact/fclib/fclib.hpp"

#include "contact/fclib/write_fclib.hpp"
#include "contact/solvers/solver.hpp"
#include "tests/contact/fclib/odd_files.hpp"

#include <doctest/doctest.h>
#include <hdf5.h>
#include <Eigen/Dense>
extern "C" {
#include <fclib.h>
}

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace slipwave::contact::tests {

namespace {

namespace fs = std::filesystem;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void check_equal(const StoredProblem& a, const StoredProblem& b) {
  CHECK(a.dimension == b.dimension);
  CHECK(MatrixXd(a.W) == MatrixXd(b.W));
  CHECK(a.b == b.b);
  CHECK(a.mu == b.mu);
  CHECK(a.title == b.title);
  CHECK(a.description == b.description);
}

}  // namespace

TEST_CASE("contact/fclib: a local problem and its solution come back to the last bit") {
  std::mt19937_64 generator(1);
  const TemporaryFolder folder;
  for (const int dimension : {2, 3}) {
    const StoredProblem problem = random_problem(5, dimension, generator);
    const StoredSolution solution{
        random_matrix(5 * dimension, 1, generator), random_matrix(5 * dimension, 1, generator), {}};
    const fs::path file = folder / ("problem_" + std::to_string(dimension) + ".hdf5");
    write_local_problem(file, problem, solution);
    CHECK(stored_form(file) == StoredForm::local);
    check_equal(read_local_problem(file), problem);
    const std::optional<StoredSolution> stored = read_solution(file);
    REQUIRE(stored);
    CHECK(stored->r == solution.r);
    CHECK(stored->u == solution.u);
    CHECK(stored->v.size() == 0);
  }
  CHECK(folder.file_count() == 2);  // nothing temporary is left
}

TEST_CASE("contact/fclib: a global problem and its solution come back to the last bit") {
  std::mt19937_64 generator(3);
  const TemporaryFolder folder;
  const fs::path file = folder / "g.hdf5";
  const StoredGlobalProblem problem = random_global(7, 2, 3, generator);
  write_global_problem(file, problem);
  CHECK(stored_form(file) == StoredForm::global);
  CHECK(!read_solution(file));
  const StoredSolution solution{random_matrix(6, 1, generator), random_matrix(6, 1, generator),
                                random_matrix(7, 1, generator)};
  write_solution(file, solution);
  const StoredGlobalProblem read = read_global_problem(file);
  CHECK(read.dimension == 3);
  CHECK(MatrixXd(read.M) == MatrixXd(problem.M));
  CHECK(MatrixXd(read.H) == MatrixXd(problem.H));
  CHECK(read.f == problem.f);
  CHECK(read.w == problem.w);
  CHECK(read.mu == problem.mu);
  CHECK(read.title == "global");
  CHECK(read.description.empty());
  CHECK(read_solution(file)->v == solution.v);
}

TEST_CASE("contact/fclib: a second solution replaces the first and leaves the problem alone") {
  std::mt19937_64 generator(4);
  const TemporaryFolder folder;
  const fs::path file = folder / "p.hdf5";
  const StoredProblem problem = random_problem(3, 2, generator);
  write_local_problem(file, problem);
  CHECK(!read_solution(file));
  for (const double value : {1.0, 2.0}) {
    write_solution(file, {VectorXd::Constant(6, value), VectorXd::Constant(6, -value), {}});
    CHECK(read_solution(file)->r == VectorXd::Constant(6, value));
    CHECK(read_solution(file)->u == VectorXd::Constant(6, -value));
  }
  check_equal(read_local_problem(file), problem);
  CHECK(complaint([&] {
          write_solution(file, {VectorXd::Zero(4), VectorXd::Zero(6), {}});
        }) == file.string() +
                  ": a solution with 4 r, 6 u and 0 v does not fit a problem with 6 r and 0 v");
  CHECK(read_solution(file)->r == VectorXd::Constant(6, 2.0));
  CHECK(folder.file_count() == 1);
}

TEST_CASE("contact/fclib: what is not a problem is refused with its name and what is wrong") {
  const TemporaryFolder folder;
  const std::string expected = "; expected a frictional contact problem in FCLIB form (HDF5)";
  CHECK(complaint_about(folder / "none") ==
        (folder / "none").string() + ": no such file" + expected);
  CHECK(complaint_about(folder / "") == (folder / "").string() + ": is a folder" + expected);
  std::ofstream(folder / "text") << "not HDF5 at all, and longer than a signature";
  CHECK(complaint_about(folder / "text") ==
        (folder / "text").string() + ": is not HDF5" + expected);
  std::ofstream(folder / "empty") << "";
  CHECK(complaint_about(folder / "empty") ==
        (folder / "empty").string() + ": is not HDF5" + expected);

  std::mt19937_64 generator(6);
  const fs::path file = folder / "p.hdf5";
  write_local_problem(file, random_problem(3, 2, generator));
  for (const std::uintmax_t part : {std::uintmax_t{3}, std::uintmax_t{2}}) {
    fs::copy_file(file, folder / "cut", fs::copy_options::overwrite_existing);
    fs::resize_file(folder / "cut", fs::file_size(file) * (part - 1) / part);
    CHECK(complaint_about(folder / "cut") ==
          (folder / "cut").string() + ": is damaged or truncated" + expected);
  }

  change(file, [](hid_t id) {
    H5Ldelete(id, "/fclib_local", H5P_DEFAULT);
    put(id, "/temperature", {1.0});
  });
  const std::string nothing =
      file.string() +
      ": has no frictional contact problem in FCLIB form: expected a group \"fclib_local\" or "
      "\"fclib_global\", found \"temperature\"";
  CHECK(complaint_about(file) == nothing);
  CHECK(complaint([&] { read_local_problem(file); }) == nothing);
  CHECK(complaint([&] { write_solution(file, {}); }) == nothing);

  write_local_problem(file, random_problem(3, 2, generator));
  CHECK(complaint([&] { read_global_problem(file); }) ==
        file.string() + ": has no global problem (no group /fclib_global)");
  write_global_problem(file, random_global(4, 1, 3, generator));
  CHECK(complaint([&] { read_local_problem(file); }) ==
        file.string() + ": has no local problem (no group /fclib_local)");
}

TEST_CASE("contact/fclib: a problem with a fault is refused with its name and the fault") {
  struct Fault {
    std::string what;
    std::function<void(hid_t)> edit;
  };
  const auto without = [](const char* name) {
    return [name](hid_t id) { REQUIRE(H5Ldelete(id, name, H5P_DEFAULT) >= 0); };
  };
  const auto with = [](const char* name, const std::vector<double>& values) {
    return [name, values](hid_t id) { put(id, name, values); };
  };
  const std::vector<Fault> faults{
      {"has no matrix /fclib_local/W", without("/fclib_local/W")},
      {"has no data set /fclib_local/W/x, or a damaged one", without("/fclib_local/W/x")},
      {"has no data set /fclib_local/spacedim, or a damaged one", without("/fclib_local/spacedim")},
      {"has no data set /fclib_local/vectors/q, or a damaged one",
       without("/fclib_local/vectors/q")},
      {"has no data set /fclib_local/vectors/mu, or a damaged one",
       without("/fclib_local/vectors")},
      {"/fclib_local/spacedim = 4: expected 2 or 3", with("/fclib_local/spacedim", {4})},
      {"/fclib_local/spacedim has 2 number(s): expected 1", with("/fclib_local/spacedim", {2, 2})},
      {"/fclib_local/W is of size 4, which is no multiple of /fclib_local/spacedim = 3",
       with("/fclib_local/spacedim", {3})},
      {"/fclib_local/vectors/mu has 1 number(s): expected 2", with("/fclib_local/vectors/mu", {1})},
      {"/fclib_local/vectors/q has 3 number(s): expected 4",
       with("/fclib_local/vectors/q", {1, 2, 3})},
      {"/fclib_local/W is 5 x 4: expected a square", with("/fclib_local/W/m", {5})},
      {"/fclib_local/W is 4 x 3: expected a square", with("/fclib_local/W/n", {3})},
      {"/fclib_local/W/m = -4: expected a whole number, at least 0 and below 2^31",
       with("/fclib_local/W/m", {-4})},
      {"/fclib_local/W/nz = -3: expected a whole number, at least -2 and below 2^31",
       with("/fclib_local/W/nz", {-3})},
      {"/fclib_local/W/i has 14 number(s): expected 20", with("/fclib_local/W/nzmax", {20})},
      {"/fclib_local/W/p(2) = 1: must rise to at most 14",
       with("/fclib_local/W/p", {0, 3, 1, 10, 14})},
      {"/fclib_local/W/p(4) = 15: must rise to at most 14",
       with("/fclib_local/W/p", {0, 3, 7, 10, 15})},
      {"/fclib_local/vectors/mu(1) = -0.5: must be at least 0",
       with("/fclib_local/vectors/mu", {0.5, -0.5})},
      {"/fclib_local/vectors/q(2) = nan: expected a finite number",
       with("/fclib_local/vectors/q", {0, 0, std::nan(""), 0})},
      {"/fclib_local/info/title is not a single text", with("/fclib_local/info/title", {1})},
      {"is a mixed problem: /fclib_local/V adds 2 equation(s) to the contacts; expected a problem "
       "of contacts alone",
       [&](hid_t id) {
         put_matrix(id, "/fclib_local/V", 4, 2);
         put_matrix(id, "/fclib_local/R", 2, 2);
       }},
      {"is a mixed problem: /fclib_local/R adds 2 equation(s) to the contacts; expected a problem "
       "of contacts alone",
       [&](hid_t id) { put_matrix(id, "/fclib_local/R", 2, 2); }},
  };
  std::mt19937_64 generator(7);
  const TemporaryFolder folder;
  const StoredProblem problem = random_problem(2, 2, generator);
  for (const Fault& fault : faults) {
    const fs::path file = folder / "p.hdf5";
    write_local_problem(file, problem);
    change(file, fault.edit);
    CHECK(complaint_about(file) == file.string() + ": " + fault.what);
  }
}

TEST_CASE("contact/fclib: equations without rows and columns do not count") {
  std::mt19937_64 generator(7);
  const TemporaryFolder folder;
  const StoredProblem problem = random_problem(2, 2, generator);
  const fs::path file = folder / "mixed.hdf5";
  write_local_problem(file, problem);
  change(file, [&](hid_t id) {
    put_matrix(id, "/fclib_local/V", 4, 0);
    put_matrix(id, "/fclib_local/R", 0, 0);
    put(id, "/fclib_local/vectors/s", {});
  });
  check_equal(read_local_problem(file), problem);
}

TEST_CASE("contact/fclib: a global problem with equations beside the contacts is refused") {
  std::mt19937_64 generator(7);
  const TemporaryFolder folder;
  const fs::path file = folder / "mixed.hdf5";
  write_global_problem(file, random_global(4, 1, 3, generator));
  change(file, [&](hid_t id) { put_matrix(id, "/fclib_global/G", 4, 1); });
  CHECK(complaint_about(file) ==
        file.string() +
            ": is a mixed problem: /fclib_global/G adds 1 equation(s) to the "
            "contacts; expected a problem of contacts alone");
}

TEST_CASE("contact/fclib: an entry outside of its matrix is refused") {
  std::mt19937_64 generator(7);
  const TemporaryFolder folder;
  const StoredProblem problem = random_problem(2, 2, generator);
  const fs::path file = folder / "row.hdf5";
  write_local_problem(file, problem);
  change(file, [](hid_t id) {
    put(id, "/fclib_local/W/i", {0, 1, 2, 0, 1, 2, 9, 0, 1, 2, 3, 1, 2, 3});
  });
  CHECK(complaint_about(file).find("/fclib_local/W has the entry (9, 1) = ") != std::string::npos);
  CHECK(complaint_about(file).ends_with(": expected a number within 4 x 4"));
}

TEST_CASE("contact/fclib: what cannot be written is refused and nothing is left behind") {
  std::mt19937_64 generator(8);
  const TemporaryFolder folder;
  const StoredProblem problem = random_problem(2, 2, generator);
  const fs::path file = folder / "nowhere/p.hdf5";
  CHECK(complaint([&] { write_local_problem(file, problem); }) ==
        file.string() + ": could not be written: the folder " + (folder / "nowhere").string() +
            " is gone");
  CHECK(complaint([&] { write_local_problem(folder / "p.hdf5", {}); }) ==
        (folder / "p.hdf5").string() +
            ": a problem without contacts cannot be written in FCLIB form");
  CHECK(folder.file_count() == 0);
}

TEST_CASE("contact/fclib: the library's own merit function accepts our solution of a 3D problem") {
  std::mt19937_64 generator(9);
  const TemporaryFolder folder;
  const fs::path file = folder / "p.hdf5";
  StoredProblem stored = random_problem(6, 3, generator);
  for (int a = 0; a < 6; ++a) stored.b[3 * a] -= 1.0;
  const Problem problem = problem_of(stored);
  Solution solution(6, 3);
  REQUIRE(Solver(problem.W, {}).solve(problem, solution).converged);
  write_local_problem(file, active_part(problem), active_part(problem, solution));

  fclib_local* local = fclib_read_local(file.c_str());
  fclib_solution* ours = fclib_read_solution(file.c_str());
  REQUIRE((local && ours));
  CHECK(fclib_merit_local(local, MERIT_1, ours) <= 1e-10);
  ours->r[0] += 1.0;
  CHECK(fclib_merit_local(local, MERIT_1, ours) >= 1e-2);
  fclib_delete_solutions(ours, 1);
  fclib_delete_local(local);
  std::free(local);
}

TEST_CASE("contact/fclib: the files of tests/data are read") {
  const fs::path data = fs::path(SLIPWAVE_TEST_DATA) / "fclib";
  const StoredProblem plane = read_local_problem(data / "sliding_block_2d.hdf5");
  CHECK(plane.dimension == 2);
  CHECK(read_solution(data / "sliding_block_2d.hdf5"));
  const StoredProblem space = read_local_problem(data / "random_3d.hdf5");
  CHECK(space.dimension == 3);
  CHECK(space.contact_count() == 6);
  const StoredGlobalProblem global = read_global_problem(data / "chain_global_2d.hdf5");
  CHECK(global.M.rows() > global.H.cols());
}

}  // namespace slipwave::contact::tests
