#pragma once

#include "dynamics/integrator.hpp"
#include "dynamics/schemes/energy_ledger.hpp"
#include "dynamics/schemes/theta_scheme.hpp"
#include "linear/contact_last_matrix.hpp"
#include "linear/node_matrices.hpp"

namespace slipwave::dynamics {

/// The θ-schemes: M̂ is factorised once, and a step solves with it once, with the contact problem
/// between the two halves (docs/theory.md section 10).
class ThetaIntegrator : public SystemIntegrator {
 public:
  /// Throws NotPositiveDefinite with the dof where M̂ fails, and std::invalid_argument for a dof
  /// prescribed twice or a contact whose normal motion is prescribed.
  ThetaIntegrator(System system, const ThetaScheme& scheme, double h,
                  const contact::SolverOptions& solver,
                  const linear::MakeStepMatrix& make = linear::contact_last);

  void start(State& /*state*/) const override {}
  Energy energy(const State& state) const override;
  StepReport advance(State& state) override;
  double displaced(State& /*state*/, const Eigen::VectorXd& /*K_dq*/) override { return 0.0; }
  void continue_from(const Integrator& other) override { contact_.continue_from(other.contact()); }
  void restore(const ContactMemory& memory) override { contact_.restore(memory); }

  const System& system() const override { return system_; }
  double h() const override { return h_; }
  const ContactStep& contact() const override { return contact_; }
  const linear::StepMatrix& matrix() const override { return *M_hat_; }
  const Eigen::VectorXd& reaction_impulse() const override { return ledger_.reaction_impulse(); }

 private:
  ThetaIntegrator(const SparseMatrix& M_hat, System&& system, const ThetaScheme& scheme, double h,
                  const contact::SolverOptions& solver, const linear::MakeStepMatrix& make);

  void evaluate_force(const State& state);
  void evaluate_prescribed_increment(const State& state);
  void take_out_rigid_motion_of(const State& state);
  void right_hand_side(const State& state, int first, int last, double* b);
  void move(State& state, int first, int last) const;

  System system_;
  ThetaScheme scheme_;
  double h_;
  std::vector<int> prescribed_;  // prescribed dofs
  SparseMatrix coupling_;        // M̂ between free rows (as dofs) and prescribed columns
  std::vector<int> coupled_;     // its rows that are not empty
  bool driven_ = false;          // whether a prescribed velocity changes in this step
  std::unique_ptr<linear::StepMatrix> M_hat_;
  linear::NodeMatrices matrices_;
  ContactStep contact_;
  EnergyLedger ledger_;
  std::vector<double> amplitudes_;  // of the loads between t_k and t_{k+1}
  Eigen::VectorXd F_theta_, z_, K_z_, dv_;
  Eigen::VectorXd impulse_;  // Hᵀp, on the dofs of the contacts
};

}  // namespace slipwave::dynamics
