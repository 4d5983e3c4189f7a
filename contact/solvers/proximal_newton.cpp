#include "contact/solvers/proximal_newton.hpp"

#include "contact/solvers/coulomb_map.hpp"
#include "contact/solvers/statuses.hpp"
#include "parallel/clones.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace slipwave::contact {

namespace {

// On the steps of a wall that was hit, whose impulses are not unique and creep from solution to
// solution, these took half of the steps of 12 halvings, no relaxation and 15 steps in any case.
constexpr int most_halvings = 8;           // of a Newton step
constexpr double short_step = 1.0 / 64.0;  // so many of them in a row lead nowhere
constexpr int most_short_steps = 2;
constexpr double relaxation = 1.5;    // where α had to shrink: what creeps goes on to creep
constexpr int most_inner_steps = 15;  // before α shrinks
constexpr double least_alpha = 1e-3, greatest_alpha = 1e8;
constexpr double shrink = 0.1;

/// How much stiffer after so many Newton steps.
double growth(int steps) { return steps <= 2 ? 9.0 : steps <= 4 ? 3.0 : steps <= 8 ? 1.5 : 1.0; }

}  // namespace

template <Delassus W, int d>
ProximalNewton<W, d>::ProximalNewton(const W& operation, NewtonMatrix<W, d>& matrix)
    : matrix_(&matrix),
      D_(static_cast<std::size_t>(operation.contact_count()), Block::Zero()),
      q_(Eigen::VectorXd::Zero(d * operation.contact_count())),
      pi_(q_),
      pi_try_(q_),
      x_(Eigen::VectorXd::Zero(Motion<W, d>::size(operation))),
      F_(x_),
      dx_(x_),
      x_try_(x_),
      F_try_(x_) {}

template <Delassus W, int d>
double ProximalNewton<W, d>::size_of(const ProblemOn<W>& problem, const Eigen::VectorXd& x) const {
  return std::sqrt(Motion<W, d>::norm2(problem.W, x));
}

/// q − r (b + H x) of a contact.
template <Delassus W, int d>
typename ProximalNewton<W, d>::Vector ProximalNewton<W, d>::argument(
    const ProblemOn<W>& problem, int a, const Eigen::VectorXd& x) const {
  const Vector w = problem.b.template segment<d>(d * a) + Motion<W, d>::at(problem.W, a, x);
  return q_.segment<d>(d * a) - alpha_ * problem.W.rho(a) * w;
}

/// π(b + H x), and F = x − Y π.
template <Delassus W, int d>
SLIPWAVE_CLONES void ProximalNewton<W, d>::evaluate(const ProblemOn<W>& problem,
                                                    const Eigen::VectorXd& x, Eigen::VectorXd& pi,
                                                    Eigen::VectorXd& F) const {
  for (const int a : problem.active)
    pi.segment<d>(d * a) = coulomb_map<d>(argument(problem, a, x), problem.mu[a]);
  Motion<W, d>::from(problem.W, pi, F);
  F = x - F;
}

template <Delassus W, int d>
SLIPWAVE_CLONES void ProximalNewton<W, d>::find_derivatives(const ProblemOn<W>& problem) {
  for (const int a : problem.active)
    D_[static_cast<std::size_t>(a)] =
        alpha_ * problem.W.rho(a) *
        coulomb_map_derivative<d>(argument(problem, a, x_), problem.mu[a]);
}

/// One Newton step, halved until |F| falls; how much of it is left, or nothing where numbers are
/// not finite.
template <Delassus W, int d>
std::optional<double> ProximalNewton<W, d>::step(const ProblemOn<W>& problem) {
  find_derivatives(problem);
  if (!matrix_->factorise(problem.W, D_)) return {};
  dx_ = F_;
  matrix_->solve(problem.W, dx_);
  double merit = 0.0, length = 1.0;
  for (int halving = 0;; ++halving, length *= 0.5) {
    x_try_ = x_ - length * dx_;
    evaluate(problem, x_try_, pi_try_, F_try_);
    merit = size_of(problem, F_try_);
    if (merit < (1.0 - 1e-4 * length) * merit_ || halving == most_halvings) break;
  }
  if (!std::isfinite(merit)) return {};
  merit_ = merit;
  x_.swap(x_try_);
  F_.swap(F_try_);
  pi_.swap(pi_try_);
  return length;
}

/// Newton steps until |F| is this part of what it was, or as small as round-off lets it be.
template <Delassus W, int d>
typename ProximalNewton<W, d>::Inner ProximalNewton<W, d>::solve_inner(const ProblemOn<W>& problem,
                                                                       double part, int most,
                                                                       int& steps) {
  evaluate(problem, x_, pi_, F_);
  merit_ = size_of(problem, F_);
  const double enough = part * merit_;
  int short_steps = 0;
  for (steps = 0; merit_ > enough; ++steps) {
    if (steps == most || short_steps == most_short_steps) return Inner::slow;
    const double before = merit_;
    const std::optional<double> length = step(problem);
    if (!length) return Inner::broken;
    short_steps = *length <= short_step ? short_steps + 1 : 0;
    if (merit_ > 0.5 * before && merit_ <= 1e-10 * size_of(problem, x_)) {
      ++steps;
      break;
    }
  }
  return Inner::solved;
}

template <Delassus W, int d>
void ProximalNewton<W, d>::begin(const ProblemOn<W>& problem) {
  for (Block& D : D_) D.setZero();
  pi_.setZero();
  pi_try_.setZero();
  Motion<W, d>::from(problem.W, q_, x_);
}

template <Delassus W, int d>
SolverReport ProximalNewton<W, d>::solve(const ProblemOn<W>& problem, const SolverOptions& options,
                                         Solution& solution, double first_alpha) {
  assert(problem.is_consistent() && solution.fits(problem) && problem.dimension() == d);
  SolverReport report;
  report.finished_by = Method::proximal_newton;
  q_ = solution.p;
  begin(problem);
  alpha_ = first_alpha;
  double scaled = 1.0;
  bool has_shrunk = false;
  while (!report.converged && report.iterations < options.max_iterations && alpha_ >= least_alpha) {
    int steps = 0;
    const int most = std::min(most_inner_steps, options.max_iterations - report.iterations);
    const Inner inner = solve_inner(problem, std::min(1e-2, scaled), most, steps);
    report.iterations += std::max(steps, 1);
    if (inner != Inner::solved) {
      alpha_ *= shrink;
      has_shrunk = true;
      Motion<W, d>::from(problem.W, q_, x_);
      continue;
    }
    q_ += (has_shrunk ? relaxation : 1.0) * (pi_ - q_);
    solution.p = pi_;
    report.residual = certify(problem, options.tolerance, solution);
    scaled = report.residual.scaled;
    report.converged = report.residual.worst() <= options.tolerance;
    alpha_ = std::min(alpha_ * growth(steps), greatest_alpha);
  }
  if (!report.converged) {  // perhaps nothing was certified but by whoever brought the guess
    report.residual = certify(problem, options.tolerance, solution);
    report.converged = report.residual.worst() <= options.tolerance;
  }
  read_statuses<d>(problem, solution);
  return report;
}

template class ProximalNewton<BlockSparse, 2>;
template class ProximalNewton<BlockSparse, 3>;
template class ProximalNewton<BodyDelassus, 2>;
template class ProximalNewton<BodyDelassus, 3>;

}  // namespace slipwave::contact
