#include "contact/nsgs.hpp"

#include <cmath>

namespace slipwave::contact {

namespace {

/// Forgets the impulses of contacts that are not active.
void keep_active(const Problem& problem, Solution& solution) {
  auto next = problem.active.begin();
  for (int a = 0; a < problem.W.contact_count(); ++a) {
    if (next != problem.active.end() && *next == a) {
      ++next;
      continue;
    }
    solution.p.segment<2>(2 * a).setZero();
    solution.status[static_cast<std::size_t>(a)] = Status::open;
  }
}

/// One sweep; returns the squared change of p relative to its squared norm.
double sweep(const Problem& problem, Solution& solution, NsgsReport& report) {
  double change2 = 0.0, norm2 = 0.0;
  report.unsolvable = -1;
  for (const int a : problem.active) {
    auto p = solution.p.segment<2>(2 * a);
    Status& status = solution.status[static_cast<std::size_t>(a)];
    const Eigen::Matrix2d W = problem.W.block(a);
    const Eigen::Vector2d old = p;
    const Eigen::Vector2d c =
        problem.b.segment<2>(2 * a) + problem.W.row_times(a, solution.p) - W * old;
    const LocalSolution local = solve_local(W, c, problem.mu[a], status);
    p = local.p;
    status = local.status;
    report.unique = report.unique && local.unique;
    if (!local.solved) report.unsolvable = a;
    change2 += (p - old).squaredNorm();
    norm2 += p.squaredNorm();
  }
  return change2 > 0.0 ? change2 / norm2 : 0.0;
}

void update_velocities(const Problem& problem, Solution& solution) {
  for (const int a : problem.active)
    solution.w.segment<2>(2 * a) = problem.b.segment<2>(2 * a) + problem.W.row_times(a, solution.p);
}

}  // namespace

NsgsReport solve_nsgs(const Problem& problem, const NsgsOptions& options, Solution& solution) {
  keep_active(problem, solution);
  NsgsReport report;
  if (problem.active.empty()) return report;
  report.converged = false;
  while (!report.converged && report.sweeps < options.max_sweeps) {
    ++report.sweeps;
    const double change = std::sqrt(sweep(problem, solution, report));
    // The certificate costs as much as a sweep: ask for it when the impulses have settled, or now
    // and then.
    const bool last = report.sweeps == options.max_sweeps;
    if (!(change <= options.tolerance) && report.sweeps % 10 != 0 && !last) continue;
    update_velocities(problem, solution);
    report.residual = residual(problem, solution);
    report.converged = report.residual.worst() <= options.tolerance;
  }
  return report;
}

}  // namespace slipwave::contact
