#include "contact/solvers/nsgs.hpp"

#include "contact/laws/coulomb3d.hpp"
#include "parallel/clones.hpp"
#include "parallel/team.hpp"

#include <algorithm>
#include <cmath>

namespace slipwave::contact {

namespace {

/// Below this many products a sweep is too short to share: about 100 microseconds.
constexpr double sequential_work = 3e5;

int choose_block_length(const NodalDelassus& W) {
  const int n = W.contact_count(), d = W.dimension(), band = 2 * W.half_bandwidth() + 1;
  const bool sequential = static_cast<double>(n) * band * d * d < sequential_work;
  return sequential ? std::max(n, 1) : std::max(W.half_bandwidth(), 16);
}

LocalSolution solve_own(const Eigen::Matrix2d& W, const Eigen::Vector2d& c, double mu, Status s) {
  return solve_local(W, c, mu, s);
}

LocalSolution3 solve_own(const Eigen::Matrix3d& W, const Eigen::Vector3d& c, double mu, Status) {
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

}  // namespace

Nsgs::Nsgs(const NodalDelassus& W) : block_length_(choose_block_length(W)) {
  const int blocks = (W.contact_count() + block_length_ - 1) / block_length_;
  change2_.setZero(blocks);
  norm2_.setZero(blocks);
  unsolvable_.setConstant(blocks, -1);
}

/// A sweep of one block does without threads altogether: asking for them takes as long as ten
/// contacts.
template <int d>
void Nsgs::sweep_blocks(const Problem& problem, double relaxation, Solution& solution) {
  if (block_count() == 1) return sweep_block<d>(problem, relaxation, 0, solution);
  parallel::paced([&] {
    for (const int colour : {0, 1})
      parallel::for_each((block_count() + 1 - colour) / 2, [&](int k) {
        sweep_block<d>(problem, relaxation, 2 * k + colour, solution);
      });
  });
}

template <int d>
SLIPWAVE_CLONES void Nsgs::sweep_block(const Problem& problem, double relaxation, int block,
                                       Solution& solution) {
  using Vector = Eigen::Matrix<double, d, 1>;
  double change2 = 0.0, norm2 = 0.0;
  unsolvable_[block] = -1;
  const auto first =
      std::lower_bound(problem.active.begin(), problem.active.end(), block * block_length_);
  for (auto it = first; it != problem.active.end() && *it < (block + 1) * block_length_; ++it) {
    const int a = *it;
    auto p = solution.p.segment<d>(d * a);
    Status& status = solution.status[static_cast<std::size_t>(a)];
    const Vector old = p;
    const Vector c = problem.b.segment<d>(d * a) + problem.W.near_times<d>(a, solution.p.data());
    const auto local = solve_own(problem.W.diagonal<d>(a), c, problem.mu[a], status);
    p = local.p;
    if (relaxation != 1.0)
      p = project_on_cone<d>(old + relaxation * (local.p - old), problem.mu[a]);
    status = local.status;
    if (!local.solved) unsolvable_[block] = a;
    change2 += (p - old).squaredNorm();
    norm2 += p.squaredNorm();
  }
  change2_[block] = change2;
  norm2_[block] = norm2;
}

/// One sweep; returns the change of p relative to its norm.
double Nsgs::sweep(const Problem& problem, double relaxation, Solution& solution) {
  if (problem.dimension() == 2) sweep_blocks<2>(problem, relaxation, solution);
  if (problem.dimension() == 3) sweep_blocks<3>(problem, relaxation, solution);
  const double change2 = change2_.sum();
  return change2 != 0.0 ? std::sqrt(change2 / norm2_.sum()) : 0.0;
}

SolverReport Nsgs::solve(const Problem& problem, const SolverOptions& options, Solution& solution,
                         double patience) {
  SolverReport report;
  report.finished_by = Method::nsgs;
  Progress progress(options.tolerance);
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
