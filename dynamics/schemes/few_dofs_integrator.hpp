#pragma once

#include "dynamics/few_dofs_system.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/schemes/theta_scheme.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace slipwave::dynamics {

/// The θ-schemes for a system of a few degrees of freedom, [AC24, (61) and (72)] with everything
/// that depends on the configuration taken at q_k:
///     M(q_k) Δv = h (F_{k+θ} + f(q_k, v_k)) + H(q_k)ᵀ p,   q_{k+1} = q_k + h v_{k+θ}.
/// The contact problem is solved by Gauss–Seidel, as W changes in every step.
class FewDofsIntegrator : public Integrator {
 public:
  /// The system must outlive the integrator.
  FewDofsIntegrator(const FewDofsSystem& system, const ThetaScheme& scheme, double h,
                    const contact::SolverOptions& solver);

  void start(State& /*state*/) const override {}
  Energy energy(const State& state) const override;
  StepReport advance(State& state) override;
  void continue_from(const Integrator& other) override { contact_.continue_from(other.contact()); }
  void restore(const ContactMemory& memory) override { contact_.restore(memory); }

  double h() const override { return h_; }
  const ContactStep& contact() const override { return contact_; }

 private:
  void evaluate_configuration(const State& state);
  void evaluate_force(const State& state);
  void move(State& state);
  EnergyBalance balance(const State& state);
  /// The rows of H of a contact times v.
  Eigen::Vector2d in_frame(int contact, const Eigen::VectorXd& v) const {
    return H_.middleRows<2>(2 * contact) * v;
  }

  const FewDofsSystem& system_;
  ThetaScheme scheme_;
  double h_;
  ContactStep contact_;
  Eigen::LLT<Eigen::MatrixXd> factor_;  // of M(q_k)
  Eigen::MatrixXd M_, M_next_, H_, M_inv_Ht_, W_;
  Eigen::VectorXd mu_, gap_;                   // one per contact
  Eigen::VectorXd F_, F_next_, f_, dv_, v_0_;  // one per dof
};

}  // namespace slipwave::dynamics
