#include "app/commands/solve.hpp"
#include "app/solve/mass_factor.hpp"
#include "contact/fclib/fclib.hpp"
#include "contact/fclib/write_fclib.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/small_case.hpp"

#include <doctest/doctest.h>
#include <hdf5.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>
#include <Eigen/LU>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace {

namespace fs = std::filesystem;
using contact::StoredGlobalProblem;
using contact::StoredProblem;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const fs::path data = fs::path(SLIPWAVE_TEST_DATA) / "fclib";

bool says(const std::string& text, const std::string& part) {
  CAPTURE(text);
  CAPTURE(part);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

/// The sliding block on a coarse mesh.
ProgramResult run_block(const TemporaryFolder& folder, std::vector<std::string> more) {
  std::vector<std::string> arguments{
      "run",    std::string(SLIPWAVE_ROOT) + "/cases/sliding_block.toml",
      "--out",  "out",
      "--set",  "mesh.size=5",
      "--set",  "output.frames_every=20",
      "--set",  "time.step=1e-3",
      "--quiet"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return slipwave(arguments, folder.path());
}

/// The impulses that a contact frame shows, normal and tangential in turn.
std::vector<double> impulses_of_frame(const fs::path& file) {
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  vtkPointData* points = reader->GetOutput()->GetPointData();
  std::vector<double> impulses;
  for (vtkIdType a = 0; a < reader->GetOutput()->GetNumberOfPoints(); ++a)
    for (const char* name : {"impulse_normal", "impulse_tangential"})
      impulses.push_back(points->GetArray(name)->GetComponent(a, 0));
  return impulses;
}

std::vector<double> sorted_without_zeros(std::vector<double> values) {
  std::erase(values, 0.0);
  std::sort(values.begin(), values.end());
  return values;
}

/// Masses on springs, fixed at the far end, of which the first `contacts` nodes touch a floor; two
/// unknowns per node.
StoredGlobalProblem chain(int nodes, int contacts) {
  StoredGlobalProblem problem;
  MatrixXd M = MatrixXd::Zero(2 * nodes, 2 * nodes);
  for (int i = 0; i < nodes; ++i) {
    M.diagonal().segment<2>(2 * i) += Eigen::Vector2d(3.0, 4.0);
    if (i + 1 == nodes) continue;
    Eigen::Matrix2d spring;
    spring << 1.0, 0.3, 0.3, 0.5;
    M.block<2, 2>(2 * i, 2 * i) += spring;
    M.block<2, 2>(2 * i + 2, 2 * i + 2) += spring;
    M.block<2, 2>(2 * i, 2 * i + 2) -= spring;
    M.block<2, 2>(2 * i + 2, 2 * i) -= spring;
  }
  MatrixXd H = MatrixXd::Zero(2 * nodes, 2 * contacts);
  for (int a = 0; a < contacts; ++a) {
    H(2 * a + 1, 2 * a) = 1.0;  // the normal is y
    H(2 * a, 2 * a + 1) = 1.0;
  }
  problem.M = M.sparseView();
  problem.H = H.sparseView();
  problem.f = VectorXd::LinSpaced(2 * nodes, -1.0, 0.5).array().sin() - 0.5;
  problem.w = VectorXd::Constant(2 * contacts, -0.1);
  problem.mu = VectorXd::Constant(contacts, 0.4);
  problem.title = "chain of springs";
  return problem;
}

/// The same by dense algebra.
StoredProblem condensed_densely(const StoredGlobalProblem& global) {
  const MatrixXd inverse = MatrixXd(global.M).inverse();
  StoredProblem local;
  local.dimension = global.dimension;
  local.W = MatrixXd(global.H.transpose() * inverse * global.H).sparseView();
  local.b = global.H.transpose() * (inverse * global.f) + global.w;
  local.mu = global.mu;
  return local;
}

/// Puts a group of one file into another, which then has both forms.
void copy_group(const fs::path& from, const fs::path& to, const char* group) {
  const hid_t source = H5Fopen(from.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t target = H5Fopen(to.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(source >= 0);
  REQUIRE(target >= 0);
  REQUIRE(H5Ocopy(source, group, target, group, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(target);
  H5Fclose(source);
}

VectorXd stored_r(const fs::path& file) {
  const std::optional<contact::StoredSolution> solution = contact::read_solution(file);
  REQUIRE(solution);
  return solution->r;
}

/// Exit code 2 and nothing but one line that ends so.
void check_refusal(const ProgramResult& result, const std::string& message) {
  CAPTURE(message);
  CHECK(result.exit_code == 2);
  CHECK(result.out == "");
  CHECK(result.err == message + "\n");
}

}  // namespace

TEST_CASE("cli/solve: the problem of a step has the impulses of the run as its solution") {
  const TemporaryFolder folder;
  const ProgramResult run =
      run_block(folder, {"--steps", "60", "--dump-problem", "20", "--dump-problem", "60"});
  REQUIRE(run.exit_code == 0);
  CHECK(run.err == "");
  for (const std::string step : {"0000020", "0000060"}) {
    const fs::path file = folder / ("out/problem_" + step + ".hdf5");
    const VectorXd run_r = stored_r(file);
    CHECK(run_r.norm() > 0.0);
    CHECK(
        sorted_without_zeros({run_r.begin(), run_r.end()}) ==
        sorted_without_zeros(impulses_of_frame(folder / ("out/contact/contact_" + step + ".vtp"))));

    const ProgramResult solve =
        slipwave({"solve", file, "--tolerance", "1e-12", "--write-solution"}, folder.path());
    CHECK(solve.exit_code == 0);
    CHECK(solve.err == "");
    says(solve.out, ": sliding_block, step " + std::to_string(std::stoi(step)) + "\n");
    says(solve.out, " contacts in 2D, local form\n");
    says(solve.out, "\n  method ");
    says(solve.out, " iteration(s), ");
    says(solve.out, "\n  residual ");
    says(solve.out, "\n  certified: both residuals are at most 1e-12\n");
    says(solve.out, "\n  solution in the file: residual ");
    says(solve.out, "\n  written to the file: r, u\n");
    CHECK((stored_r(file) - run_r).norm() <= 1e-8 * run_r.norm());
  }
}

TEST_CASE("cli/solve: --write-solution stores r, and u = W r + b, under the law") {
  const TemporaryFolder folder;
  const fs::path file = folder / "block.hdf5";
  fs::copy_file(data / "sliding_block_2d.hdf5", file);
  REQUIRE(slipwave({"solve", "block.hdf5", "--write-solution"}, folder.path()).exit_code == 0);
  const StoredProblem problem = contact::read_local_problem(file);
  const contact::StoredSolution solution = *contact::read_solution(file);
  CHECK((problem.W * solution.r + problem.b - solution.u).norm() <= 1e-12 * problem.b.norm());
  for (int a = 0; a < problem.contact_count(); ++a) {
    const double p_N = solution.r[2 * a], p_T = solution.r[2 * a + 1];
    CHECK(p_N >= 0.0);
    CHECK(std::abs(p_T) <= problem.mu[a] * p_N * (1.0 + 1e-12));
    CHECK(p_N * std::abs(solution.u[2 * a]) <= 1e-10 * problem.b.norm() * solution.r.norm());
  }
}

TEST_CASE("cli/solve: a global problem and its condensed form have the same r") {
  const TemporaryFolder folder;
  // Few touched unknowns, which are ordered last, and all of them.
  for (const int nodes : {20, 4}) {
    CAPTURE(nodes);
    const StoredGlobalProblem global = chain(nodes, 4);
    const StoredProblem local = condensed_densely(global);
    const StoredProblem ours = app::MassFactor(global).condensed(global);
    CHECK((ours.W - local.W).norm() <= 1e-14 * local.W.norm());
    CHECK((ours.b - local.b).norm() <= 1e-14 * local.b.norm());

    contact::write_global_problem(folder / "global.hdf5", global);
    contact::write_local_problem(folder / "local.hdf5", local);
    for (const std::string name : {"global.hdf5", "local.hdf5"}) {
      const ProgramResult result =
          slipwave({"solve", name, "--tolerance", "1e-12", "--write-solution"}, folder.path());
      CHECK(result.err == "");
      CHECK(result.exit_code == 0);
      if (name == "global.hdf5")
        says(result.out,
             "  4 contacts in 2D, global form with " + std::to_string(2 * nodes) + " unknowns\n");
    }
    const VectorXd r = stored_r(folder / "global.hdf5");
    CHECK(r.norm() > 0.0);
    CHECK((r - stored_r(folder / "local.hdf5")).norm() <= 1e-11 * r.norm());
    const VectorXd v = contact::read_solution(folder / "global.hdf5")->v;
    CHECK((global.M * v - global.H * r - global.f).norm() <= 1e-12 * global.f.norm());
  }
}

TEST_CASE("cli/solve: of a problem in both forms the local one is solved, and it is said") {
  const TemporaryFolder folder;
  const StoredGlobalProblem global = chain(20, 4);
  contact::write_global_problem(folder / "global.hdf5", global);
  contact::write_local_problem(folder / "both.hdf5", condensed_densely(global));
  copy_group(folder / "global.hdf5", folder / "both.hdf5", "/fclib_global");
  const std::vector<std::string> words{"solve", "both.hdf5", "--tolerance", "1e-12",
                                       "--write-solution"};
  const ProgramResult result = slipwave(words, folder.path());
  CHECK(result.err == "");
  CHECK(result.exit_code == 0);
  says(result.out, "2D, local form (the file has the global form too, which is not solved)\n");
  says(result.out, "\n  written to the file: r, u, v\n");
  const contact::StoredSolution stored = *contact::read_solution(folder / "both.hdf5");
  CHECK((global.M * stored.v - global.H * stored.r - global.f).norm() <= 1e-12 * global.f.norm());
  const ProgramResult again = slipwave(words, folder.path());
  CHECK(again.exit_code == 0);
  says(again.out, "its r differs by 0.0e+00\n");
}

TEST_CASE("cli/solve: two problems of different sizes in one file are refused with the sizes") {
  const TemporaryFolder folder;
  // The solution belongs to the larger one: compared with the other's, it would be read past its
  // end.
  const StoredGlobalProblem larger = chain(20, 6);
  contact::write_global_problem(folder / "both.hdf5", larger,
                                contact::StoredSolution{VectorXd::Ones(12), VectorXd::Ones(12),
                                                        VectorXd::Ones(larger.M.rows())});
  contact::write_local_problem(folder / "local.hdf5", condensed_densely(chain(20, 4)));
  copy_group(folder / "local.hdf5", folder / "both.hdf5", "/fclib_local");
  check_refusal(slipwave({"solve", "both.hdf5"}, folder.path()),
                "both.hdf5: holds two different problems: /fclib_local/W/m = 8 and "
                "/fclib_global/H/n = 12; expected one problem, in one form or in both");
}

TEST_CASE(
    "cli/solve: r goes with b over all that a double holds, and what it does not is refused") {
  const TemporaryFolder folder;
  const StoredProblem problem = condensed_densely(chain(20, 4));
  contact::write_local_problem(folder / "p.hdf5", problem);
  const std::vector<std::string> words{"solve", "p.hdf5", "--tolerance", "1e-12",
                                       "--write-solution"};
  REQUIRE(slipwave(words, folder.path()).exit_code == 0);
  const VectorXd r = stored_r(folder / "p.hdf5");
  for (const auto& [of_W, of_b] : std::vector<std::pair<int, int>>{
           {0, -515}, {0, 498}, {0, 1000}, {500, 0}, {-500, 0}, {515, 515}, {400, -400}}) {
    CAPTURE(of_W);
    CAPTURE(of_b);
    StoredProblem scaled = problem;
    scaled.W *= std::ldexp(1.0, of_W);
    scaled.b *= std::ldexp(1.0, of_b);
    contact::write_local_problem(folder / "p.hdf5", scaled);
    const ProgramResult result = slipwave(words, folder.path());
    CHECK(result.err == "");
    CHECK(result.exit_code == 0);
    const VectorXd back = stored_r(folder / "p.hdf5") * std::ldexp(1.0, of_W - of_b);
    CHECK((back - r).norm() <= 1e-10 * r.norm());
  }
  StoredProblem tiny = problem;
  tiny.b *= 1e-300;
  contact::write_local_problem(folder / "p.hdf5", tiny);
  const ProgramResult result = slipwave(words, folder.path());
  CHECK(result.exit_code == 3);
  says(result.out, "  NOT certified: a double does not hold the digits of r; scale W or q\n");
}

TEST_CASE("cli/solve: a solution without certificate gives exit code 3 and is not stored") {
  const TemporaryFolder folder;
  contact::write_global_problem(folder / "chain.hdf5", chain(20, 4));
  const ProgramResult result =
      slipwave({"solve", "chain.hdf5", "--tolerance", "1e-300", "--write-solution"}, folder.path());
  CHECK(result.exit_code == 3);
  says(result.out, "  NOT certified: a residual is above 1e-300\n");
  CHECK(!contact::read_solution(folder / "chain.hdf5"));
}

TEST_CASE("cli/solve: every method certifies the same solution of the files of tests/data") {
  const TemporaryFolder folder;
  for (const fs::directory_entry& entry : fs::directory_iterator(data)) {
    std::vector<VectorXd> solutions;
    for (const std::string& method : app::solve_methods()) {
      CAPTURE(entry.path());
      CAPTURE(method);
      fs::copy_file(entry.path(), folder / "p.hdf5", fs::copy_options::overwrite_existing);
      const ProgramResult result =
          slipwave({"solve", "p.hdf5", "--method", method, "--write-solution"}, folder.path());
      CHECK(result.err == "");
      CHECK(result.exit_code == 0);
      if (method == "nsgs" || method == "newton") says(result.out, "\n  method " + method + ", ");
      solutions.push_back(stored_r(folder / "p.hdf5"));
      CHECK((solutions.back() - solutions.front()).norm() <= 1e-8 * solutions.front().norm());
    }
  }
}

TEST_CASE("cli/solve: an unsymmetric W is solved as it is, and said") {
  const TemporaryFolder folder;
  StoredProblem odd = contact::read_local_problem(data / "sliding_block_2d.hdf5");
  const double size = odd.W.coeff(0, 0);
  odd.W.coeffRef(0, 1) += 0.01 * size;
  contact::write_local_problem(folder / "odd.hdf5", odd);
  for (const std::string& method : app::solve_methods()) {
    CAPTURE(method);
    const ProgramResult result = slipwave(
        {"solve", "odd.hdf5", "--method", method, "--tolerance", "1e-9", "--write-solution"},
        folder.path());
    CHECK(result.exit_code == 0);
    says(result.out, "  W is not symmetric: it differs from its transpose by ");
    const auto stored = contact::read_solution(folder / "odd.hdf5");
    REQUIRE(stored);
    CHECK((odd.W * stored->r + odd.b - stored->u).norm() <= 1e-12 * odd.b.norm());
  }
}

TEST_CASE("cli/solve: what is not a problem is refused in one line with exit code 2") {
  const TemporaryFolder folder;
  const std::string expected = "; expected a frictional contact problem in FCLIB form (HDF5)";
  const auto solve = [&](const std::string& name) {
    return slipwave({"solve", name}, folder.path());
  };
  check_refusal(solve("none.hdf5"), "none.hdf5: no such file" + expected);
  check_refusal(solve("."), ".: is a folder" + expected);
  write_text(folder / "text.hdf5", "no HDF5 in here\n");
  check_refusal(solve("text.hdf5"), "text.hdf5: is not HDF5" + expected);
  write_text(folder / "block.toml", small_case);
  check_refusal(solve("block.toml"), "block.toml: is not HDF5" + expected +
                                         " (a case file? try: slipwave run block.toml)");
  write_text(folder / "block.msh", small_mesh);
  check_refusal(solve("block.msh"),
                "block.msh: is not HDF5" + expected + " (a mesh? a case file names it)");

  const fs::path whole = data / "sliding_block_2d.hdf5";
  fs::copy_file(whole, folder / "cut.hdf5");
  fs::resize_file(folder / "cut.hdf5", fs::file_size(whole) / 2);
  check_refusal(solve("cut.hdf5"), "cut.hdf5: is damaged or truncated" + expected);

  StoredGlobalProblem loose = chain(3, 1);
  loose.M.coeffRef(5, 5) = -1.0;
  contact::write_global_problem(folder / "loose.hdf5", loose);
  check_refusal(solve("loose.hdf5"), "loose.hdf5: M is not positive definite at row 5");

  const ProgramResult method = slipwave({"solve", whole, "--method", "magic"}, folder.path());
  CHECK(method.exit_code == 2);
  says(method.err, "--method");
  CHECK(slipwave({"solve", whole, "--tolerance", "-1"}, folder.path()).exit_code == 2);
  CHECK(slipwave({"solve"}, folder.path()).exit_code == 2);
}

TEST_CASE("cli/run: --dump-problem refuses steps that the run does not reach") {
  const TemporaryFolder folder;
  const ProgramResult late = run_block(folder, {"--steps", "3", "--dump-problem", "4"});
  check_refusal(late, "--dump-problem 4: the run has 3 steps");
  CHECK(run_block(folder, {"--steps", "3", "--dump-problem", "0"}).exit_code == 2);
  CHECK(!fs::exists(folder / "out"));
}

TEST_CASE("cli/run: a new run removes the problems of the last one and nothing else") {
  const TemporaryFolder folder;
  REQUIRE(run_block(folder, {"--steps", "2", "--dump-problem", "1"}).exit_code == 0);
  write_text(folder / "out/problem_of_mine.hdf5", "");
  REQUIRE(run_block(folder, {"--steps", "2", "--dump-problem", "2", "--force"}).exit_code == 0);
  CHECK(!fs::exists(folder / "out/problem_0000001.hdf5"));
  CHECK(fs::exists(folder / "out/problem_0000002.hdf5"));
  CHECK(fs::exists(folder / "out/problem_of_mine.hdf5"));
}

TEST_CASE("cli/run: a step without active contacts has no problem to write, and says so") {
  const TemporaryFolder folder;
  write_text(folder / "block.msh", small_mesh);
  write_text(folder / "block.toml", small_case);
  const ProgramResult result = slipwave(
      {"run", "block.toml", "--out", "out", "--set", "contact.point=[0,-1]", "--dump-problem", "1"},
      folder.path());
  CHECK(result.exit_code == 0);
  says(result.err, "warning: --dump-problem 1: no contact is active in this step\n");
  CHECK(!fs::exists(folder / "out/problem_0000001.hdf5"));
}

TEST_CASE("cli/run: the problem of a failed step can be solved") {
  const TemporaryFolder folder;
  const ProgramResult run = run_block(folder, {"--steps", "50", "--set", "solver.max_iterations=1",
                                               "--set", "contact.friction=0.8"});
  REQUIRE(run.exit_code == 3);
  const std::string begin = "the problem was written to ";
  const auto place = run.err.find(begin);
  REQUIRE(place != std::string::npos);
  const std::string file =
      run.err.substr(place + begin.size(), run.err.find(". Try", place) - place - begin.size());
  CHECK(file.starts_with("out/failed_step_"));
  const ProgramResult solve = slipwave({"solve", file}, folder.path());
  CHECK(solve.exit_code == 0);
  says(solve.out, "  certified: ");
}

}  // namespace slipwave::cli_tests
