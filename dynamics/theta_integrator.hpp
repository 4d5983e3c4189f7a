#pragma once

#include "dynamics/energy_ledger.hpp"
#include "dynamics/free_factor.hpp"
#include "dynamics/integrator.hpp"
#include "linear/node_matrices.hpp"
#include "dynamics/schemes/theta_scheme.hpp"

#include <Eigen/SparseCore>

namespace slipwave::dynamics {

/// The θ-schemes: M̂ is factorised once, and a step is one forward and one backward solve with the
/// contact problem between them (docs/theory.md section 10).
class ThetaIntegrator : public SystemIntegrator {
 public:
  /// Throws NotPositiveDefinite with the dof where M̂ fails, and std::invalid_argument for a dof
  /// prescribed twice or a contact whose normal motion is prescribed.
  ThetaIntegrator(System system, const ThetaScheme& scheme, double h,
                  const contact::SolverOptions& solver);

  void start(State& /*state*/) const override {}
  Energy energy(const State& state) const override;
  StepReport advance(State& state) override;
  double displaced(State& /*state*/, const Eigen::VectorXd& /*K_dq*/) override { return 0.0; }
  void continue_from(const Integrator& other) override { contact_.continue_from(other.contact()); }
  void restore(const ContactMemory& memory) override { contact_.restore(memory); }

  const System& system() const override { return system_; }
  double h() const override { return h_; }
  const ContactStep& contact() const override { return contact_; }
  const FreeFactor& factor() const override { return M_hat_; }
  const Eigen::VectorXd& reaction_impulse() const override { return ledger_.reaction_impulse(); }

 private:
  ThetaIntegrator(const SparseMatrix& M_hat, System&& system, const ThetaScheme& scheme, double h,
                  const contact::SolverOptions& solver);

  void evaluate_force(const State& state);
  void evaluate_prescribed_increment(const State& state);
  void form_right_hand_side(const State& state);
  void form_contact_problem();
  void solve_backward();
  void move(State& state);

  System system_;
  ThetaScheme scheme_;
  double h_;
  std::vector<int> prescribed_;  // prescribed dofs
  // M̂ between free rows (as dofs) and prescribed columns
  Eigen::SparseMatrix<double, Eigen::ColMajor> coupling_;
  FreeFactor M_hat_;
  NodeMatrices matrices_;
  ContactStep contact_;
  EnergyLedger ledger_;
  std::vector<double> amplitudes_;          // of the loads between t_k and t_{k+1}
  Eigen::VectorXd F_theta_, z_, K_z_, dv_;  // one value per dof
  Eigen::VectorXd y_, y_last_;              // in the factor's order
};

}  // namespace slipwave::dynamics
