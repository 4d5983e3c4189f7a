#include "contact/solvers/solver_on.hpp"

#include "contact/solvers/statuses.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>

namespace slipwave::contact {

namespace {

constexpr int most_interior_steps = 60, most_newton_steps = 1000, most_last_steps = 3000;
/// Newton steps that a guess is worth: interior_point needs 7 or more from nothing.
constexpr int steps_from_guess = 6;
/// Up to so many contacts proximal_newton goes on from where sweeps came to, so many steps: on nine
/// of ten problems of others it then took less than interior_point, mostly half or less. On larger
/// ones, walls and towers, where much sticks, interior_point was 1.5 to 2 times as fast.
constexpr int few_contacts = 300, steps_from_sweeps = 60;
/// Steps that interior_point usually needs.
constexpr double usual_steps = 15.0;
/// The share of their price that sweeps may cost where joints are hyperstatic: they crawl there.
constexpr double hyperstatic_share = 0.4;
/// Sweeps after which the residual is looked at first; then whenever they have doubled.
constexpr int first_look = 4;

/// What things cost, as measured in nanoseconds; only their ratios count.
struct Cost {
  double contact;  // per contact, beside products
  double product;
};
constexpr Cost sweep_2d{8.0, 0.5}, sweep_3d{200.0, 0.5};
constexpr Cost interior_2d{320.0, 0.6}, interior_3d{1000.0, 0.35};

/// Products of a sweep.
double sweep_products(const BlockSparse& W) {
  return static_cast<double>(W.dimension() * W.dimension()) * W.block_count();
}

double sweep_products(const BodyDelassus& W) {
  return 4.0 * W.dimension() * BodyDelassus::velocities(W.dimension()) * W.contact_count();
}

/// The sweeps that cost as much as interior_point, each of whose factors costs so many products.
template <Delassus W>
double price_in_sweeps(const W& operation, double work) {
  const bool plane = operation.dimension() == 2;
  const auto cost = [&](const Cost& of, double count) {
    return of.contact * operation.contact_count() + of.product * count;
  };
  return usual_steps * cost(plane ? interior_2d : interior_3d, work) /
         cost(plane ? sweep_2d : sweep_3d, sweep_products(operation));
}

/// What tells contacts between other bodies apart.
std::span<const int> sees(const BlockSparse& W, int contact) { return W.columns(contact); }
std::span<const int> sees(const BodyDelassus& W, int contact) { return W.bodies(contact); }

/// Whether most contacts are in joints with more impulses than two bodies have relative velocities:
/// what one impulse leaves another can take, and sweeps push them to and fro.
template <Delassus W>
bool is_hyperstatic(const W& operation) {
  const int n = operation.contact_count(), d = operation.dimension();
  int in_joints = 0;
  for (int a = 0, end = 0; a < n; a = end) {
    while (end < n && std::ranges::equal(sees(operation, a), sees(operation, end))) ++end;
    if (d * (end - a) > BodyDelassus::velocities(d)) in_joints += end - a;
  }
  return 2 * in_joints > n;
}

}  // namespace

template <Delassus W>
SolverOn<W>::SolverOn(const W& operation, const SolverOptions& options)
    : options_(options),
      hyperstatic_(is_hyperstatic(operation)),
      nsgs_(operation),
      guess_(operation.dimension() * operation.contact_count()),
      swept_(guess_.size()),
      best_(guess_.size()) {
  assert(options.method != Method::newton);
  if (options.method == Method::projected_gradient) projected_gradient_.emplace(operation);
}

template <Delassus W>
template <int d>
typename SolverOn<W>::template Factorising<d>& SolverOn<W>::factorising(const W& operation) {
  auto* made = std::get_if<Factorising<d>>(&factorising_);
  return made ? *made : factorising_.template emplace<Factorising<d>>(operation);
}

template <Delassus W>
void SolverOn<W>::prepare(const W& operation) {
  if (operation.dimension() == 2) factorising<2>(operation);
  if (operation.dimension() == 3) factorising<3>(operation);
}

template <Delassus W>
SolverReport SolverOn<W>::solve(const ProblemOn<W>& problem, Solution& solution) {
  assert(problem.is_consistent() && solution.fits(problem) && guess_.size() == problem.b.size());
  keep_active(problem, solution);
  SolverReport report;
  report.converged = true;
  if (problem.active.empty()) return report;
  if (options_.method == Method::nsgs)
    report = nsgs_.solve(problem, options_, solution);
  else if (options_.method == Method::projected_gradient)
    report = projected_gradient_->solve(problem, options_, solution);
  else
    report = problem.dimension() == 2 ? run<2>(problem, solution) : run<3>(problem, solution);
  report.unique = problem.dimension() == 2 ? all_unique<2>(problem) : all_unique<3>(problem);
  return report;
}

template <Delassus W>
SolverOptions SolverOn<W>::limited(int iterations) const {
  SolverOptions part = options_;
  part.max_iterations = std::min(iterations, options_.max_iterations);
  return part;
}

template <Delassus W>
template <int d>
SolverReport SolverOn<W>::run(const ProblemOn<W>& problem, Solution& solution) {
  if (options_.method == Method::automatic) return first_certified<d>(problem, solution);
  Factorising<d>& prepared = factorising<d>(problem.W);
  if (options_.method == Method::proximal_newton)
    return prepared.proximal.solve(problem, options_, solution);
  SolverReport report = prepared.interior.solve(problem, options_, solution);
  if (report.converged || report.iterations >= options_.max_iterations) return report;
  const int steps = report.iterations;
  report = prepared.proximal.solve(problem, limited(options_.max_iterations - steps), solution);
  report.iterations += steps;
  report.fell_back = true;
  return report;
}

/// From impulses that may solve the problem, or nearly.
template <Delassus W>
template <int d>
SolverReport SolverOn<W>::try_guess(const ProblemOn<W>& problem, Solution& solution) {
  SolverReport report;
  report.finished_by = Method::nsgs;
  report.residual = certify(problem, options_.tolerance, solution);
  report.converged = report.residual.worst() <= options_.tolerance;
  if (report.converged) read_statuses<d>(problem, solution);
  if (report.converged || !hyperstatic_) return report;
  ProximalNewton<W, d>& proximal = factorising<d>(problem.W).proximal;
  return proximal.solve(problem, limited(steps_from_guess), solution,
                        ProximalNewton<W, d>::from_near);
}

/// Sweeps until, twice in a row, the fall of the residual says that the price of interior_point in
/// sweeps would not do. Its factors are asked for their price only where their least price would
/// not do.
template <Delassus W>
template <int d>
SolverReport SolverOn<W>::try_nsgs(const ProblemOn<W>& problem, Solution& solution) {
  const double share = hyperstatic_ ? hyperstatic_share : 1.0;
  const auto enough = [&](double rate, double wanted) {
    if (rate * share * price_in_sweeps(problem.W, 0.0) <= wanted) return true;
    const double work = factorising<d>(problem.W).matrix.work();
    return rate * share * price_in_sweeps(problem.W, work) <= wanted;
  };
  SolverReport report;
  int spent = 0, doubts = 0;
  for (double before = 0.0;; before = report.residual.worst()) {
    const int sweeps = std::max(first_look, spent);
    report = nsgs_.solve(problem, limited(sweeps), solution);
    spent += report.iterations;
    report.iterations = spent;
    if (report.converged || spent >= options_.max_iterations) return report;
    if (before == 0.0) continue;
    const double now = report.residual.worst(), rate = std::log(now / before) / sweeps;
    doubts = enough(rate, std::log(options_.tolerance / now)) ? 0 : doubts + 1;
    if (doubts == 2) return report;
  }
}

template <Delassus W>
template <int d>
SolverReport SolverOn<W>::first_certified(const ProblemOn<W>& problem, Solution& solution) {
  guess_ = solution.p;
  int iterations = 0;
  SolverReport best;
  best.residual.raw = std::numeric_limits<double>::max();
  best_ = guess_;
  const auto certifies = [&](const SolverReport& report) {
    iterations += report.iterations;
    if (report.residual.worst() < best.residual.worst()) {
      best = report;
      best_ = solution.p;
    }
    best.iterations = iterations;
    return best.converged;
  };
  const bool has_guess = guess_.squaredNorm() > 0.0;
  if (has_guess && certifies(try_guess<d>(problem, solution))) return best;
  if (!(has_guess && hyperstatic_) && certifies(try_nsgs<d>(problem, solution))) return best;
  swept_ = solution.p;
  Factorising<d>& prepared = factorising<d>(problem.W);
  if (problem.W.contact_count() <= few_contacts &&
      certifies(prepared.proximal.solve(problem, limited(steps_from_sweeps), solution)))
    return best;
  if (certifies(prepared.interior.solve(problem, limited(most_interior_steps), solution)))
    return best;
  for (const Eigen::VectorXd* start : {&solution.p, &swept_, &guess_}) {
    if (start != &solution.p) solution.p = *start;
    if (certifies(prepared.proximal.solve(problem, limited(most_newton_steps), solution)))
      return best;
  }
  solution.p = best_;
  if (certifies(prepared.proximal.solve(problem, limited(most_last_steps), solution))) return best;
  solution.p = best_;
  if (certifies(nsgs_.solve(problem, options_, solution))) return best;
  solution.p = best_;
  best.residual = certify(problem, options_.tolerance, solution);
  read_statuses<d>(problem, solution);
  return best;
}

template class SolverOn<BlockSparse>;
template class SolverOn<BodyDelassus>;

}  // namespace slipwave::contact
