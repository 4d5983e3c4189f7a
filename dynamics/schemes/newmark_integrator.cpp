#include "dynamics/schemes/newmark_integrator.hpp"

#include "dynamics/step_dofs.hpp"
#include "parallel/clones.hpp"

#include <algorithm>
#include <cassert>

namespace slipwave::dynamics {

namespace {

/// The weight of damping and force at the end of the step.
double damping_weight(const NewmarkScheme& s) { return s.kh ? 1.0 - s.alpha_m : 1.0 - s.alpha_f; }

SparseMatrix effective_matrix(const System& system, const NewmarkScheme& s, double h) {
  SparseMatrix A = (1.0 - s.alpha_m) * system.M + ((1.0 - s.alpha_f) * h * h * s.beta) * system.K;
  if (system.C.nonZeros() > 0) A += (damping_weight(s) * h * s.gamma) * system.C;
  return A;
}

/// H Δv for impulses p: v_{k+1} changes by (I + hγ A⁻¹B) M⁻¹Hᵀp with B = −c C − (1−α_f)(h/2) K.
/// Without damping K = (A − (1−α_m)M) / ((1−α_f)h²β) turns this into
///     (1−α_m) (γ/2β) A⁻¹ + (1 − γ/2β) M⁻¹.
Eigen::MatrixXd velocity_per_impulse(const System& system, const NewmarkScheme& s, double h,
                                     const linear::StepMatrix& A, const linear::StepMatrix& M) {
  if (s.position_level) return s.beta * on_contacts(system, A);
  if (system.C.nonZeros() == 0) {
    const double ratio = s.gamma / (2.0 * s.beta);
    return (1.0 - s.alpha_m) * ratio * on_contacts(system, A) +
           (1.0 - ratio) * on_contacts(system, M);
  }
  const int n = system.contact_count(), d = system.H.dimension();
  Eigen::MatrixXd W(d * n, d * n);
  Eigen::VectorXd force(system.dof_count()), w(system.dof_count()), a(system.dof_count());
  for (int column = 0; column < d * n; ++column) {
    force.setZero();
    system.H.add_transposed(column / d, contact::LocalVector::Unit(column % d), force);
    M.solve(force, w);
    a = -damping_weight(s) * (system.C * w) - (1.0 - s.alpha_f) * (0.5 * h) * (system.K * w);
    A.solve(a, a);
    w += h * s.gamma * a;
    for (int b = 0; b < n; ++b) {
      const contact::LocalVector u = system.H.times(b, w);
      for (int i = 0; i < d; ++i) W(d * b + i, column) = u[i];
    }
  }
  return W;
}

}  // namespace

NewmarkIntegrator::NewmarkIntegrator(System system, const NewmarkScheme& scheme, double h,
                                     const contact::SolverOptions& solver,
                                     const linear::MakeStepMatrix& make)
    : system_(std::move(system)),
      scheme_(scheme),
      h_(h),
      prescribed_(resting_dofs(system_, h)),
      effective_(make(effective_matrix(system_, scheme, h), step_dofs(system_))),
      mass_(make(system_.M, step_dofs(system_))),
      contact_(system_, velocity_per_impulse(system_, scheme, h, *effective_, *mass_), {1.0, 0.5},
               solver) {
  for (Eigen::VectorXd* vector : {&F_0_, &F_1_, &r_, &a_1_, &w_, &dq_, &dv_, &da_, &x_, &product_,
                                  &relative_, &z_0_, &x_0_, &y_0_, &f_0_, &f_1_, &reaction_})
    vector->setZero(system_.dof_count());
  for (Eigen::VectorXd* vector : {&lambda_, &impulses_}) vector->setZero(system_.H.row_count());
  for (Eigen::VectorXd* vector : {&phi_0_, &phi_1_})
    vector->setZero(static_cast<Eigen::Index>(prescribed_.size()));
  for (const ContactPoint& contact : system_.contacts)
    if (scheme.position_level && largest_friction(contact.law.friction) > 0.0)
      throw Unsupported("contact at the position level is without friction: set it to 0");
}

void NewmarkIntegrator::start(State& state) const {
  Eigen::VectorXd F = Eigen::VectorXd::Zero(system_.dof_count());
  external_force(system_, state.time(h_), F);
  F -= system_.K * in_bodies(system_, state.q);
  if (system_.C.nonZeros() > 0) F -= system_.C * state.v;
  state.a.setZero(system_.dof_count());
  mass_->solve(F, state.a);
  for (Eigen::VectorXd* filter : {&state.filtered_q, &state.filtered_v, &state.filtered_F})
    filter->setZero(system_.dof_count());
}

Energy NewmarkIntegrator::energy(const State& state) const {
  const NewmarkScheme& s = scheme_;
  Energy result = mechanical_energy(system_, state.q, state.v);
  const double a_M_a = state.a.dot(system_.M * state.a);
  const double z_K_z = state.filtered_q.dot(system_.K * state.filtered_q);
  result.algorithmic = 0.25 * h_ * h_ * (2.0 * s.beta - s.gamma) * a_M_a +
                       0.5 * s.eta() * (s.nu() - (s.gamma - 0.5)) * z_K_z;
  return result;
}

double NewmarkIntegrator::displaced(State& state, const Eigen::VectorXd& K_dq) {
  mass_->solve(K_dq, x_);
  product_.noalias() = system_.M * x_;
  const double change = -2.0 * state.a.dot(product_) + x_.dot(product_);
  state.a -= x_;
  return 0.25 * h_ * h_ * (2.0 * scheme_.beta - scheme_.gamma) * change;
}

void NewmarkIntegrator::continue_from(const Integrator& other) {
  contact_.continue_from(other.contact());
  take_contact_forces(other.h());
}

void NewmarkIntegrator::restore(const ContactMemory& memory) {
  contact_.restore(memory);
  take_contact_forces(h_);
}

/// The forces of the position level act into the next step: λ = p/h with the h of the step that
/// found p.
void NewmarkIntegrator::take_contact_forces(double h) {
  lambda_ = contact_.solution().p / h;
  f_1_.setZero();
  const int d = system_.H.dimension();
  for (int a = 0; a < system_.contact_count(); ++a)
    system_.H.add_transposed(a, contact_.solution().p.segment(d * a, d), f_1_);
  f_1_ /= h;
}

StepReport NewmarkIntegrator::advance(State& state) {
  assert(state.q.size() == system_.dof_count() && state.v.size() == system_.dof_count());
  assert(state.a.size() == system_.dof_count());  // the state was started
  contact_.begin(system_, state, h_);
  evaluate_forces(state);
  forces_on_prescribed(state, F_0_, phi_0_);
  form_right_hand_side(state);
  effective_->solve(r_, a_1_);
  form_contact_problem(state);
  StepReport report;
  report.contact = contact_.solve();
  if (scheme_.position_level)
    apply_forces();
  else
    apply_impulses();
  move(state);
  contact_.finish(system_, state, dv_, 0.5);
  report.energy = balance(state);
  forces_on_prescribed(state, F_1_, phi_1_);
  evaluate_reactions();
  static_cast<ContactFigures&>(report) = contact_.figures();
  // The forces of the position level do work over Δq, not at a velocity.
  if (scheme_.position_level)
    report.max_normal_work = std::max(report.energy.works.contact_normal, 0.0);
  return report;
}

void NewmarkIntegrator::evaluate_forces(const State& state) {
  require_rest(system_, state.time(h_, 1));
  external_force(system_, state.time(h_), F_0_);
  external_force(system_, state.time(h_, 1), F_1_);
}

/// K x with the rigid motion of every body taken out of x.
void NewmarkIntegrator::multiply_K(const Eigen::VectorXd& x, Eigen::VectorXd& K_x) {
  take_out_rigid_motions(system_, x, relative_);
  K_x.noalias() = system_.K * relative_;
}

/// A a_free = r, from the velocities and positions that a_{k+1} = 0 would give.
SLIPWAVE_CLONES void NewmarkIntegrator::form_right_hand_side(const State& state) {
  const NewmarkScheme& s = scheme_;
  const double end = s.kh ? 1.0 - s.alpha_m : 1.0 - s.alpha_f, begin = 1.0 - end;
  product_.noalias() = system_.M * state.a;
  r_ = end * F_1_ + begin * F_0_ - s.alpha_m * product_;
  x_ = state.q + (1.0 - s.alpha_f) * (h_ * state.v + (h_ * h_ * (0.5 - s.beta)) * state.a);
  multiply_K(x_, product_);
  r_ -= product_;
  if (system_.C.nonZeros() == 0) return;
  x_ = state.v + (end * h_ * (1.0 - s.gamma)) * state.a;
  product_.noalias() = system_.C * x_;
  r_ -= product_;
}

void NewmarkIntegrator::form_contact_problem(const State& state) {
  const double gamma = scheme_.gamma, beta = scheme_.beta;
  if (scheme_.position_level) {
    x_ = state.q + h_ * state.v + (h_ * h_) * ((0.5 - beta) * state.a + beta * a_1_);
    return contact_.form_position_problem(system_, x_, h_);
  }
  contact_.form_problem(system_, h_ * ((1.0 - gamma) * state.a + gamma * a_1_));
}

/// a_{k+1} = a_free + A⁻¹Hᵀλ with λ = p/h. Over the step the velocities gain h (γ λ_{k+1} +
/// (1−γ) λ_k).
void NewmarkIntegrator::apply_forces() {
  w_.setZero();
  f_0_ = f_1_;
  impulses_ = (1.0 - scheme_.gamma) * h_ * lambda_ + scheme_.gamma * contact_.solution().p;
  take_contact_forces(h_);
  effective_->solve(f_1_, x_);
  a_1_ += x_;
}

/// As forces that act through the step: Δq·Hᵀ(γ λ_{k+1} + (1−γ) λ_k).
void NewmarkIntegrator::book_contact_forces(Works& works) {
  x_ = scheme_.gamma * f_1_ + (1.0 - scheme_.gamma) * f_0_;
  works.contact_normal = dq_.dot(x_);
}

/// w = M⁻¹Hᵀp, and a_{k+1} answers to it.
SLIPWAVE_CLONES void NewmarkIntegrator::apply_impulses() {
  w_.setZero();
  if (contact_.solution().p.squaredNorm() == 0.0) return;
  contact_.add_impulses(system_.H, w_);
  mass_->solve(w_, w_);
  product_.noalias() = system_.K * w_;
  r_ = (-(1.0 - scheme_.alpha_f) * 0.5 * h_) * product_;
  if (system_.C.nonZeros() > 0) {
    product_.noalias() = system_.C * w_;
    r_ -= damping_weight(scheme_) * product_;
  }
  effective_->solve(r_, x_);
  a_1_ += x_;
}

SLIPWAVE_CLONES void NewmarkIntegrator::move(State& state) {
  const NewmarkScheme& s = scheme_;
  z_0_ = state.filtered_q;
  x_0_ = state.filtered_v;
  y_0_ = state.filtered_F;
  dq_ = h_ * state.v + (h_ * h_ * (0.5 - s.beta)) * state.a + (h_ * h_ * s.beta) * a_1_ +
        (0.5 * h_) * w_;
  dv_ = (h_ * (1.0 - s.gamma)) * state.a + (h_ * s.gamma) * a_1_ + w_;
  da_ = a_1_ - state.a;
  state.q += dq_;
  state.v += dv_;
  state.a = a_1_;
  const double ahead = 1.0 / (0.5 + s.nu()), behind = (0.5 - s.nu()) * ahead;
  state.filtered_q = ahead * dq_ - behind * z_0_;
  state.filtered_v = ahead * dv_ - behind * x_0_;
  state.filtered_F = ahead * (F_1_ - F_0_) - behind * y_0_;
  ++state.step;
}

/// The identity (69) of generalized-α and (72) of KH-α, with the filters divided by ν so that ν = 0
/// is a case like any other. Increments of quadratic forms are products, not differences.
SLIPWAVE_CLONES EnergyBalance NewmarkIntegrator::balance(const State& state) {
  const NewmarkScheme& s = scheme_;
  const double eta = s.eta(), nu = s.nu();
  EnergyBalance result;
  product_.noalias() = system_.M * state.v;
  result.energy.kinetic = 0.5 * state.v.dot(product_);
  multiply_K(state.q, product_);
  result.energy.strain = 0.5 * relative_.dot(product_);
  const double q_K_dq = product_.dot(dq_);

  product_.noalias() = system_.M * dv_;
  const double v_M_dv = state.v.dot(product_) - 0.5 * dv_.dot(product_);
  multiply_K(dq_, product_);
  const double dq_K_dq = relative_.dot(product_);
  product_.noalias() = system_.M * da_;
  const double da_M_da = da_.dot(product_), a_M_da = state.a.dot(product_) - 0.5 * da_M_da;
  product_.noalias() = system_.M * state.a;
  const double a_M_a = state.a.dot(product_);
  x_ = state.filtered_q - z_0_;
  multiply_K(x_, product_);
  const double dz_K_dz = relative_.dot(product_);
  const double z_K_dz = state.filtered_q.dot(product_) - 0.5 * dz_K_dz;
  multiply_K(state.filtered_q, product_);
  const double z_K_z = relative_.dot(product_);

  const double inertia = 0.25 * h_ * h_ * (2.0 * s.beta - s.gamma);
  const double filter = 0.5 * eta * (nu - (s.gamma - 0.5));
  result.energy.algorithmic = inertia * a_M_a + filter * z_K_z;
  result.change =
      v_M_dv + (q_K_dq - 0.5 * dq_K_dq) + 2.0 * inertia * a_M_da + 2.0 * filter * z_K_dz;

  Works& works = result.works;
  works.numerical = 2.0 * inertia * (0.5 - s.gamma) * da_M_da + (eta + 0.5 - s.gamma) * dq_K_dq +
                    eta * nu * (s.gamma - nu - 0.5) * dz_K_dz;
  const double filtered = s.kh ? 0.0 : eta;  // KH-α filters neither force nor damping
  x_ = s.gamma * F_1_ + (1.0 - s.gamma) * F_0_ -
       filtered * (s.gamma * state.filtered_F + (1.0 - s.gamma) * y_0_);
  works.external = dq_.dot(x_);
  if (system_.C.nonZeros() > 0) {
    x_ = state.v - (1.0 - s.gamma) * dv_ -
         filtered * (s.gamma * state.filtered_v + (1.0 - s.gamma) * x_0_);
    product_.noalias() = system_.C * x_;
    works.damping = -dq_.dot(product_);
  }
  if (s.position_level)
    book_contact_forces(works);
  else
    contact_.add_works(works.contact_normal, works.contact_tangential);
  return result;
}

/// What M a is on the free dofs by (27) and (32), on the prescribed ones:
///     φ = F − ηy − K(q − ηz) − C(v − ηx),   for KH-α   φ = F − K(q − ηz) − Cv,
/// with the filters of q, v, F: the equations weight the ends of the step with α_f where they
/// weight inertia with α_m, and (1−α_m) φ_{k+1} + α_m φ_k is their right-hand side.
SLIPWAVE_CLONES void NewmarkIntegrator::forces_on_prescribed(const State& state,
                                                             const Eigen::VectorXd& F,
                                                             Eigen::VectorXd& phi) {
  const double eta = scheme_.eta(), filtered = scheme_.kh ? 0.0 : eta;
  x_ = state.q - eta * state.filtered_q;
  take_out_rigid_motions(system_, x_, relative_);
  x_ = state.v - filtered * state.filtered_v;
  for (std::size_t k = 0; k < prescribed_.size(); ++k) {
    const int dof = prescribed_[k];
    double& force = phi[static_cast<Eigen::Index>(k)];
    force = F[dof] - filtered * state.filtered_F[dof] - system_.K.row(dof).dot(relative_);
    if (system_.C.nonZeros() > 0) force -= system_.C.row(dof).dot(x_);
  }
}

/// M Δv = h (γ φ_{k+1} + (1−γ) φ_k) + Hᵀp + the impulse of the motion, on the prescribed dofs.
void NewmarkIntegrator::evaluate_reactions() {
  reaction_.setZero();
  const int d = system_.H.dimension();
  for (int a = 0; a < system_.contact_count(); ++a)
    system_.H.add_transposed(a, contact_impulses().segment(d * a, d), reaction_);
  for (std::size_t k = 0; k < prescribed_.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const int dof = prescribed_[k];
    const double force = scheme_.gamma * phi_1_[i] + (1.0 - scheme_.gamma) * phi_0_[i];
    reaction_[dof] = system_.M.row(dof).dot(dv_) - h_ * force - reaction_[dof];
  }
}

}  // namespace slipwave::dynamics
