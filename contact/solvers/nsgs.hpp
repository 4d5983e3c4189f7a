#pragma once

#include "contact/problem.hpp"
#include "contact/solvers/options.hpp"

#include <Eigen/Core>

namespace slipwave::contact {

/// Nonsmooth Gauss–Seidel: sweeps over the active contacts that solve each one's own problem
/// exactly, the others held, from solution.p on:
///     c_a = b_a + Σ_{b≠a} W_ab p_b,   p_a = local solution of (W_aa, c_a, mu_a).
/// With a relaxation ω ≠ 1 the new impulse is proj_K(p_a + ω (local − p_a)).
///
/// A sweep of a large problem visits blocks of consecutive contacts at least as long as the band,
/// first the even ones and then the odd ones. Blocks of one colour do not see each other, so
/// threads share them and every number of threads gives the same bits: the blocks depend on W
/// alone. A small problem is one block.
///
/// The certificate costs as much as a sweep, so it is asked for when the change of p, extrapolated
/// with its observed contraction, says that the tolerance is met, and now and then.
class Nsgs {
 public:
  explicit Nsgs(const NodalDelassus& W);

  /// Number of blocks a sweep is divided into; 1 means that a sweep is sequential.
  int block_count() const { return static_cast<int>(change2_.size()); }

  /// Sweeps at most options.max_iterations times. Stops early, not converged, once the observed
  /// contraction says that more than `patience` further sweeps are needed. Allocates nothing.
  SolverReport solve(const Problem& problem, const SolverOptions& options, Solution& solution,
                     double patience = 1e300);

 private:
  template <int d>
  void sweep_block(const Problem& problem, double relaxation, int block, Solution& solution);
  template <int d>
  void sweep_blocks(const Problem& problem, double relaxation, Solution& solution);
  double sweep(const Problem& problem, double relaxation, Solution& solution);

  int block_length_;
  Eigen::VectorXd change2_, norm2_;  // per block, summed in the blocks' order
  Eigen::VectorXi unsolvable_;       // per block
};

}  // namespace slipwave::contact
