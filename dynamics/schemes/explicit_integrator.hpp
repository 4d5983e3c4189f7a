#pragma once

#include "dynamics/integrator.hpp"
#include "dynamics/schemes/explicit_scheme.hpp"
#include "linear/contact_last_matrix.hpp"

namespace slipwave::dynamics {

/// The explicit scheme. The energy that its works change exactly is E + (h/2) v·Kq. Prescribed dofs
/// must rest.
class ExplicitIntegrator : public SystemIntegrator {
 public:
  /// Throws what the matrix throws, Unsupported for prescribed motion that is not at rest, and
  /// std::invalid_argument for a contact whose normal motion is prescribed. advance() throws
  /// Unsupported where a prescribed dof starts to move.
  ExplicitIntegrator(System system, const ExplicitScheme& scheme, double h,
                     const contact::SolverOptions& solver,
                     const linear::MakeStepMatrix& make = linear::contact_last);

  void start(State& /*state*/) const override {}
  Energy energy(const State& state) const override;
  StepReport advance(State& state) override;
  double displaced(State& state, const Eigen::VectorXd& K_dq) override {
    return 0.5 * h_ * state.v.dot(K_dq);
  }
  void continue_from(const Integrator& other) override { contact_.continue_from(other.contact()); }
  void restore(const ContactMemory& memory) override { contact_.restore(memory); }

  const System& system() const override { return system_; }
  double h() const override { return h_; }
  const ContactStep& contact() const override { return contact_; }
  const linear::StepMatrix& matrix() const override { return *mass_; }
  const Eigen::VectorXd& reaction_impulse() const override { return reaction_; }

 private:
  void multiply_K(const Eigen::VectorXd& x, Eigen::VectorXd& K_x);
  EnergyBalance balance(const State& state);

  System system_;
  double h_;
  std::vector<int> prescribed_;
  std::unique_ptr<linear::StepMatrix> mass_;
  ContactStep contact_;
  Eigen::VectorXd F_, r_, dv_, v_0_, K_q_0_, K_q_1_, relative_, product_, reaction_;
};

}  // namespace slipwave::dynamics
