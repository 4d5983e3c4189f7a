#pragma once

#include "contact/solver.hpp"
#include "dynamics/active_set.hpp"
#include "dynamics/energy_ledger.hpp"
#include "dynamics/factor.hpp"
#include "dynamics/node_matrices.hpp"
#include "dynamics/schemes/theta_scheme.hpp"
#include "dynamics/state.hpp"
#include "dynamics/system.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace slipwave::dynamics {

/// What one step did and how well.
struct [[nodiscard]] StepReport {
  contact::SolverReport contact;
  EnergyBalance energy;
  int open = 0, sticking = 0, sliding = 0;  ///< contacts by status
  double max_tangential_work = 0.0;         ///< largest positive w_T over the contacts, 0 if none
  double min_tangential_work = 0.0;         ///< most negative w_T
  double max_normal_work = 0.0;             ///< largest positive w_N
  double penetration = 0.0;                 ///< deepest −g(q_{k+1}), 0 if none
};

/// Advances a system by steps of one size: M̂ is factorised once, and a step is one forward and one
/// backward solve with the contact problem between them (docs/theory.md section 10). advance()
/// allocates nothing.
class Integrator {
 public:
  /// Throws NotPositiveDefinite with the dof where M̂ fails, and std::invalid_argument for a dof
  /// prescribed twice or a contact whose normal motion is prescribed.
  Integrator(System system, const ThetaScheme& scheme, double h,
             const contact::SolverOptions& solver);

  Integrator(const Integrator&) = delete;  // problem_ refers to W_
  Integrator& operator=(const Integrator&) = delete;

  StepReport advance(State& state);

  const System& system() const { return system_; }
  double h() const { return h_; }
  const ContactLastFactor& factor() const { return factor_; }
  const contact::NodalDelassus& delassus() const { return W_; }
  /// The contact problem of the last step and its solution.
  const contact::Problem& problem() const { return problem_; }
  const contact::Solution& solution() const { return solution_; }
  /// H v_{k+θ} of the last step, two per contact.
  const Eigen::VectorXd& u_theta() const { return u_theta_; }
  const EnergyLedger& ledger() const { return ledger_; }

 private:
  struct Partition;
  Integrator(const Partition& partition, System&& system, const ThetaScheme& scheme, double h,
             const contact::SolverOptions& solver);

  void evaluate_force(int step);
  void evaluate_prescribed_increment(const State& state);
  void form_right_hand_side(const State& state);
  void evaluate_contact_offset();
  void solve_backward();
  void move(State& state);
  StepReport report(const contact::SolverReport& contact, const EnergyBalance& energy) const;

  System system_;
  ThetaScheme scheme_;
  double h_;
  std::vector<int> prescribed_;  // prescribed dofs
  // M̂ between free rows (as dofs) and prescribed columns
  Eigen::SparseMatrix<double, Eigen::ColMajor> coupling_;
  ContactLastFactor factor_;
  std::vector<int> place_;  // of each dof in the factor's order, -1 if prescribed
  NodeMatrices matrices_;
  contact::NodalDelassus W_;
  ActiveSet active_set_;
  contact::Problem problem_;
  contact::Solver solver_;
  contact::Solution solution_;
  EnergyLedger ledger_;
  std::vector<double> amplitudes_;          // of the loads between t_k and t_{k+1}
  Eigen::VectorXd F_theta_, z_, K_z_, dv_;  // one value per dof
  Eigen::VectorXd y_, y_last_;              // in the factor's order
  Eigen::VectorXd u_theta_, gap_;           // per contact
};

}  // namespace slipwave::dynamics
