#pragma once

#include "contact/laws/coulomb2d.hpp"
#include "contact/laws/coulomb3d.hpp"
#include "contact/problem.hpp"
#include "contact/residual.hpp"
#include "contact/solvers/options.hpp"
#include "parallel/clones.hpp"
#include "parallel/team.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

namespace slipwave::contact {

/// Nonsmooth Gauss–Seidel: sweeps over the active contacts that solve each one's own problem
/// exactly, the others held, from solution.p on:
///     c_a = b_a + Σ_{b≠a} W_ab p_b,   p_a = local solution of (W_aa, c_a, mu_a).
/// With a relaxation ω ≠ 1 the new impulse is proj_K(p_a + ω (local − p_a)).
///
/// A sweep visits W's groups of contacts colour by colour. Groups of one colour do not see each
/// other, so threads share them and every number of threads gives the same bits: the groups depend
/// on W alone. A small problem is one group.
///
/// The certificate costs as much as a sweep, so it is asked for when the change of p, extrapolated
/// with its observed contraction, says that the tolerance is met, and now and then.
///
/// Compiled once for the operators below.
template <Delassus W>
class NsgsOn {
 public:
  explicit NsgsOn(const W& operation);

  /// Number of groups a sweep is divided into; 1 means that a sweep is sequential.
  int group_count() const { return static_cast<int>(change2_.size()); }

  /// Sweeps at most options.max_iterations times. Stops early, not converged, once the observed
  /// contraction says that more than `patience` further sweeps are needed. Allocates nothing.
  SolverReport solve(const ProblemOn<W>& problem, const SolverOptions& options, Solution& solution,
                     double patience = 1e300);

 private:
  void gather(const std::vector<int>& active);
  template <int d>
  static Eigen::Matrix<double, d, 1> from_others(const W& operation, int a,
                                                 const Solution& solution);
  template <int d>
  void sweep_group(const ProblemOn<W>& problem, double relaxation, int group, Solution& solution);
  template <int d>
  void sweep_groups(const ProblemOn<W>& problem, double relaxation, Solution& solution);
  double sweep(const ProblemOn<W>& problem, double relaxation, Solution& solution);

  Colours colours_;
  Eigen::VectorXi visits_;                    // the active contacts, group after group
  Eigen::VectorXi first_visit_, next_visit_;  // per group, and the end
  Eigen::VectorXd change2_, norm2_;           // per group, summed in the groups' order
  Eigen::VectorXi unsolvable_;                // per group
};

/// On a dense band.
using Nsgs = NsgsOn<DenseBand>;
extern template class NsgsOn<DenseBand>;
extern template class NsgsOn<BlockSparse>;
extern template class NsgsOn<BodyDelassus>;

namespace sweeps {

/// The exact solution of a contact's own problem.
inline LocalSolution solve_own(const Eigen::Matrix2d& W, const Eigen::Vector2d& c, double mu,
                               Status s) {
  return solve_local(W, c, mu, s);
}

/// The same in 3D.
inline LocalSolution3 solve_own(const Eigen::Matrix3d& W, const Eigen::Vector3d& c, double mu,
                                Status) {
  return solve_local_3d(W, c, mu);
}

/// Says from the changes of p when a certificate is worth its price and how many sweeps remain.
struct Progress {
  double change = 0.0, contraction = 1.0, ask_below;

