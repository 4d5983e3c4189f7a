#pragma once

#include "contact/problem.hpp"
#include "contact/residual.hpp"
#include "contact/solvers/options.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace slipwave::contact {

/// Korpelevich's extragradient method for the variational inequality
///     p ∈ K,   (q − p)·Φ(W p + b) >= 0 for all q ∈ K,
/// with Φ(w) = (w_N + mu |w_T|, w_T) and one step length τ times each contact's ρ:
///     q = proj_K(p − τρ Φ(W p + b)),   p ← proj_K(p − τρ Φ(W q + b)).
/// τ adapts to r = τ ‖ρ(Φ(p) − Φ(q))‖ / ‖p − q‖: it shrinks, and the step is repeated, where
/// r > 0.9, and grows where r < 0.3. Slow, and simple enough to check the others with: it reads all
/// entries of W and shares nothing with them but the certificate.
///
/// Compiled once for the operators below.
template <Delassus W>
class ProjectedGradientOn {
 public:
  explicit ProjectedGradientOn(const W& operation);

  /// Allocates nothing.
  SolverReport solve(const ProblemOn<W>& problem, const SolverOptions& options, Solution& solution);

 private:
  template <int d>
  bool step(const ProblemOn<W>& problem, Solution& solution);
  template <int d>
  void evaluate(const ProblemOn<W>& problem, const Eigen::VectorXd& p, Eigen::VectorXd& phi);
  template <int d>
  void project(const ProblemOn<W>& problem, const Eigen::VectorXd& p, const Eigen::VectorXd& phi,
               Eigen::VectorXd& result) const;
  template <int d>
  void read_statuses(const ProblemOn<W>& problem, Solution& solution) const;

  Eigen::VectorXd q_, phi_p_, phi_q_;
  Eigen::VectorXd x_;  // of a MovingDelassus
  double tau_ = 1.0;
};

/// On a dense band.
using ProjectedGradient = ProjectedGradientOn<DenseBand>;
extern template class ProjectedGradientOn<DenseBand>;
extern template class ProjectedGradientOn<BlockSparse>;
extern template class ProjectedGradientOn<BodyDelassus>;

template <Delassus W>
ProjectedGradientOn<W>::ProjectedGradientOn(const W& operation) {
  const int size = operation.dimension() * operation.contact_count();
  for (Eigen::VectorXd* vector : {&q_, &phi_p_, &phi_q_}) vector->setZero(size);
  if constexpr (MovingDelassus<W>) x_.setZero(operation.motion_size());
}

template <Delassus W>
SolverReport ProjectedGradientOn<W>::solve(const ProblemOn<W>& problem,
                                           const SolverOptions& options, Solution& solution) {
  assert(problem.is_consistent() && solution.fits(problem) && q_.size() == problem.b.size());
  SolverReport report;
  report.finished_by = Method::projected_gradient;
  tau_ = 1.0;
  q_.setZero();  // of contacts that are no longer active
  const bool plane = problem.dimension() == 2;
  while (!report.converged && report.iterations < options.max_iterations) {
    ++report.iterations;
    while (!(plane ? step<2>(problem, solution) : step<3>(problem, solution))) {
    }
    if (report.iterations % 10 != 0 && report.iterations != options.max_iterations) continue;
    report.residual = certify(problem, options.tolerance, solution);
    report.converged = report.residual.worst() <= options.tolerance;
  }
  plane ? read_statuses<2>(problem, solution) : read_statuses<3>(problem, solution);
  return report;
}

/// False if τ was too large: it is smaller now, and p as it was.
template <Delassus W>
template <int d>
bool ProjectedGradientOn<W>::step(const ProblemOn<W>& problem, Solution& solution) {
  evaluate<d>(problem, solution.p, phi_p_);
  project<d>(problem, solution.p, phi_p_, q_);
  evaluate<d>(problem, q_, phi_q_);
  const double moved = (solution.p - q_).norm();
  const double ratio = moved > 0.0 ? tau_ * (phi_p_ - phi_q_).norm() / moved : 0.5;
  if (ratio > 0.9 && tau_ > 1e-12) {
    tau_ *= 2.0 / 3.0 * std::min(1.0, 1.0 / ratio);
    return false;
  }
  project<d>(problem, solution.p, phi_q_, solution.p);
  if (ratio < 0.3) tau_ *= 1.5;
  return true;
}

/// ρ Φ(W p + b) on the active contacts.
template <Delassus W>
template <int d>
void ProjectedGradientOn<W>::evaluate(const ProblemOn<W>& problem, const Eigen::VectorXd& p,
                                      Eigen::VectorXd& phi) {
  phi.setZero();
  if constexpr (MovingDelassus<W>) {
    x_.setZero();
    for (const int a : problem.active)
      problem.W.template add_motion<d>(a, p.segment<d>(d * a), x_.data());
  }
  for (const int a : problem.active) {
    Eigen::Matrix<double, d, 1> w = problem.b.template segment<d>(d * a);
    if constexpr (MovingDelassus<W>)
      w += problem.W.template at<d>(a, x_.data());
    else
      w += problem.W.template all_times<d>(a, p.data());
    w[0] += problem.mu[a] * w.template tail<d - 1>().norm();
    phi.segment<d>(d * a) = problem.W.rho(a) * w;
  }
}

template <Delassus W>
template <int d>
void ProjectedGradientOn<W>::project(const ProblemOn<W>& problem, const Eigen::VectorXd& p,
                                     const Eigen::VectorXd& phi, Eigen::VectorXd& result) const {
  for (const int a : problem.active)
    result.segment<d>(d * a) =
        project_on_cone<d>(p.segment<d>(d * a) - tau_ * phi.segment<d>(d * a), problem.mu[a]);
}

/// Open without impulse, sliding on the surface of the cone while it moves, sticking otherwise.
template <Delassus W>
template <int d>
void ProjectedGradientOn<W>::read_statuses(const ProblemOn<W>& problem, Solution& solution) const {
  for (const int a : problem.active) {
    const Eigen::Matrix<double, d, 1> p = solution.p.segment<d>(d * a);
    const auto w_T = solution.w.segment<d - 1>(d * a + 1);
    const auto p_T = p.template tail<d - 1>();
    Status& status = solution.status[static_cast<std::size_t>(a)];
    status = Status::sticking;
    if (p[0] <= 0.0) status = Status::open;
    const bool at_edge = p_T.norm() >= (1.0 - 1e-12) * problem.mu[a] * p[0];
    if (p[0] <= 0.0 || !at_edge || p_T.dot(w_T) > 0.0) continue;
    status = d == 2 && w_T[0] < 0.0 ? Status::sliding_backward : Status::sliding_forward;
  }
}

}  // namespace slipwave::contact
