#include "dynamics/schemes/few_dofs_integrator.hpp"

#include <cassert>
#include <limits>

namespace slipwave::dynamics {

namespace {

/// Every other method that is fast keeps a factor of W.
contact::SolverOptions without_factor(contact::SolverOptions options) {
  if (options.method != contact::Method::projected_gradient) options.method = contact::Method::nsgs;
  return options;
}

/// Contacts that are known by their numbers.
std::vector<StepContact> numbered(const std::vector<ContactLaw>& laws) {
  std::vector<StepContact> contacts;
  for (const ContactLaw& law : laws) contacts.push_back({contacts.size(), law});
  return contacts;
}

}  // namespace

FewDofsIntegrator::FewDofsIntegrator(const FewDofsSystem& system, const ThetaScheme& scheme,
                                     double h, const contact::SolverOptions& solver)
    : system_(system),
      scheme_(scheme),
      h_(h),
      contact_(numbered(system.contacts()),
               Eigen::MatrixXd::Identity(2 * system.contact_count(), 2 * system.contact_count()),
               {scheme.law_theta, scheme.theta}, without_factor(solver)),
      factor_(system.dof_count()) {
  const int n = system.dof_count(), contacts = system.contact_count();
  M_.setIdentity(n, n);
  M_next_.setIdentity(n, n);
  H_.setZero(2 * contacts, n);
  M_inv_Ht_.setZero(n, 2 * contacts);
  W_.setZero(2 * contacts, 2 * contacts);
  mu_.setZero(contacts);
  gap_.setZero(contacts);
  for (Eigen::VectorXd* vector : {&F_, &F_next_, &f_, &dv_, &v_0_}) vector->setZero(n);
}

Energy FewDofsIntegrator::energy(const State& state) const {
  Eigen::MatrixXd M = M_;
  system_.inertia(state.q, M);
  return {0.5 * state.v.dot(M * state.v)};
}

/// M, H, g, μ at q_k and W = H M⁻¹ Hᵀ.
void FewDofsIntegrator::evaluate_configuration(const State& state) {
  system_.inertia(state.q, M_);
  factor_.compute(M_);
  system_.directions(state.q, H_);
  system_.gaps(state.q, gap_);
  for (int a = 0; a < mu_.size(); ++a) {
    const double mu = system_.friction(a, state.q);
    // Negative friction would create energy: it must not get a certificate.
    mu_[a] = mu >= 0.0 ? mu : std::numeric_limits<double>::quiet_NaN();
  }
  M_inv_Ht_ = H_.transpose();
  factor_.solveInPlace(M_inv_Ht_);
  W_ = H_.lazyProduct(M_inv_Ht_);
}

/// F_{k+θ} = (1−θ) F(t_k, q_k) + θ F(t_{k+1}, q_k), and f(q_k, v_k).
void FewDofsIntegrator::evaluate_force(const State& state) {
  system_.applied_force(state.time(h_), state.q, F_);
  system_.applied_force(state.time(h_, 1), state.q, F_next_);
  F_ = (1.0 - scheme_.theta) * F_ + scheme_.theta * F_next_;
  system_.inertial_force(state.q, state.v, f_);
}

StepReport FewDofsIntegrator::advance(State& state) {
  assert(state.q.size() == system_.dof_count() && state.v.size() == system_.dof_count());
  evaluate_configuration(state);
  evaluate_force(state);
  contact_.change(W_, mu_);
  contact_.begin([&](int a) { return gap_[a]; }, [&](int a) { return in_frame(a, state.v); }, h_);
  dv_ = h_ * (F_ + f_);
  factor_.solveInPlace(dv_);
  contact_.form_problem([&](int a) { return in_frame(a, dv_); });
  StepReport report;
  report.contact = contact_.solve();
  dv_ += M_inv_Ht_.lazyProduct(contact_.solution().p);
  move(state);
  report.energy = balance(state);
  static_cast<ContactFigures&>(report) = contact_.figures();
  return report;
}

void FewDofsIntegrator::move(State& state) {
  v_0_ = state.v;
  state.q += h_ * (state.v + scheme_.theta * dv_);
  state.v += dv_;
  ++state.step;
  system_.gaps(state.q, gap_);
  contact_.finish([&](int a) { return gap_[a]; },
                  [&](int a) -> Eigen::Vector2d {
                    return in_frame(a, state.v) - (1.0 - scheme_.theta) * in_frame(a, dv_);
                  });
}

/// (65) with M(q): ½(v_{k+1}+v_k)·M(q_k)Δv = h v_{k+θ}·(F + f) + u_{k+θ}·p + (½−θ)‖Δv‖²_M. What the
/// change of M adds, and what f takes, is the continuous motion's own exchange; their difference is
/// an error of the discretisation and counted as numerical work.
EnergyBalance FewDofsIntegrator::balance(const State& state) {
  const double theta = scheme_.theta;
  system_.inertia(state.q, M_next_);
  const auto norm2 = [](const Eigen::MatrixXd& M, const Eigen::VectorXd& v) {
    return v.dot(M.lazyProduct(v));
  };
  EnergyBalance result;
  result.energy.kinetic = 0.5 * norm2(M_next_, state.v);
  result.change = result.energy.kinetic - 0.5 * norm2(M_, v_0_);
  Works& works = result.works;
  works.external = h_ * (v_0_ + theta * dv_).dot(F_);
  works.numerical = (0.5 - theta) * norm2(M_, dv_) + h_ * (v_0_ + theta * dv_).dot(f_) +
                    0.5 * (norm2(M_next_, state.v) - norm2(M_, state.v));
  contact_.add_works(works.contact_normal, works.contact_tangential);
  return result;
}

}  // namespace slipwave::dynamics
