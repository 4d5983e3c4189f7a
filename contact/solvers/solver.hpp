#pragma once

#include "contact/laws/local_solutions.hpp"
#include "contact/problem.hpp"
#include "contact/solvers/newton.hpp"
#include "contact/solvers/nsgs.hpp"
#include "contact/solvers/options.hpp"
#include "contact/solvers/projected_gradient.hpp"
#include "contact/solvers/solver_on.hpp"

#include <optional>

namespace slipwave::contact {

/// What a solver carries from problem to problem beside the solution.
struct SolverMemory {
  double credit = 0.0;
  double usual_sweeps = 0.0;
  bool factor_serves = true;
  FactorMemory factor;
};

/// Solves contact problems with one W, 2D or 3D, one after the other, each from where the last one
/// ended:
///     nsgs                Gauss–Seidel with exact local solutions,
///     newton              semismooth Newton; where that fails nsgs for a while, then newton again
///                         from there, and fell_back says so,
///     projected_gradient  slow, to check the others with,
///     proximal_newton, interior_point  see SolverOn, on a copy of W by blocks,
///     automatic           the fastest that is certified.
/// automatic: newton while the factor it keeps serves, measured 1.3 to 8 times faster than nsgs at
/// 41 to 693 contacts. A new factor costs up to about half_bandwidth sweeps, often more than nsgs
/// needs, so it is made only once nsgs has spent that price, or the last factor saved it, or when
/// the contraction of nsgs says early that it would need more.
class Solver {
 public:
  /// For problems with this W. newton and automatic reserve as much memory as W for the factor, of
  /// which a banded problem touches the band, and 1 KB per contact.
  Solver(const DenseBand& W, const SolverOptions& options);

  const SolverOptions& options() const { return options_; }

  /// Solves from the guess in `solution`: its p for nsgs, its statuses for newton. `problem.W` must
  /// equal the W of the constructor. The impulses of inactive contacts are set to zero. Never says
  /// converged without a certificate; a number that is not finite never gets one. Allocates nothing
  /// from the second call on, and the same bits come out for any number of threads.
  SolverReport solve(const Problem& problem, Solution& solution);

  SolverMemory memory() const;
  /// Goes on as the solver with the same W and options whose memory this is, to the last bit; with
  /// SolverMemory{} as a new one.
  void restore(const Problem& problem, const SolverMemory& memory);

 private:
  SolverReport run(const Problem& problem, Solution& solution);
  SolverReport by_blocks(const Problem& problem, Solution& solution);
  SolverReport newton_or_nsgs(const Problem& problem, Solution& solution);
  SolverReport fastest(const Problem& problem, Solution& solution);

  SolverOptions options_;
  Nsgs nsgs_;
  std::optional<Newton> newton_;
  std::optional<ProjectedGradient> projected_gradient_;
  std::optional<SparseProblem> blocks_;
  std::optional<SolverOn<BlockSparse>> on_blocks_;
  Eigen::VectorXd start_;      // the guess, should newton fail
  double credit_ = 0.0;        // sweeps spent or saved since the last factor
  double usual_sweeps_ = 0.0;  // of nsgs, when it was last used
  bool factor_serves_ = true;  // whether the last problem was solved without a new factor
};

/// Where a sequence of problems has come to: the next starts from this solution.
struct SequenceMemory {
  Solution solution;
  SolverMemory solver;
};

/// Every solution of a contact's own problem in 2D with the impulses of the others held, from a
/// solution whose w = W p + b at that contact.
LocalSolutions own_solutions(const Problem& problem, const Solution& solution, int contact);

}  // namespace slipwave::contact
