#include "contact/solvers/solver.hpp"

#include "contact/solvers/statuses.hpp"

#include <algorithm>
#include <cassert>

namespace slipwave::contact {

namespace {

constexpr int some_sweeps = 20;  // of nsgs, before newton tries again
constexpr int few_sweeps = 2;    // before it tries for the first time
// What newton costs beside its factor: about four iterations, each like two sweeps.
constexpr double newton_price = 8.0;

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

/// The first active contact whose own problem, the others held, has more than one solution.
int first_with_several(const Problem& problem, const Solution& solution) {
  const auto found = std::find_if(problem.active.begin(), problem.active.end(), [&](int a) {
    const Solvability answer = own_solutions(problem, solution, a).solvability();
    return answer == Solvability::several || answer == Solvability::continuum;
  });
  return found == problem.active.end() ? -1 : *found;
}

}  // namespace

Solver::Solver(const DenseBand& W, const SolverOptions& options)
    : options_(options), nsgs_(W), start_(W.matrix().rows()) {
  if (options.method == Method::newton || options.method == Method::automatic) newton_.emplace(W);
  if (options.method == Method::projected_gradient) projected_gradient_.emplace(W);
  if (options.method == Method::proximal_newton || options.method == Method::interior_point) {
    blocks_ =
        SparseProblem{BlockSparse(W.matrix().sparseView(0.0, 0.0), W.dimension()), {}, {}, {}};
    on_blocks_.emplace(blocks_->W, options);
  }
}

SolverReport Solver::solve(const Problem& problem, Solution& solution) {
  assert(problem.is_consistent() && solution.fits(problem) && start_.size() == problem.b.size());
  keep_active(problem, solution);
  SolverReport report;
  report.converged = true;
  if (problem.active.empty()) return report;
  report = run(problem, solution);
  report.unique = problem.dimension() == 2 ? all_unique<2>(problem) : all_unique<3>(problem);
  if (!report.unique && problem.dimension() == 2)
    report.several = first_with_several(problem, solution);
  return report;
}

SolverMemory Solver::memory() const {
  return {credit_, usual_sweeps_, factor_serves_, newton_ ? newton_->memory() : FactorMemory{}};
}

void Solver::restore(const Problem& problem, const SolverMemory& memory) {
  credit_ = memory.credit;
  usual_sweeps_ = memory.usual_sweeps;
  factor_serves_ = memory.factor_serves;
  if (newton_) newton_->restore(problem, memory.factor);
}

LocalSolutions own_solutions(const Problem& problem, const Solution& solution, int contact) {
  assert(problem.dimension() == 2 && contact >= 0 && contact < problem.W.contact_count());
  const Eigen::Matrix2d W = problem.W.block(contact);
  const Eigen::Vector2d c =
      solution.w.segment<2>(2 * contact) - W * solution.p.segment<2>(2 * contact);
  return all_local_solutions(W, c, problem.mu[contact]);
}

SolverReport Solver::run(const Problem& problem, Solution& solution) {
  switch (options_.method) {
    case Method::nsgs:
      return nsgs_.solve(problem, options_, solution);
    case Method::newton:
      return newton_or_nsgs(problem, solution);
    case Method::projected_gradient:
      return projected_gradient_->solve(problem, options_, solution);
    case Method::proximal_newton:
    case Method::interior_point:
      return by_blocks(problem, solution);
    case Method::automatic:
      break;
  }
  return fastest(problem, solution);
}

SolverReport Solver::by_blocks(const Problem& problem, Solution& solution) {
  blocks_->b = problem.b;
  blocks_->mu = problem.mu;
  blocks_->active = problem.active;
  return on_blocks_->solve(*blocks_, solution);
}

/// Where newton fails, nsgs goes on from the guess that newton had, and newton tries again from
/// where some sweeps have led, every other time of half steps: these do not run in circles where
/// whole ones do.
SolverReport Solver::newton_or_nsgs(const Problem& problem, Solution& solution) {
  SolverOptions part = options_;
  SolverReport report;
  for (int spent = 0;;) {
    start_ = solution.p;
    const bool fell_back = spent > 0;
    part.max_iterations = options_.max_iterations - spent;
    report = newton_->solve(problem, part, solution);
    report.fell_back = fell_back;
    spent = report.iterations += spent;
    if (report.converged || spent >= options_.max_iterations) return report;
    solution.p = start_;
    part.max_iterations = std::min(some_sweeps, options_.max_iterations - spent);
    part.relaxation =
        part.relaxation < options_.relaxation ? options_.relaxation : 0.5 * options_.relaxation;
    report = nsgs_.solve(problem, part, solution);
    report.fell_back = true;
    spent = report.iterations += spent;
    if (report.converged || spent >= options_.max_iterations) return report;
  }
}

/// The kept factor first, unless the last problem needed a new one. Then nsgs: to the end, or, if a
/// new factor is paid for, just enough to bring the statuses near those it will be made for.
SolverReport Solver::fastest(const Problem& problem, Solution& solution) {
  int iterations = 0;
  if (factor_serves_) {
    const SolverReport tried = newton_->solve(problem, options_, solution, false);
    if (tried.converged) credit_ += usual_sweeps_;
    if (tried.converged) return tried;
    iterations = tried.iterations;
  }
  factor_serves_ = true;
  const double price = factor_price(problem, solution);
  SolverOptions sweeps = options_;
  if (credit_ + usual_sweeps_ >= price)
    sweeps.max_iterations = std::min(few_sweeps, options_.max_iterations);
  SolverReport report = nsgs_.solve(problem, sweeps, solution, price + newton_price);
  iterations += report.iterations;
  credit_ += report.iterations;
  if (report.converged) usual_sweeps_ = report.iterations;
  if (!report.converged && iterations < options_.max_iterations) {
    const long factors = newton_->factorisations();
    report = newton_or_nsgs(problem, solution);
    iterations += report.iterations;
    factor_serves_ = newton_->factorisations() == factors;
    if (!factor_serves_) credit_ = 0.0;
  }
  report.iterations = iterations;
  return report;
}

}  // namespace slipwave::contact
