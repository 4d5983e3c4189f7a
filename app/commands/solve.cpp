#include "app/commands/solve.hpp"

#include "app/results/threads.hpp"
#include "contact/fclib/write_fclib.hpp"
#include "contact/solvers/solver.hpp"
#include "linear/factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slipwave::app {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A problem read from a file, in local form; M, H and f stay for v. Of a problem in both forms the
/// local one is solved, and the other is read only for v.
struct Input {
  contact::StoredForm form = contact::StoredForm::local;
  std::optional<contact::StoredGlobalProblem> global;
  std::optional<linear::ContactLastFactor> factor;  // of M
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

linear::ContactLastFactor factorise(const contact::StoredGlobalProblem& global) {
  if (contact::skewness(global.M) > symmetry) throw std::invalid_argument("M is not symmetric");
  const std::vector<int> rows = touched_rows(global.H);
  try {
    return {fem::SparseMatrix(global.M), are_few(rows, global.H) ? rows : std::vector<int>{}};
  } catch (const linear::NotPositiveDefinite& error) {
    throw std::invalid_argument(fmt::format("M is not positive definite at row {}", error.row));
  }
}

/// H^T M^-1 H from M^-1 on the rows of H that have entries, which are the factor's last.
MatrixXd delassus_on_last(const linear::ContactLastFactor& factor,
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

MatrixXd delassus_by_columns(const linear::ContactLastFactor& factor,
                             const Eigen::SparseMatrix<double>& H) {
  MatrixXd W(H.cols(), H.cols());
  for (int j = 0; j < H.cols(); ++j) W.col(j) = H.transpose() * factor.solve(VectorXd(H.col(j)));
  return W;
}

contact::StoredProblem condensed(const contact::StoredGlobalProblem& global,
                                 const linear::ContactLastFactor& factor) {
  contact::StoredProblem local;
  local.dimension = global.dimension;
  const MatrixXd W = factor.last_count() > 0 ? delassus_on_last(factor, global.H)
                                             : delassus_by_columns(factor, global.H);
  local.W = W.sparseView(0.0, 0.0);
  local.b = global.H.transpose() * factor.solve(global.f) + global.w;
  local.mu = global.mu;
  local.title = global.title;
  local.description = global.description;
  return local;
}

/// W must be symmetric to round-off, and is made so exactly: solvers read rows as columns.
void symmetrise(Eigen::SparseMatrix<double>& W) {
  if (contact::skewness(W) > symmetry) throw std::invalid_argument("W is not symmetric");
  W = 0.5 * (W + Eigen::SparseMatrix<double>(W.transpose()));
}

Input read(const std::string& file, bool needs_v) {
  Input input;
  input.form = contact::stored_form(file);
  const bool has_local = input.form != contact::StoredForm::global;
  if (!has_local || (input.form == contact::StoredForm::both && needs_v)) {
    input.global = contact::read_global_problem(file);
    input.factor = factorise(*input.global);
  }
  input.local =
      has_local ? contact::read_local_problem(file) : condensed(*input.global, *input.factor);
  symmetrise(input.local.W);
  input.stored = contact::read_solution(file);
  return input;
}

contact::Method method_named(const std::string& name) {
  const auto is_it = [&](const auto& method) { return method.first == name; };
  return std::find_if(contact::methods.begin(), contact::methods.end(), is_it)->second;
}

void print_size(const SolveOptions& options, const Input& input) {
  const contact::StoredProblem& local = input.local;
  fmt::print("{}{}{}\n", options.file, local.title.empty() ? "" : ": ", local.title);
  fmt::print("  {} contacts in {}D, {}\n", local.contact_count(), local.dimension,
             input.form == contact::StoredForm::global
                 ? fmt::format("global form with {} unknowns", input.global->M.rows())
             : input.form == contact::StoredForm::both
                 ? "local form (the file has the global form too, which is not solved)"
                 : "local form");
}

/// The exponent of the power of two that brings numbers as large as this near 1, 0 unless their
/// squares would leave the range of a double.
int exponent_for(double largest) {
  const bool is_safe = largest == 0.0 || (largest >= 1e-100 && largest <= 1e100);
  return is_safe || !std::isfinite(largest) ? 0 : -std::ilogb(largest);
}

/// x times a power of two: the same digits.
template <class Matrix>
Matrix times_power(const Matrix& x, int exponent) {
  return x.unaryExpr([exponent](double value) { return std::ldexp(value, exponent); });
}

/// What is solved instead of W and b: 2^i W and 2^j b, whose solution is 2^(j−i) p, 2^j w.
struct Scaling {
  explicit Scaling(const contact::StoredProblem& problem)
      : W(exponent_for(problem.W.nonZeros() > 0 ? problem.W.coeffs().abs().maxCoeff() : 0.0)),
        b(exponent_for(problem.b.cwiseAbs().maxCoeff())) {}

  contact::StoredProblem scaled(contact::StoredProblem problem) const {
    problem.W = times_power(problem.W, W);
    problem.b = times_power(problem.b, b);
    return problem;
  }
  VectorXd scaled_p(const VectorXd& p) const { return times_power(p, b - W); }
  contact::Solution taken_back(contact::Solution solution) const {
    solution.p = times_power(solution.p, W - b);
    solution.w = times_power(solution.w, -b);
    return solution;
  }

  int W, b;  // exponents
};

/// Whether doubles hold all digits of r: neither its largest number nor, beside it, round-off is
/// beyond their range.
bool holds_digits(const contact::Solution& solution) {
  const double largest = solution.p.cwiseAbs().maxCoeff();
  return solution.p.allFinite() && solution.w.allFinite() && (largest == 0.0 || largest >= 1e-290);
}

void print_report(const SolveOptions& options, const contact::SolverReport& report, bool has_digits,
                  double seconds) {
  fmt::print("  method {}{}, {} iteration(s), {:.3g} ms\n", name_of(report.finished_by),
             report.fell_back ? " after newton gave up" : "", report.iterations, 1e3 * seconds);
  fmt::print("  residual {:.1e} raw, {:.1e} scaled\n", report.residual.raw, report.residual.scaled);
  if (!report.unique)
    fmt::print("  warning: mu |W_NT| >= W_NN at a contact: the solution may not be unique\n");
  if (report.converged && !has_digits)
    fmt::print("  NOT certified: a double does not hold the digits of r; scale W or q\n");
  else
    fmt::print("  {} {:g}\n",
               report.converged ? "certified: both residuals are at most"
                                : "NOT certified: a residual is above",
               options.tolerance);
}

/// How far the file's own solution is from this one.
void print_comparison(const contact::Problem& problem, const VectorXd& r,
                      const contact::Solution& solution) {
  contact::Solution theirs = solution;
  theirs.p = r;
  theirs.w = problem.W.matrix() * r + problem.b;
  const contact::Residual residual = contact::residual(problem, theirs);
  const double size = std::max(r.norm(), solution.p.norm());
  fmt::print(
      "  solution in the file: residual {:.1e} raw, {:.1e} scaled; its r differs by {:.1e}\n",
      residual.raw, residual.scaled, size > 0.0 ? (r - solution.p).norm() / size : 0.0);
}

contact::StoredSolution to_store(const Input& input, const contact::Solution& solution) {
  contact::StoredSolution stored{solution.p, solution.w, {}};
  if (input.global) stored.v = input.factor->solve(input.global->H * solution.p + input.global->f);
  return stored;
}

ExitCode solve_and_print(const SolveOptions& options) {
  use_threads(options.threads);
  const Input input = read(options.file, options.write_solution);
  const Scaling scaling(input.local);
  const contact::Problem problem = contact::problem_of(scaling.scaled(input.local));
  contact::Solution solution(input.local.contact_count(), input.local.dimension);

  print_size(options, input);
  if (scaling.W != 0 || scaling.b != 0)
    fmt::print("  numbers beyond the squares of a double: solved with 2^{} W and 2^{} q\n",
               scaling.W, scaling.b);
  const auto start = std::chrono::steady_clock::now();
  contact::Solver solver(problem.W,
                         {.method = method_named(options.method), .tolerance = options.tolerance});
  const contact::SolverReport report = solver.solve(problem, solution);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const contact::Solution answer = scaling.taken_back(solution);
  print_report(options, report, holds_digits(answer), time.count());
  if (input.stored) print_comparison(problem, scaling.scaled_p(input.stored->r), solution);
  if (!report.converged || !holds_digits(answer)) return step_failed;
  if (options.write_solution) {
    contact::write_solution(options.file, to_store(input, answer));
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
  names.reserve(contact::methods.size());
  for (const auto& [name, method] : contact::methods) names.emplace_back(name);
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
