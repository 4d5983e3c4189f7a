#pragma once

#include "contact/problem.hpp"
#include "contact/solvers/options.hpp"
#include "contact/solvers/status_system.hpp"
#include "parallel/clones.hpp"

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>

namespace slipwave::contact {

/// Semismooth Newton on the Alart–Curnier form of the contact law. With x = p − ρ w,
///     x_N <= 0                 open:      p = 0
///     |x_T| <= mu x_N          sticking:  w = 0
///     else, t = x_T / |x_T|    sliding:   w_N = 0,  p_T = mu p_N t + β Q (p_T − ρ w_T),
///                                         β = mu x_N / |x_T|,  Q = I − t tᵀ,
/// where w = W p + b at the new point: each iteration solves for p and reads the next statuses off
/// it. In 2D Q = 0, so the system depends on the statuses alone (a primal–dual active set) and
/// StatusSystem keeps its factor from call to call; a solve starts from the statuses in
/// `solution`. In 3D it starts from p and factorises every time.
///
/// A step is shortened where it does not bring Σ |natural map(p, ρ w)|² below the largest of its
/// last values. Gives up, not converged, when statuses repeat themselves, the system is singular
/// or after 50 iterations.
class Newton {
 public:
  explicit Newton(const DenseBand& W);

  /// Gives up where a factor is needed and the kept one does not serve, unless it may factorise.
  /// Allocates nothing.
  SolverReport solve(const Problem& problem, const SolverOptions& options, Solution& solution,
                     bool may_factorise = true);

  long factorisations() const;  ///< so far, in all calls

  /// Of the factor that is kept in 2D.
  FactorMemory memory() const { return system_ ? system_->memory() : FactorMemory{}; }
  /// Goes on as the solver did whose memory this is.
  void restore(const Problem& problem, const FactorMemory& memory) {
    if (system_) system_->restore(problem, memory);
  }

 private:
  SolverReport solve_2d(const Problem& problem, const SolverOptions& options, Solution& solution);
  SolverReport solve_3d(const Problem& problem, const SolverOptions& options, Solution& solution);
  bool step_2d(const Problem& problem, Solution& solution);
  bool step_3d(const Problem& problem, const Solution& solution);
  template <int d>
  void search(const Problem& problem, Solution& solution);
  template <int d>
  SLIPWAVE_CLONES void evaluate(const Problem& problem, const Eigen::VectorXd& p,
                                Eigen::VectorXd& w) const;
  template <int d>
  double merit(const Problem& problem, const Eigen::VectorXd& p, const Eigen::VectorXd& w) const;
  bool certify_now(const Problem& problem, double tolerance, SolverReport& report,
                   Solution& solution) const;
  void read_statuses(const Problem& problem, const Solution& solution);
  bool seen_before(const std::vector<Status>& status);

  std::optional<StatusSystem> system_;  // 2D
  std::optional<BandLu> lu_;            // 3D
  long factorisations_3d_ = 0;
  std::vector<Status> next_;
  Eigen::VectorXd p_new_, w_new_, p_try_, w_try_;
  bool may_factorise_ = true;
  double merit_ = 0.0;
  bool whole_step_ = true;  // then w_new_ and solution.w are W p + b, not between two of them
  std::array<double, 5> last_merits_{};
  int step_count_ = 0;
  std::array<std::uint64_t, 64> seen_{};
};

}  // namespace slipwave::contact
