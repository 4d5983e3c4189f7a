#pragma once

#include "contact/problem.hpp"
#include "contact/residual.hpp"
#include "contact/solvers/newton_matrix.hpp"
#include "contact/solvers/options.hpp"

#include <Eigen/Core>
#include <vector>

namespace slipwave::contact {

/// Primal–dual interior point in the manner of Acary, Armand and Nguyen (2024). With S = diag(1/μ,
/// 1) impulses z = S⁻¹p and velocities y = S w + |w_T| n are both in the Lorentz cone |·_T| <= ·_N,
/// and
///     x = Y S z,   y = S (b + H x) + |w_T| n,   y ∘ z = σ e,   σ → 0,
/// with the product of that cone's algebra. Each step is Newton's in the scaling of Nesterov and
/// Todd, corrected as by Mehrotra; its matrix is I + Y D H with D = S Q⁻² (S + n tᵀ), Q the
/// scaling. Few steps where contacts stick; where many slide |w_T| is no convex term and steps get
/// short. Always begins from the middle of the cones: a guess is of no use to it. Contacts without
/// friction have half-lines instead of cones. Allocates nothing but in the constructor.
template <Delassus W, int d>
class InteriorPoint {
 public:
  using Vector = Eigen::Matrix<double, d, 1>;
  using Block = Eigen::Matrix<double, d, d>;

  /// The matrix is used for factors and must outlive this; others may use it in between.
  InteriorPoint(const W& operation, NewtonMatrix<W, d>& matrix);
  /// Takes another matrix of the same W: that of a copy.
  void use(NewtonMatrix<W, d>& matrix) { matrix_ = &matrix; }

  /// At most options.max_iterations steps; gives up where they bring nothing, with the
  /// best impulses that it had.
  SolverReport solve(const ProblemOn<W>& problem, const SolverOptions& options, Solution& solution);

 private:
  /// Nesterov and Todd's scaling of a contact: Q z = Q⁻¹ y = λ.
  struct Scaled {
    Block Q = Block::Identity(), inverse = Block::Identity();
    Vector lambda = Vector::Zero();
  };

  void begin(const ProblemOn<W>& problem);
  void find_defects(const ProblemOn<W>& problem);
  void find_scaling(const ProblemOn<W>& problem);
  double gap(const ProblemOn<W>& problem, double length) const;
  void find_direction(const ProblemOn<W>& problem, double part);
  double longest_step(const ProblemOn<W>& problem) const;
  void correct(const ProblemOn<W>& problem, double centre);
  void solve_refined(const ProblemOn<W>& problem);
  void take(const ProblemOn<W>& problem, double length);
  bool step(const ProblemOn<W>& problem);
  bool is_better(const ProblemOn<W>& problem, double tolerance, Solution& solution,
                 SolverReport& report);

  NewtonMatrix<W, d>* matrix_;
  std::vector<Block> D_;
  std::vector<Scaled> scaled_;
  std::vector<Block> slope_;                                   // S + n tᵀ
  Eigen::VectorXd z_, y_, dz_, dy_, g_, defect_y_, p_, best_;  // per contact
  Eigen::VectorXd x_, dx_, defect_x_, right_, left_;           // motions
};

}  // namespace slipwave::contact
