#include "app/solve_problem.hpp"

#include "app/threads.hpp"
#include "contact/solver.hpp"
#include "dynamics/factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slipwave::app {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A problem read from a file, in local form; M, H and f stay for v.
struct Input {
  std::optional<contact::StoredGlobalProblem> global;
  std::optional<dynamics::ContactLastFactor> factor;  // of M
  contact::StoredProblem local;
  std::optional<contact::StoredSolution> stored;  // the solution in the file
};

/// The largest difference between a matrix and its transpose that counts as round-off.
constexpr double symmetry = 1e-10;

/// The unknowns that H touches.
std::vector<int> touched_rows(const Eigen::SparseMatrix<double>& H) {
  std::vector<bool> touched(static_cast<std::size_t>(H.rows()), false);
  for (int j = 0; j < H.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(H, j); entry; ++entry)
      touched[static_cast<std::size_t>(entry.row())] = true;
  std::vector<int> rows;
  for (std::size_t i = 0; i < touched.size(); ++i)
    if (touched[i]) rows.push_back(static_cast<int>(i));
  return rows;
}

/// Few enough that M^-1 on them, dense, costs no more than a solve per column of H.
bool are_few(const std::vector<int>& rows, const Eigen::SparseMatrix<double>& H) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  return 2 * count <= H.rows() && count <= 2 * H.cols();
}

dynamics::ContactLastFactor factorise(const contact::StoredGlobalProblem& global) {
  const Eigen::SparseMatrix<double> skew =
      global.M - Eigen::SparseMatrix<double>(global.M.transpose());
  if (skew.norm() > symmetry * global.M.norm()) throw std::invalid_argument("M is not symmetric");
  const std::vector<int> rows = touched_rows(global.H);
  try {
    return {fem::SparseMatrix(global.M), are_few(rows, global.H) ? rows : std::vector<int>{}};
  } catch (const dynamics::NotPositiveDefinite& error) {
    throw std::invalid_argument(fmt::format("M is not positive definite at row {}", error.row));
  }
}

/// H^T M^-1 H from M^-1 on the rows of H that have entries, which are the factor's last.
MatrixXd delassus_on_last(const dynamics::ContactLastFactor& factor,
                          const Eigen::SparseMatrix<double>& H) {
  const int first = factor.size() - factor.last_count();
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < H.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(H, j); entry; ++entry)
      entries.emplace_back(factor.position()[static_cast<std::size_t>(entry.row())] - first, j,
                           entry.value());
  Eigen::SparseMatrix<double> H_last(factor.last_count(), H.cols());
  H_last.setFromTriplets(entries.begin(), entries.end());
  const MatrixXd inverse_times_H = factor.inverse_on_last() * H_last;
  return H_last.transpose() * inverse_times_H;
}

MatrixXd delassus_by_columns(const dynamics::ContactLastFactor& factor,
                             const Eigen::SparseMatrix<double>& H) {
  MatrixXd W(H.cols(), H.cols());
  for (int j = 0; j < H.cols(); ++j) W.col(j) = H.transpose() * factor.solve(VectorXd(H.col(j)));
  return W;
}

contact::StoredProblem condensed(const contact::StoredGlobalProblem& global,
                                 const dynamics::ContactLastFactor& factor) {
  contact::StoredProblem local;
  local.dimension = global.dimension;
  local.W = factor.last_count() > 0 ? delassus_on_last(factor, global.H)
                                    : delassus_by_columns(factor, global.H);
  local.b = global.H.transpose() * factor.solve(global.f) + global.w;
  local.mu = global.mu;
  local.title = global.title;
  local.description = global.description;
  return local;
}

/// W must be symmetric to round-off, and is made so exactly: solvers read rows as columns.
void symmetrise(MatrixXd& W) {
  const MatrixXd transpose = W.transpose();
  if ((W - transpose).norm() > symmetry * W.norm())
    throw std::invalid_argument("W is not symmetric");
  W = 0.5 * (W + transpose);
}

Input read(const std::string& file) {
  Input input;
  if (contact::stored_form(file) == contact::StoredForm::global) {
    input.global = contact::read_global_problem(file);
    input.factor = factorise(*input.global);
    input.local = condensed(*input.global, *input.factor);
  } else {
    input.local = contact::read_local_problem(file);
  }
  symmetrise(input.local.W);
  input.stored = contact::read_solution(file);
  return input;
}

/// The methods by their names on the command line.
constexpr std::array<std::pair<const char*, contact::Method>, 4> methods{
    {{"auto", contact::Method::automatic},
     {"nsgs", contact::Method::nsgs},
     {"newton", contact::Method::newton},
     {"projected-gradient", contact::Method::projected_gradient}}};

