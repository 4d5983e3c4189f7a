#include "dynamics/energy_ledger.hpp"

#include <cmath>

namespace slipwave::dynamics {

double Works::sum() const {
  return external + damping + prescribed + numerical + contact_normal + contact_tangential;
}

double Works::sum_of_magnitudes() const {
  return std::abs(external) + std::abs(damping) + std::abs(prescribed) + std::abs(numerical) +
         std::abs(contact_normal) + std::abs(contact_tangential);
}

Works& Works::operator+=(const Works& other) {
  external += other.external;
  damping += other.damping;
  prescribed += other.prescribed;
  numerical += other.numerical;
  contact_normal += other.contact_normal;
  contact_tangential += other.contact_tangential;
  return *this;
}

EnergyLedger::EnergyLedger(const System& system) {
  const std::vector<bool> is_prescribed = prescribed_dofs(system);
  for (int i = 0; i < system.dof_count(); ++i)
    if (is_prescribed[static_cast<std::size_t>(i)]) prescribed_.push_back(i);
  for (Eigen::VectorXd* vector :
       {&q_, &v_theta_, &dq_, &M_dv_, &M_v_, &K_dq_, &K_q_, &C_v_, &reaction_})
    vector->setZero(system.dof_count());
}

void EnergyLedger::find_reactions(const System& system, const ThetaStep& step) {
  reaction_.setZero();
  for (int a = 0; a < system.contact_count(); ++a) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(a)];
    reaction_.segment<2>(contact.dof) += contact.frame.transpose() * step.p.segment<2>(2 * a);
  }
  for (const int i : prescribed_) {
    const double K_q_theta = K_q_[i] - (1.0 - step.theta) * K_dq_[i];
    const double momentum = M_dv_[i] + step.h * (K_q_theta + C_v_[i] - step.F_theta[i]);
    reaction_[i] = momentum - reaction_[i];
  }
}

EnergyBalance EnergyLedger::balance(const System& system, const ThetaStep& step) {
  subtract_translation(system, step.q, q_);
  subtract_translation(system, step.v_theta, v_theta_);
  dq_ = step.h * v_theta_;
  M_dv_.noalias() = system.M * step.dv;
  M_v_.noalias() = system.M * step.v;
  K_dq_.noalias() = system.K * dq_;
  K_q_.noalias() = system.K * q_;
  if (system.C.nonZeros() > 0) C_v_.noalias() = system.C * step.v_theta;
  find_reactions(system, step);

  EnergyBalance result;
  result.energy = {0.5 * step.v.dot(M_v_), 0.5 * q_.dot(K_q_)};
  const double dv_M_dv = step.dv.dot(M_dv_);
  const double dq_K_dq = dq_.dot(K_dq_);
  result.change = (step.v.dot(M_dv_) - 0.5 * dv_M_dv) + (q_.dot(K_dq_) - 0.5 * dq_K_dq);
  Works& works = result.works;
  works.external = step.h * step.v_theta.dot(step.F_theta);
  works.damping = -step.h * step.v_theta.dot(C_v_);
  works.numerical = (0.5 - step.theta) * (dv_M_dv + dq_K_dq);
  for (int a = 0; a < system.contact_count(); ++a) {
    works.contact_normal += step.u_theta[2 * a] * step.p[2 * a];
    works.contact_tangential += step.u_theta[2 * a + 1] * step.p[2 * a + 1];
  }
  for (const int i : prescribed_) works.prescribed += step.v_theta[i] * reaction_[i];
  return result;
}

Energy energy(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Eigen::VectorXd relative;
  subtract_translation(system, q, relative);
  return {0.5 * v.dot(system.M * v), 0.5 * relative.dot(system.K * relative)};
}

}  // namespace slipwave::dynamics
