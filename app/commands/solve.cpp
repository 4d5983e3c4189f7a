#include "app/commands/solve.hpp"

#include "app/messages/say.hpp"
#include "app/results/threads.hpp"
#include "app/solve/compare.hpp"
#include "app/solve/file_problem.hpp"
#include "contact/fclib/write_fclib.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <variant>
#include <vector>

namespace slipwave::app {

namespace {

contact::Method method_named(const std::string& name) {
  const auto is_it = [&](const auto& method) { return method.first == name; };
  return std::find_if(contact::methods.begin(), contact::methods.end(), is_it)->second;
}

std::string form_of(const FileProblem& problem) {
  if (problem.form == contact::StoredForm::both)
    return "local form (the file has the global form too, which is not solved)";
  if (problem.form == contact::StoredForm::local) return "local form";
  const auto* bodies = std::get_if<contact::BodyProblem>(&problem.problem);
  return fmt::format("global form with {} unknowns{}", problem.unknowns,
                     bodies ? fmt::format(" of {} bodies", bodies->W.body_count()) : "");
}

/// What is not as in the textbook: differences beyond round-off, and more impulses than motions.
void print_traits(const FileProblem& problem) {
  constexpr double round_off = 1e-10;
  if (problem.skewness > round_off)
    fmt::print("  {} is not symmetric: it differs from its transpose by {:.1e} of its norm\n",
               problem.form == contact::StoredForm::global ? "M" : "W", problem.skewness);
  if (problem.rank > 0)
    fmt::print("  W is singular: rank {} or so of {}; many impulses cause one motion\n",
               problem.rank, problem.dimension() * problem.contact_count());
  if (problem.scaling.is_needed())
    fmt::print("  numbers beyond the squares of a double: solved with 2^{} W and 2^{} q\n",
               problem.scaling.W(), problem.scaling.b());
}

void print_size(const FileProblem& problem) {
  fmt::print("{}{}{}\n", problem.file.string(), problem.title.empty() ? "" : ": ", problem.title);
  fmt::print("  {} contacts in {}D, {}\n", problem.contact_count(), problem.dimension(),
             form_of(problem));
  print_traits(problem);
}

/// Whether doubles hold all digits of r: neither its largest number nor, beside it, round-off is
/// beyond their range.
bool holds_digits(const contact::Solution& solution) {
  const double largest = solution.p.cwiseAbs().maxCoeff();
  return solution.p.allFinite() && solution.w.allFinite() && (largest == 0.0 || largest >= 1e-290);
}

void print_report(const SolveOptions& options, const Solved& solved, bool has_digits) {
  const contact::SolverReport& report = solved.report;
  const char* before = report.finished_by == contact::Method::proximal_newton
                           ? " after interior-point stalled"
                           : " after newton gave up";
  fmt::print("  method {}{}, {} iteration(s), {:.3g} ms\n", name_of(report.finished_by),
             report.fell_back ? before : "", report.iterations, 1e3 * solved.seconds);
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
void print_comparison(const FileProblem& problem, const contact::Solution& answer) {
  const Eigen::VectorXd& r = problem.stored->r;
  const contact::Residual residual = residual_of(problem, r);
  const double size = std::max(r.norm(), answer.p.norm());
  fmt::print(
      "  solution in the file: residual {:.1e} raw, {:.1e} scaled; its r differs by {:.1e}\n",
      residual.raw, residual.scaled, size > 0.0 ? (r - answer.p).norm() / size : 0.0);
}

contact::StoredSolution to_store(const FileProblem& problem, const contact::Solution& solution) {
  contact::StoredSolution stored{solution.p, solution.w, {}};
  if (problem.global)
    stored.v = problem.mass->solve(problem.global->H * solution.p + problem.global->f);
  return stored;
}

ExitCode solve_and_print(const std::string& file, const SolveOptions& options) {
  const contact::Method method = method_named(options.method);
  const FileProblem problem = read_problem(file, method, options.write_solution);
  print_size(problem);
  const Solved solved = solve(problem, {.method = method, .tolerance = options.tolerance});
  const contact::Solution answer = problem.scaling.taken_back(solved.solution);
  print_report(options, solved, holds_digits(answer));
  if (problem.stored) print_comparison(problem, answer);
  if (!solved.report.converged || !holds_digits(answer)) return step_failed;
  if (options.write_solution) {
    contact::write_solution(file, to_store(problem, answer));
    fmt::print("  written to the file: r, u{}\n", problem.global ? ", v" : "");
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

ExitCode solve_problem(const std::string& file, const SolveOptions& options) {
  try {
    return solve_and_print(file, options);
  } catch (const contact::FclibError& error) {
    throw UserError(error.what() + hint(file));
  } catch (const std::invalid_argument& error) {
    throw UserError(file + ": " + error.what());
  }
}

}  // namespace

std::vector<std::string> solve_methods() {
  std::vector<std::string> names;
  names.reserve(contact::methods.size());
  for (const auto& [name, method] : contact::methods) names.emplace_back(name);
  return names;
}

ExitCode solve_problems(const SolveOptions& options) {
  if (options.compare)
    return compare_solvers(
        {options.files, options.tolerance, options.threads, options.limit, options.out});
  use_threads(options.threads);
  if (options.files.size() == 1) return solve_problem(options.files.front(), options);
  ExitCode worst = success;
  for (const std::string& file : options.files) {
    try {
      worst = std::max(worst, solve_problem(file, options));
    } catch (const UserError& error) {
      print_error(error.what());
      worst = std::max(worst, bad_input);
    }
  }
  return worst;
}

}  // namespace slipwave::app
