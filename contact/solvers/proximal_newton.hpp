#pragma once

#include "contact/problem.hpp"
#include "contact/residual.hpp"
#include "contact/solvers/newton_matrix.hpp"
#include "contact/solvers/options.hpp"

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace slipwave::contact {

/// Proximal point outside, semismooth Newton inside. From impulses q follow
///     p = π(w),   π_a(w) = C(q_a − r_a w_a),   w = b + W p,
/// with Coulomb's law as the map C: the solution of the problem with a little compliance 1/r_a, r_a
/// = α ρ_a; a fixed point solves the problem itself. Inside,
/// Newton's method finds x with F(x) = x − Y π(b + H x) = 0. Its matrix is I + Y D H with, per
/// contact, D = r C'(q − r w), of the size of bodies' velocities where these are known. α grows
/// where Newton's method is quick and shrinks where it fails. W may be singular and unsymmetric.
/// Allocates nothing but in the constructor.
template <Delassus W, int d>
class ProximalNewton {
 public:
  using Vector = Eigen::Matrix<double, d, 1>;
  using Block = Eigen::Matrix<double, d, d>;

  /// The matrix is used for factors and must outlive this; others may use it in between.
  ProximalNewton(const W& operation, NewtonMatrix<W, d>& matrix);
  /// Takes another matrix of the same W: that of a copy.
  void use(NewtonMatrix<W, d>& matrix) { matrix_ = &matrix; }

  /// The first α from afar: the fewest steps of 1, 3, 10, 30 on walls and towers.
  static constexpr double from_afar = 3.0;
  /// The same from the solution of a neighbouring problem: of 3, 30, 300, 3000 on a wall at rest.
  static constexpr double from_near = 300.0;

  /// Goes on from solution.p for at most options.max_iterations Newton steps. Where it fails,
  /// solution.p is the last q.
  SolverReport solve(const ProblemOn<W>& problem, const SolverOptions& options, Solution& solution,
                     double first_alpha = from_afar);

 private:
  enum class Inner { solved, slow, broken };

  void begin(const ProblemOn<W>& problem);
  Vector argument(const ProblemOn<W>& problem, int a, const Eigen::VectorXd& x) const;
  void evaluate(const ProblemOn<W>& problem, const Eigen::VectorXd& x, Eigen::VectorXd& pi,
                Eigen::VectorXd& F) const;
  void find_derivatives(const ProblemOn<W>& problem);
  std::optional<double> step(const ProblemOn<W>& problem);
  Inner solve_inner(const ProblemOn<W>& problem, double part, int most, int& steps);
  double size_of(const ProblemOn<W>& problem, const Eigen::VectorXd& x) const;

  NewtonMatrix<W, d>* matrix_;
  std::vector<Block> D_;
  Eigen::VectorXd q_, pi_, pi_try_;             // impulses; q may lie outside its cones
  Eigen::VectorXd x_, F_, dx_, x_try_, F_try_;  // motions
  double alpha_ = 0.0, merit_ = 0.0;            // merit_ = |F_|
};

}  // namespace slipwave::contact
