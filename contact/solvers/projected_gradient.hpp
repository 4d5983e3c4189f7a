#pragma once

#include "contact/problem.hpp"
#include "contact/solvers/options.hpp"

#include <Eigen/Core>

namespace slipwave::contact {

/// Korpelevich's extragradient method for the variational inequality
///     p ∈ K,   (q − p)·Φ(W p + b) >= 0 for all q ∈ K,
/// with Φ(w) = (w_N + mu |w_T|, w_T) and one step length τ times each contact's ρ:
///     q = proj_K(p − τρ Φ(W p + b)),   p ← proj_K(p − τρ Φ(W q + b)).
/// τ adapts to r = τ ‖ρ(Φ(p) − Φ(q))‖ / ‖p − q‖: it shrinks, and the step is repeated, where
/// r > 0.9, and grows where r < 0.3. Slow, and simple enough to check the others with: it reads all
/// entries of W and shares nothing with them but the certificate.
class ProjectedGradient {
 public:
  explicit ProjectedGradient(const NodalDelassus& W);

  /// Allocates nothing.
  SolverReport solve(const Problem& problem, const SolverOptions& options, Solution& solution);

 private:
  template <int d>
  bool step(const Problem& problem, Solution& solution);
  template <int d>
  void evaluate(const Problem& problem, const Eigen::VectorXd& p, Eigen::VectorXd& phi) const;
  template <int d>
  void project(const Problem& problem, const Eigen::VectorXd& p, const Eigen::VectorXd& phi,
               Eigen::VectorXd& result) const;
  template <int d>
  void read_statuses(const Problem& problem, Solution& solution) const;

  Eigen::VectorXd q_, phi_p_, phi_q_;
  double tau_ = 1.0;
};

}  // namespace slipwave::contact
