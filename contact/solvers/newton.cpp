#include "contact/solvers/newton.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace slipwave::contact {

namespace {

constexpr int max_steps = 50;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Status sliding_against(double p_T) {
  return p_T > 0.0 ? Status::sliding_backward : Status::sliding_forward;
}

/// What the Alart–Curnier form makes of p and w.
Status status_2d(const Eigen::Matrix2d& W, const Eigen::Vector2d& p, const Eigen::Vector2d& w,
                 double mu, double rho) {
  const Eigen::Vector2d x = p - rho * w;
  if (x[0] <= 0.0) return Status::open;
  if (W(1, 1) == 0.0) return w[1] == 0.0 ? Status::sticking : sliding_against(-w[1]);
  return std::abs(x[1]) <= mu * x[0] ? Status::sticking : sliding_against(x[1]);
}

/// One contact's rows A p + B w = 0 of the linearised law in 3D.
struct Rows {
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero(), B = Eigen::Matrix3d::Zero();
};

Rows linearise(const Eigen::Vector3d& p, const Eigen::Vector3d& w, double mu, double rho) {
  Rows rows;
  const Eigen::Vector3d x = p - rho * w;
  const Eigen::Vector2d x_T = x.tail<2>();
  if (x[0] <= 0.0) {
    rows.A.setIdentity();
  } else if (x_T.norm() <= mu * x[0]) {
    rows.B = rho * Eigen::Matrix3d::Identity();
  } else {
    const Eigen::Vector2d t = x_T / x_T.norm();
    const Eigen::Matrix2d Q = Eigen::Matrix2d::Identity() - t * t.transpose();
    const double beta = mu * x[0] / x_T.norm();
    rows.B(0, 0) = rho;
    rows.A.block<2, 1>(1, 0) = -mu * t;
    rows.A.block<2, 2>(1, 1) = Eigen::Matrix2d::Identity() - beta * Q;
    rows.B.block<2, 2>(1, 1) = beta * rho * Q;
  }
  return rows;
}

Status status_3d(const Eigen::Vector3d& p, const Eigen::Vector3d& w, double mu, double rho) {
  const Eigen::Vector3d x = p - rho * w;
  if (x[0] <= 0.0) return Status::open;
  return x.tail<2>().norm() <= mu * x[0] ? Status::sticking : Status::sliding_forward;
}

/// w += the d columns of one contact, a stride apart, times its impulse.
template <int d>
void add_columns(const double* column, Eigen::Index stride, const Eigen::Matrix<double, d, 1>& p,
                 int rows, double* w) {
  const double *second = column + stride, *third = column + (d - 1) * stride;
  const double p_0 = p[0], p_1 = p[1], p_2 = d == 3 ? p[d - 1] : 0.0;
#pragma omp simd
  for (int i = 0; i < rows; ++i) {
    w[i] += column[i] * p_0 + second[i] * p_1;
    if constexpr (d == 3) w[i] += third[i] * p_2;
  }
}

std::uint64_t hash_of(const std::vector<Status>& status) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const Status s : status) hash = (hash ^ static_cast<std::uint64_t>(s)) * 1099511628211u;
  return hash;
}

}  // namespace

Newton::Newton(const DenseBand& W) : next_(at(W.contact_count()), Status::open) {
  if (W.dimension() == 2) system_.emplace(W);
  if (W.dimension() == 3) lu_.emplace(3 * W.contact_count());
  for (Eigen::VectorXd* vector : {&p_new_, &w_new_, &p_try_, &w_try_})
    vector->setZero(W.matrix().rows());
}

long Newton::factorisations() const {
  return system_ ? system_->factorisations() : factorisations_3d_;
}

SolverReport Newton::solve(const Problem& problem, const SolverOptions& options, Solution& solution,
                           bool may_factorise) {
  assert(problem.is_consistent() && solution.fits(problem) && p_new_.size() == problem.b.size());
  step_count_ = 0;
  may_factorise_ = may_factorise;
  SolverReport report = problem.dimension() == 2 ? solve_2d(problem, options, solution)
                                                 : solve_3d(problem, options, solution);
  report.finished_by = Method::newton;
  if (!report.converged && may_factorise)
    report.residual = certify(problem, options.tolerance, solution);
  return report;
}

SolverReport Newton::solve_2d(const Problem& problem, const SolverOptions& options,
                              Solution& solution) {
  SolverReport report;
  const int limit = std::min(options.max_iterations, max_steps);
  if (system_->worn()) system_->renew(problem, solution.status);
  while (report.iterations < limit && !seen_before(solution.status)) {
    ++report.iterations;
    if (!step_2d(problem, solution)) return report;
    read_statuses(problem, solution);
    const bool settled = next_ == solution.status;
    if (certify_now(problem, options.tolerance, report, solution)) return report;
    if (settled && !system_->updated()) return report;
    if (settled) {  // the updates have lost too many digits: once more with a fresh factor
      system_->forget();
      step_count_ = 0;
    }
    std::swap(solution.status, next_);
  }
  return report;
}

bool Newton::step_2d(const Problem& problem, Solution& solution) {
  if (!system_->solve(problem, solution.status, may_factorise_, p_new_)) return false;
  evaluate<2>(problem, p_new_, w_new_);
  search<2>(problem, solution);
  return true;
}

