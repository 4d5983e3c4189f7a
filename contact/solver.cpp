#include "contact/solver.hpp"

#include <algorithm>
#include <cassert>

namespace slipwave::contact {

namespace {

/// Forgets the impulses of contacts that are not active.
void keep_active(const Problem& problem, Solution& solution) {
  const int d = problem.dimension();
  auto next = problem.active.begin();
  for (int a = 0; a < problem.W.contact_count(); ++a) {
    if (next != problem.active.end() && *next == a) {
      ++next;
      continue;
    }
    solution.p.segment(d * a, d).setZero();
    solution.status[static_cast<std::size_t>(a)] = Status::open;
  }
}

/// Whether every active contact's own problem has one solution: mu |W_NT| < W_NN.
bool all_unique(const Problem& problem) {
  const int d = problem.dimension();
  return std::all_of(problem.active.begin(), problem.active.end(), [&](int a) {
    const auto column = problem.W.matrix().col(d * a).segment(d * a, d);
    return problem.mu[a] * column.tail(d - 1).norm() < column[0];
  });
}

/// Unknowns of newton's system in 2D: one per sliding contact, two per sticking one. An open
/// contact that is pressed counts as sticking: it may be a guess that knows nothing.
double unknowns(const Problem& problem, const Solution& solution) {
  if (problem.dimension() == 3) return static_cast<double>(problem.b.size());
  double count = 0.0;
  for (const int a : problem.active) {
    const Status status = solution.status[static_cast<std::size_t>(a)];
    const bool rests = status == Status::sticking || status == Status::open;
    if (status != Status::open || problem.b[2 * a] < 0.0) count += rests ? 2.0 : 1.0;
  }
  return count;
}

/// Operations of a factor over those of a sweep; newton in 3D makes about eight factors.
double factor_price(const Problem& problem, const Solution& solution) {
  const double d = problem.dimension(), n = problem.W.contact_count();
  const double reach = problem.W.half_bandwidth();
  const double size = unknowns(problem, solution);
  const double band = std::min(size / n * (reach + 1.0), size);
  const double factor = 2.0 * size * band * band * (1.0 - 2.0 / 3.0 * band / std::max(size, 1.0));
  const double sweep = 2.0 * d * d * n * std::min(2.0 * reach + 1.0, n);
  return (d == 2 ? 1.0 : 8.0) * factor / sweep;
}

}  // namespace

Solver::Solver(const NodalDelassus& W, const SolverOptions& options)
    : W_(W), options_(options), nsgs_(W), start_(W.matrix().rows()) {
  if (options.method == Method::newton || options.method == Method::automatic) newton_.emplace(W);
  if (options.method == Method::projected_gradient) projected_gradient_.emplace(W);
}

SolverReport Solver::solve(const Problem& problem, Solution& solution) {
  assert(&problem.W == &W_);
  keep_active(problem, solution);
  SolverReport report;
  report.converged = true;
  if (problem.active.empty()) return report;
  report = run(problem, solution);
  report.unique = all_unique(problem);
  return report;
}

SolverReport Solver::run(const Problem& problem, Solution& solution) {
  switch (options_.method) {
    case Method::nsgs:
      return nsgs_.solve(problem, options_, solution);
    case Method::newton:
      return newton_or_nsgs(problem, solution);
    case Method::projected_gradient:
      return projected_gradient_->solve(problem, options_, solution);
    case Method::automatic:
      break;
  }
  return fastest(problem, solution);
}

/// Where newton fails, nsgs starts from the guess that newton had.
SolverReport Solver::newton_or_nsgs(const Problem& problem, Solution& solution) {
  start_ = solution.p;
  const SolverReport tried = newton_->solve(problem, options_, solution);
  if (tried.converged || tried.iterations >= options_.max_iterations) return tried;
  solution.p = start_;
  SolverReport report = nsgs_.solve(problem, options_, solution);
  report.iterations += tried.iterations;
  report.fell_back = true;
  return report;
}

/// Where the kept factor does not serve, nsgs: to the end, or, if a new factor is paid for, just
/// enough to settle the statuses it will be made for.
SolverReport Solver::fastest(const Problem& problem, Solution& solution) {
  SolverReport report = newton_->solve(problem, options_, solution, false);
  if (report.converged) credit_ += usual_sweeps_;
  if (report.converged) return report;
  int iterations = report.iterations;
  const double price = factor_price(problem, solution);
  SolverOptions sweeps = options_;
  if (credit_ + usual_sweeps_ >= price)
    sweeps.max_iterations = std::min({static_cast<int>(price / 4.0), 5, options_.max_iterations});
  report = nsgs_.solve(problem, sweeps, solution, price);
  credit_ += report.iterations;
  if (report.converged) usual_sweeps_ = report.iterations;
  if (!report.converged && iterations + report.iterations < options_.max_iterations) {
    iterations += report.iterations;
    report = newton_or_nsgs(problem, solution);
    credit_ = 0.0;
  }
  report.iterations += iterations;
  return report;
}

}  // namespace slipwave::contact
