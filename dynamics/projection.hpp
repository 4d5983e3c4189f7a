#pragma once

#include "contact/solvers/solver.hpp"
#include "dynamics/integrator.hpp"

#include <Eigen/Core>

namespace slipwave::dynamics {

/// Removes the drift of contacts that ask for it: laws on velocities leave positions that penetrate
/// a little. After a step, the smallest Δq in the norm of the step's matrix A with g(q + Δq) ≥ 0,
///     Δq = A⁻¹H_Nᵀλ,   0 ≤ λ ⊥ g + H_N Δq ≥ 0,
/// is added to q; velocities stay. The energy this changes is a term of its own in the ledger.
/// apply() allocates nothing.
class Projection {
 public:
  /// The matrix is that of the integrator, which must outlive the projection.
  explicit Projection(const SystemIntegrator& integrator);

  /// Whether a contact asks for it.
  bool wanted() const { return !contacts_.empty(); }
  /// Moves q where a contact penetrates, and books ½(q'+q)·KΔq in the report of the step that
  /// `integrator` made, with the same system. Where the problem is not solved, as where obstacles
  /// leave no room, q stays and the report says so.
  void apply(SystemIntegrator& integrator, State& state, StepReport& report);

  /// The last problem that was solved, and its solution.
  const contact::Problem& problem() const { return problem_; }
  const contact::Solution& solution() const { return solution_; }

  contact::SequenceMemory memory() const { return {solution_, solver_.memory()}; }
  /// Goes on after the step whose memory this is, to the last bit.
  void restore(const contact::SequenceMemory& memory);

 private:
  double deepest(const System& system, const State& state) const;
  bool leaves_penetration(const System& system) const;

  const linear::StepMatrix& A_;
  std::vector<int> contacts_;
  contact::Problem problem_;
  contact::Solver solver_;
  contact::Solution solution_;
  Eigen::VectorXd dq_, relative_, K_dq_;
};

}  // namespace slipwave::dynamics
