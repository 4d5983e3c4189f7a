#include "dynamics/schemes/explicit_integrator.hpp"

#include "dynamics/step_dofs.hpp"
#include "parallel/clones.hpp"

#include <cassert>

namespace slipwave::dynamics {

ExplicitIntegrator::ExplicitIntegrator(System system, const ExplicitScheme& /*scheme*/, double h,
                                       const contact::SolverOptions& solver,
                                       const linear::MakeStepMatrix& make)
    : system_(std::move(system)),
      h_(h),
      prescribed_(resting_dofs(system_, h)),
      mass_(make(system_.M, step_dofs(system_))),
      contact_(system_, on_contacts(system_, *mass_), {1.0, 0.5}, solver) {
  for (Eigen::VectorXd* vector :
       {&F_, &r_, &dv_, &v_0_, &K_q_0_, &K_q_1_, &relative_, &product_, &reaction_})
    vector->setZero(system_.dof_count());
}

Energy ExplicitIntegrator::energy(const State& state) const {
  Energy result = mechanical_energy(system_, state.q, state.v);
  result.algorithmic = 0.5 * h_ * state.v.dot(system_.K * in_bodies(system_, state.q));
  return result;
}

SLIPWAVE_CLONES void ExplicitIntegrator::multiply_K(const Eigen::VectorXd& x,
                                                    Eigen::VectorXd& K_x) {
  take_out_rigid_motions(system_, x, relative_);
  K_x.noalias() = system_.K * relative_;
}

StepReport ExplicitIntegrator::advance(State& state) {
  assert(state.q.size() == system_.dof_count() && state.v.size() == system_.dof_count());
  require_rest(system_, state.time(h_, 1));
  v_0_ = state.v;
  multiply_K(state.q, K_q_0_);
  external_force(system_, state.time(h_, 1), F_);
  state.q += h_ * state.v;
  multiply_K(state.q, K_q_1_);
  contact_.begin(system_, state, h_);
  r_ = h_ * (F_ - K_q_1_);
  if (system_.C.nonZeros() > 0) {
    product_.noalias() = system_.C * state.v;
    r_ -= h_ * product_;
  }
  mass_->solve(r_, dv_);
  contact_.form_problem(system_, dv_);
  StepReport report;
  report.contact = contact_.solve();
  reaction_.setZero();
  contact_.add_impulses(system_.H, reaction_);
  product_ = r_ + reaction_;
  mass_->solve(product_, dv_);
  state.v += dv_;
  ++state.step;
  contact_.finish(system_, state, dv_, 0.5);
  report.energy = balance(state);
  static_cast<ContactFigures&>(report) = contact_.figures();
  return report;
}

/// With v̄ = ½(v_{k+1} + v_k): ΔE = v̄·MΔv + ½(q_{k+1}+q_k)·K h v_k and MΔv from the step give
///     Δ(E + (h/2) v·Kq) = h v̄·F − h v̄·C v_k + H v̄·p.
SLIPWAVE_CLONES EnergyBalance ExplicitIntegrator::balance(const State& state) {
  EnergyBalance result;
  product_.noalias() = system_.M * state.v;
  result.energy.kinetic = 0.5 * state.v.dot(product_);
  take_out_rigid_motions(system_, state.q, relative_);
  result.energy.strain = 0.5 * relative_.dot(K_q_1_);
  result.energy.algorithmic = 0.5 * h_ * state.v.dot(K_q_1_);
  product_.noalias() = system_.M * dv_;
  // On the prescribed dofs M Δv = r + Hᵀp + the impulse of the motion, and reaction_ is Hᵀp so far.
  for (const int dof : prescribed_) reaction_[dof] = product_[dof] - r_[dof] - reaction_[dof];
  // ½(v_{k+1}+v_k)·MΔv, ½h(Kq_{k+1}+Kq_k)·v_k and the difference of the last term of the energy.
  result.change = state.v.dot(product_) - 0.5 * dv_.dot(product_) +
                  0.5 * h_ * (K_q_1_ + K_q_0_).dot(v_0_) +
                  0.5 * h_ * (state.v.dot(K_q_1_) - v_0_.dot(K_q_0_));
  Works& works = result.works;
  works.external = h_ * (state.v.dot(F_) - 0.5 * dv_.dot(F_));
  if (system_.C.nonZeros() > 0) {
    product_.noalias() = system_.C * v_0_;
    works.damping = -h_ * (state.v.dot(product_) - 0.5 * dv_.dot(product_));
  }
  contact_.add_works(works.contact_normal, works.contact_tangential);
  return result;
}

}  // namespace slipwave::dynamics