  explicit Progress(double tolerance) : ask_below(tolerance) {}
  void record(double new_change) {
    contraction = new_change < change ? new_change / change : 1.0;
    change = new_change;
  }
  /// The next change is about contraction * change, and so is the residual.
  bool settled() const { return contraction * change <= ask_below || change == 0.0; }
  void refused(double residual, double tolerance) {
    ask_below = 0.9 * contraction * change * std::min(tolerance / residual, 1.0);
  }
  double sweeps_to(double target) const {
    if (change <= target) return 1.0;
    return contraction < 1.0 ? std::log(target / change) / std::log(contraction) : 1e300;
  }
};

}  // namespace sweeps

template <Delassus W>
NsgsOn<W>::NsgsOn(const W& operation) : colours_(operation.colours()) {
  int groups = 0;
  for (const std::vector<int>& colour : colours_.colours) groups += static_cast<int>(colour.size());
  change2_.setZero(groups);
  norm2_.setZero(groups);
  unsolvable_.setConstant(groups, -1);
  visits_.setZero(operation.contact_count());
  first_visit_.setZero(groups + 1);
  next_visit_ = first_visit_;
}

/// Sorts the active contacts into their groups, each in the order of their numbers.
template <Delassus W>
void NsgsOn<W>::gather(const std::vector<int>& active) {
  const auto group_of = [&](int a) { return colours_.group[static_cast<std::size_t>(a)]; };
  first_visit_.setZero();
  for (const int a : active) ++first_visit_[group_of(a) + 1];
  std::partial_sum(first_visit_.begin(), first_visit_.end(), first_visit_.begin());
  next_visit_ = first_visit_;
  for (const int a : active) visits_[next_visit_[group_of(a)]++] = a;
}

/// A sweep of one group does without threads altogether: asking for them takes as long as ten
/// contacts.
template <Delassus W>
template <int d>
void NsgsOn<W>::sweep_groups(const ProblemOn<W>& problem, double relaxation, Solution& solution) {
  if (group_count() == 1) return sweep_group<d>(problem, relaxation, 0, solution);
  parallel::paced([&] {
    for (const std::vector<int>& colour : colours_.colours)
      parallel::for_each(static_cast<int>(colour.size()), [&](int k) {
        sweep_group<d>(problem, relaxation, colour[static_cast<std::size_t>(k)], solution);
      });
  });
}

/// Σ_{b≠a} W_ab p_b.
template <Delassus W>
template <int d>
Eigen::Matrix<double, d, 1> NsgsOn<W>::from_others(const W& operation, int a,
                                                   const Solution& solution) {
  if constexpr (MovingDelassus<W>)
    return operation.template at<d>(a, solution.x.data()) -
           operation.template diagonal<d>(a) * solution.p.segment<d>(d * a);
  else
    return operation.template off_diagonal_times<d>(a, solution.p.data());
}

template <Delassus W>
template <int d>
SLIPWAVE_CLONES void NsgsOn<W>::sweep_group(const ProblemOn<W>& problem, double relaxation,
                                            int group, Solution& solution) {
  using Vector = Eigen::Matrix<double, d, 1>;
  double change2 = 0.0, norm2 = 0.0;
  unsolvable_[group] = -1;
  for (int visit = first_visit_[group]; visit < first_visit_[group + 1]; ++visit) {
    const int a = visits_[visit];
    auto p = solution.p.segment<d>(d * a);
    Status& status = solution.status[static_cast<std::size_t>(a)];
    const Vector old = p;
    const Vector c = problem.b.template segment<d>(d * a) + from_others<d>(problem.W, a, solution);
    const auto local =
        sweeps::solve_own(problem.W.template diagonal<d>(a), c, problem.mu[a], status);
    p = local.p;
    if (relaxation != 1.0)
      p = project_on_cone<d>(old + relaxation * (local.p - old), problem.mu[a]);
    status = local.status;
    if constexpr (MovingDelassus<W>)
      problem.W.template add_motion<d>(a, p - old, solution.x.data());
    if (!local.solved) unsolvable_[group] = a;
    change2 += (p - old).squaredNorm();
    norm2 += p.squaredNorm();
  }
  change2_[group] = change2;
  norm2_[group] = norm2;
}

/// One sweep; returns the change of p relative to its norm.
template <Delassus W>
double NsgsOn<W>::sweep(const ProblemOn<W>& problem, double relaxation, Solution& solution) {
  if (problem.dimension() == 2) sweep_groups<2>(problem, relaxation, solution);
  if (problem.dimension() == 3) sweep_groups<3>(problem, relaxation, solution);
  const double change2 = change2_.sum();
  return change2 != 0.0 ? std::sqrt(change2 / norm2_.sum()) : 0.0;
}

template <Delassus W>
SolverReport NsgsOn<W>::solve(const ProblemOn<W>& problem, const SolverOptions& options,
                              Solution& solution, double patience) {
  assert(problem.is_consistent() && solution.fits(problem));
  assert(problem.W.contact_count() == visits_.size());
  assert(options.relaxation > 0.0 && options.relaxation < 2.0);
  SolverReport report;
  report.finished_by = Method::nsgs;
  gather(problem.active);
  if constexpr (MovingDelassus<W>) {
    if (problem.dimension() == 2) certificate::move<2>(problem, solution);
    if (problem.dimension() == 3) certificate::move<3>(problem, solution);
  }
  sweeps::Progress progress(options.tolerance);
  while (!report.converged && report.iterations < options.max_iterations) {
    ++report.iterations;
    progress.record(sweep(problem, options.relaxation, solution));
    const bool last = report.iterations == options.max_iterations;
    const bool gives_up =
        report.iterations >= 4 && progress.sweeps_to(options.tolerance) > patience;
    if (!progress.settled() && report.iterations % 50 != 0 && !last && !gives_up) continue;
    report.residual = certify(problem, options.tolerance, solution);
    report.converged = report.residual.worst() <= options.tolerance;
    if (gives_up) break;
    progress.refused(report.residual.worst(), options.tolerance);
  }
  report.unsolvable = unsolvable_.maxCoeff();
  return report;
}

}  // namespace slipwave::contact