contact::Method method_named(const std::string& name) {
  const auto is_it = [&](const auto& method) { return method.first == name; };
  return std::find_if(methods.begin(), methods.end(), is_it)->second;
}

std::string name_of(contact::Method method) {
  const auto is_it = [&](const auto& named) { return named.second == method; };
  return std::find_if(methods.begin(), methods.end(), is_it)->first;
}

void print_size(const SolveOptions& options, const Input& input) {
  const contact::StoredProblem& local = input.local;
  fmt::print("{}{}{}\n", options.file, local.title.empty() ? "" : ": ", local.title);
  fmt::print("  {} contacts in {}D, {}\n", local.contact_count(), local.dimension,
             input.global ? fmt::format("global form with {} unknowns", input.global->M.rows())
                          : "local form");
}

void print_report(const SolveOptions& options, const contact::SolverReport& report,
                  double seconds) {
  fmt::print("  method {}{}, {} iteration(s), {:.3g} ms\n", name_of(report.finished_by),
             report.fell_back ? " after newton gave up" : "", report.iterations, 1e3 * seconds);
  fmt::print("  residual {:.1e} raw, {:.1e} scaled\n", report.residual.raw, report.residual.scaled);
  if (!report.unique)
    fmt::print("  warning: mu |W_NT| >= W_NN at a contact: the solution may not be unique\n");
  fmt::print("  {} {:g}\n",
             report.converged ? "certified: both residuals are at most"
                              : "NOT certified: a residual is above",
             options.tolerance);
}

/// How far the file's own solution is from this one.
void print_comparison(const contact::Problem& problem, const contact::StoredSolution& stored,
                      const contact::Solution& solution) {
  contact::Solution theirs = solution;
  theirs.p = stored.r;
  theirs.w = problem.W.matrix() * stored.r + problem.b;
  const contact::Residual residual = contact::residual(problem, theirs);
  const double size = std::max(stored.r.norm(), solution.p.norm());
  fmt::print(
      "  solution in the file: residual {:.1e} raw, {:.1e} scaled; its r differs by {:.1e}\n",
      residual.raw, residual.scaled, size > 0.0 ? (stored.r - solution.p).norm() / size : 0.0);
}

contact::StoredSolution to_store(const Input& input, const contact::Solution& solution) {
  contact::StoredSolution stored{solution.p, solution.w, {}};
  if (input.global) stored.v = input.factor->solve(input.global->H * solution.p + input.global->f);
  return stored;
}

ExitCode solve_and_print(const SolveOptions& options) {
  use_threads(options.threads);
  const Input input = read(options.file);
  const contact::NodalDelassus W(input.local.W, input.local.dimension);
  std::vector<int> all(static_cast<std::size_t>(input.local.contact_count()));
  std::iota(all.begin(), all.end(), 0);
  const contact::Problem problem{W, input.local.b, input.local.mu, all};
  contact::Solution solution(input.local.contact_count(), input.local.dimension);

  print_size(options, input);
  const auto start = std::chrono::steady_clock::now();
  contact::Solver solver(W,
                         {.method = method_named(options.method), .tolerance = options.tolerance});
  const contact::SolverReport report = solver.solve(problem, solution);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  print_report(options, report, time.count());
  if (input.stored) print_comparison(problem, *input.stored, solution);
  if (!report.converged) return step_failed;
  if (options.write_solution) {
    contact::write_solution(options.file, to_store(input, solution));
    fmt::print("  written to the file: r, u{}\n", input.global ? ", v" : "");
  }
  return success;
}

/// What the user may have meant by a file that is no contact problem.
std::string hint(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".toml") return " (a case file? try: slipwave run " + file + ")";
  if (extension == ".msh" || extension == ".geo") return " (a mesh? a case file names it)";
  return "";
}

}  // namespace

contact::StoredProblem condensed(const contact::StoredGlobalProblem& global) {
  return condensed(global, factorise(global));
}

std::vector<std::string> solve_methods() {
  std::vector<std::string> names;
  names.reserve(methods.size());
  for (const auto& [name, method] : methods) names.emplace_back(name);
  return names;
}

ExitCode solve_problem(const SolveOptions& options) {
  try {
    return solve_and_print(options);
  } catch (const contact::FclibError& error) {
    throw UserError(error.what() + hint(options.file));
  } catch (const std::invalid_argument& error) {
    throw UserError(options.file + ": " + error.what());
  }
}

}  // namespace slipwave::app
