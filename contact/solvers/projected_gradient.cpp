#include "contact/solvers/projected_gradient.hpp"

#include <algorithm>
#include <cmath>

namespace slipwave::contact {

ProjectedGradient::ProjectedGradient(const NodalDelassus& W) {
  for (Eigen::VectorXd* vector : {&q_, &phi_p_, &phi_q_}) vector->setZero(W.matrix().rows());
}

SolverReport ProjectedGradient::solve(const Problem& problem, const SolverOptions& options,
                                      Solution& solution) {
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
template <int d>
bool ProjectedGradient::step(const Problem& problem, Solution& solution) {
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
template <int d>
void ProjectedGradient::evaluate(const Problem& problem, const Eigen::VectorXd& p,
                                 Eigen::VectorXd& phi) const {
  phi.setZero();
  for (const int a : problem.active) {
    Eigen::Matrix<double, d, 1> w = problem.b.segment<d>(d * a);
    for (int i = 0; i < d; ++i) w[i] += problem.W.row(d * a + i).dot(p);
    w[0] += problem.mu[a] * w.template tail<d - 1>().norm();
    phi.segment<d>(d * a) = problem.W.rho(a) * w;
  }
}

template <int d>
void ProjectedGradient::project(const Problem& problem, const Eigen::VectorXd& p,
                                const Eigen::VectorXd& phi, Eigen::VectorXd& result) const {
  for (const int a : problem.active)
    result.segment<d>(d * a) =
        project_on_cone<d>(p.segment<d>(d * a) - tau_ * phi.segment<d>(d * a), problem.mu[a]);
}

/// Open without impulse, sliding on the surface of the cone while it moves, sticking otherwise.
template <int d>
void ProjectedGradient::read_statuses(const Problem& problem, Solution& solution) const {
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
