#pragma once

#include "dynamics/integrator.hpp"
#include "dynamics/schemes/newmark_scheme.hpp"
#include "linear/contact_last_matrix.hpp"

namespace slipwave::dynamics {

/// The Newmark family with contact at the velocity level (docs/theory.md section 11). The effective
/// matrix A = (1−α_m) M + c hγ C + (1−α_f) h²β K, with c = 1−α_f, or 1−α_m for KH-α, and M are
/// factorised once; a step solves once with A, and where a contact pushes once with M and once more
/// with A. Prescribed dofs must rest.
class NewmarkIntegrator : public SystemIntegrator {
 public:
  /// Throws what the matrix throws, Unsupported for prescribed motion that is not at rest, and
  /// std::invalid_argument for a contact whose normal motion is prescribed. advance() throws
  /// Unsupported where a prescribed dof starts to move.
  NewmarkIntegrator(System system, const NewmarkScheme& scheme, double h,
                    const contact::SolverOptions& solver,
                    const linear::MakeStepMatrix& make = linear::contact_last);

  /// M a_0 = F(0) − K q_0 − C v_0, and filters at zero.
  void start(State& state) const override;
  /// The algorithmic energy ℋ = E + (h²/4)(2β−γ) aᵀMa + ½η(ν−(γ−½)) zᵀKz [A14, (66)].
  Energy energy(const State& state) const override;
  StepReport advance(State& state) override;
  /// a changes by −M⁻¹KΔq, as it must to balance the forces.
  double displaced(State& state, const Eigen::VectorXd& K_dq) override;
  void continue_from(const Integrator& other) override;
  void restore(const ContactMemory& memory) override;

  const System& system() const override { return system_; }
  double h() const override { return h_; }
  const ContactStep& contact() const override { return contact_; }
  const linear::StepMatrix& matrix() const override { return *effective_; }
  const Eigen::VectorXd& reaction_impulse() const override { return reaction_; }
  const Eigen::VectorXd& contact_impulses() const override {
    return scheme_.position_level ? impulses_ : contact_.solution().p;
  }

 private:
  void evaluate_forces(const State& state);
  void form_right_hand_side(const State& state);
  void form_contact_problem(const State& state);
  void apply_impulses();
  void apply_forces();
  void book_contact_forces(Works& works);
  void move(State& state);
  EnergyBalance balance(const State& state);
  void take_contact_forces(double h);
  void forces_on_prescribed(const State& state, const Eigen::VectorXd& F, Eigen::VectorXd& phi);
  void evaluate_reactions();
  void multiply_K(const Eigen::VectorXd& x, Eigen::VectorXd& K_x);

  System system_;
  NewmarkScheme scheme_;
  double h_;
  std::vector<int> prescribed_;
  std::unique_ptr<linear::StepMatrix> effective_, mass_;
  ContactStep contact_;
  Eigen::VectorXd F_0_, F_1_;     // F(t_k), F(t_{k+1})
  Eigen::VectorXd r_, a_1_, w_;   // right-hand side, a_{k+1}, velocity jump
  Eigen::VectorXd dq_, dv_, da_;  // increments of the step
  Eigen::VectorXd x_, product_, relative_;
  Eigen::VectorXd z_0_, x_0_, y_0_;  // filters before the step
  // At the position level only: contact forces at both ends of the step, on the dofs; those at its
  // end in the frames of the contacts; and their impulses over the step.
  Eigen::VectorXd f_0_, f_1_, lambda_, impulses_;
  Eigen::VectorXd phi_0_, phi_1_;  // forces on the prescribed dofs at both ends of the step
  Eigen::VectorXd reaction_;
};

}  // namespace slipwave::dynamics