SolverReport Newton::solve_3d(const Problem& problem, const SolverOptions& options,
                              Solution& solution) {
  SolverReport report;
  if (!may_factorise_) return report;
  evaluate<3>(problem, solution.p, solution.w);
  merit_ = merit<3>(problem, solution.p, solution.w);
  last_merits_.fill(merit_);
  step_count_ = 1;
  const int limit = std::min(options.max_iterations, max_steps);
  while (report.iterations < limit && !report.converged) {
    ++report.iterations;
    if (!step_3d(problem, solution)) return report;
    search<3>(problem, solution);
    ++step_count_;
    for (const int a : problem.active)
      solution.status[at(a)] = status_3d(solution.p.segment<3>(3 * a), solution.w.segment<3>(3 * a),
                                         problem.mu[a], problem.W.rho(a));
    if (certify_now(problem, options.tolerance, report, solution)) return report;
  }
  return report;
}

/// p_new_ from (A + B W) p = −B b; the rows of inactive contacts are p = 0.
bool Newton::step_3d(const Problem& problem, const Solution& solution) {
  const int n = problem.W.contact_count(), reach = problem.W.half_bandwidth();
  lu_->reset(3 * n, 3 * reach + 2);
  p_new_.setZero();
  for (int i = 0; i < 3 * n; ++i) lu_->entry(i, i) = 1.0;
  for (const int a : problem.active) {
    const Rows rows = linearise(solution.p.segment<3>(3 * a), solution.w.segment<3>(3 * a),
                                problem.mu[a], problem.W.rho(a));
    for (int b = problem.W.first_near(a); b < std::min(a + reach + 1, n); ++b) {
      Eigen::Matrix3d block = rows.B * problem.W.matrix().block<3, 3>(3 * a, 3 * b);
      if (a == b) block += rows.A;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) lu_->entry(3 * a + i, 3 * b + j) = block(i, j);
    }
    p_new_.segment<3>(3 * a) = -rows.B * problem.b.segment<3>(3 * a);
  }
  ++factorisations_3d_;
  if (!lu_->factorise()) return false;
  lu_->solve(p_new_);
  evaluate<3>(problem, p_new_, w_new_);
  return p_new_.allFinite();
}

/// Moves solution.p and .w towards the new point, the whole way if that is good enough. The first
/// step of a call is taken whole: there is nothing to compare it with.
template <int d>
void Newton::search(const Problem& problem, Solution& solution) {
  double best = merit<d>(problem, p_new_, w_new_), best_length = 1.0;
  if (step_count_ <= 1 && d == 2) last_merits_.fill(best);
  const double bound = *std::max_element(last_merits_.begin(), last_merits_.end());
  for (double length = 0.5; !(best <= bound) && length > 0.01; length *= 0.5) {
    p_try_ = solution.p + length * (p_new_ - solution.p);
    w_try_ = solution.w + length * (w_new_ - solution.w);
    const double value = merit<d>(problem, p_try_, w_try_);
    if (value < best || std::isnan(best)) {
      best = value;
      best_length = length;
    }
  }
  last_merits_[at(step_count_) % last_merits_.size()] = merit_ = best;
  whole_step_ = best_length == 1.0;
  if (whole_step_) {
    solution.p = p_new_;
    solution.w = w_new_;
    return;
  }
  solution.p += best_length * (p_new_ - solution.p);
  solution.w += best_length * (w_new_ - solution.w);
}

/// By columns, of which an open contact needs none; where W is symmetric they are its rows.
template <int d>
void Newton::evaluate(const Problem& problem, const Eigen::VectorXd& p, Eigen::VectorXd& w) const {
  w = problem.b;
  for (const int a : problem.active) {
    const Eigen::Matrix<double, d, 1> p_a = p.segment<d>(d * a);
    if (!problem.W.symmetric()) w.segment<d>(d * a) += problem.W.off_diagonal_times<d>(a, p.data());
    if (p_a.isZero(0.0)) continue;
    w.segment<d>(d * a) += problem.W.diagonal<d>(a) * p_a;
    if (!problem.W.symmetric()) continue;
    const auto [columns, length] = problem.W.near_rows(a);
    add_columns<d>(columns, length, p_a, length, &w[d * problem.W.first_near(a)]);
  }
}

template <int d>
double Newton::merit(const Problem& problem, const Eigen::VectorXd& p,
                     const Eigen::VectorXd& w) const {
  double sum = 0.0;
  for (const int a : problem.active)
    sum += natural_map_of<d>(p.segment<d>(d * a), problem.W.rho(a) * w.segment<d>(d * a),
                             problem.mu[a])
               .squaredNorm();
  return sum;
}

/// Asks for the certificate where the merit, which is the square of the scaled residual's
/// numerator, allows one.
bool Newton::certify_now(const Problem& problem, double tolerance, SolverReport& report,
                         Solution& solution) const {
  if (!(merit_ <= tolerance * tolerance * solution.p.squaredNorm())) return false;
  report.residual = whole_step_ ? certify_multiplied(problem, tolerance, solution)
                                : certify(problem, tolerance, solution);
  report.converged = report.residual.worst() <= tolerance;
  return report.converged;
}

void Newton::read_statuses(const Problem& problem, const Solution& solution) {
  std::fill(next_.begin(), next_.end(), Status::open);
  for (const int a : problem.active)
    next_[at(a)] = status_2d(problem.W.diagonal<2>(a), solution.p.segment<2>(2 * a),
                             solution.w.segment<2>(2 * a), problem.mu[a], problem.W.rho(a));
}

/// Remembers these statuses and counts the step; true if they were solved for before.
bool Newton::seen_before(const std::vector<Status>& status) {
  const std::uint64_t hash = hash_of(status);
  const auto end = seen_.begin() + step_count_;
  const bool found = std::find(seen_.begin(), end, hash) != end;
  seen_[at(step_count_++)] = hash;
  return found;
}

}  // namespace slipwave::contact
