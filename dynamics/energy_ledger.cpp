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

EnergyLedger::Sums& EnergyLedger::Sums::operator+=(const Sums& other) {
  kinetic += other.kinetic;
  strain += other.strain;
  v_M_dv += other.v_M_dv;
  dv_M_dv += other.dv_M_dv;
  q_K_dq += other.q_K_dq;
  dq_K_dq += other.dq_K_dq;
  v_F += other.v_F;
  v_C_v += other.v_C_v;
  prescribed += other.prescribed;
  return *this;
}

EnergyLedger::EnergyLedger(const System& system) {
  for (const bool prescribed : prescribed_dofs(system))
    is_prescribed_.push_back(prescribed ? 1 : 0);
  for (int i = 0; i < system.dof_count(); ++i)
    if (is_prescribed_[static_cast<std::size_t>(i)]) prescribed_.push_back(i);
  velocities_.setZero(4 * system.dof_count());
  reaction_.setZero(system.dof_count());
  if (system.C.nonZeros() > 0) v_theta_.setZero(system.dof_count());
  block_sums_.resize(static_cast<std::size_t>(system.dof_count() / 2 / nodes_per_block + 1));
}

void EnergyLedger::apply_contact_impulses(const System& system, const Eigen::VectorXd& p) {
  for (const int i : prescribed_) reaction_[i] = 0.0;
  for (const ContactPoint& contact : system.contacts) reaction_.segment<2>(contact.dof).setZero();
  for (int a = 0; a < system.contact_count(); ++a) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(a)];
    reaction_.segment<2>(contact.dof) += contact.frame.transpose() * p.segment<2>(2 * a);
  }
}

void EnergyLedger::pack_velocities(const System& system, const ThetaStep& step) {
  for_each_node_block(system.dof_count() / 2, [&](int, int first, int last) {
    for (int i = 2 * first; i < 2 * last; ++i) {
      const int anchor = system.anchor.empty() ? -1 : system.anchor[static_cast<std::size_t>(i)];
      const double dv = step.dv[i];
      const double v_theta = step.v[i] - (1.0 - step.theta) * dv;
      const double body_dv = anchor < 0 ? 0.0 : step.dv[anchor];
      const double body_v = anchor < 0 ? 0.0 : step.v[anchor] - (1.0 - step.theta) * body_dv;
      double* packed = &velocities_[8 * (i / 2) + i % 2];
      packed[0] = dv - body_dv;
      packed[2] = v_theta - body_v;
      packed[4] = dv;
      packed[6] = step.v[i];
      if (v_theta_.size() > 0) v_theta_[i] = v_theta;
    }
  });
}

EnergyLedger::Sums EnergyLedger::sum_over_nodes(const System& system, const NodeMatrices& matrices,
                                                const ThetaStep& step, int first, int last) {
  const double h = step.h, theta = step.theta;
  Sums sums;
  Eigen::Matrix2d K_x, M_x;  // K [Δv, v_{k+θ}] and M [Δv, v_{k+1}] at a node
  for (int node = first; node < last; ++node) {
    matrices.K_and_M_times(node, velocities_.data(), K_x, M_x);
    const Eigen::Vector2d C_v = matrices.has_damping() ? matrices.C_times(node, v_theta_.data())
                                                       : Eigen::Vector2d(0.0, 0.0);
    for (int i = 2 * node; i < 2 * node + 2; ++i) {
      const int c = i - 2 * node;
      const double* packed = &velocities_[8 * node + c];
      const double dv = packed[4], v = packed[6], v_theta = v - (1.0 - theta) * dv;
      const double q = step.q[i] - (system.anchor.empty() ? 0.0 : step.q[system.anchor[size_t(i)]]);
      const double K_q_theta = step.K_z[i] + h * theta * theta * K_x(c, 0);
      const double K_dq = h * K_x(c, 1);
      sums.kinetic += 0.5 * v * M_x(c, 1);
      sums.strain += 0.5 * q * (K_q_theta + (1.0 - theta) * K_dq);
      sums.v_M_dv += v * M_x(c, 0);
      sums.dv_M_dv += dv * M_x(c, 0);
      sums.q_K_dq += q * K_dq;
      sums.dq_K_dq += h * packed[2] * K_dq;
      sums.v_F += v_theta * step.F_theta[i];
      sums.v_C_v += v_theta * C_v[c];
      if (!is_prescribed_[static_cast<std::size_t>(i)]) continue;
      reaction_[i] = M_x(c, 0) + h * (K_q_theta + C_v[c] - step.F_theta[i]) - reaction_[i];
      sums.prescribed += v_theta * reaction_[i];
    }
  }
  return sums;
}

EnergyBalance EnergyLedger::balance(const System& system, const NodeMatrices& matrices,
                                    const ThetaStep& step) {
  apply_contact_impulses(system, step.p);
  pack_velocities(system, step);
  for_each_node_block(matrices.node_count(), [&](int block, int first, int last) {
    block_sums_[static_cast<std::size_t>(block)] =
        sum_over_nodes(system, matrices, step, first, last);
  });
  Sums total;
  for (const Sums& block : block_sums_) total += block;

  EnergyBalance result;
  result.energy = {total.kinetic, total.strain};
  result.change = (total.v_M_dv - 0.5 * total.dv_M_dv) + (total.q_K_dq - 0.5 * total.dq_K_dq);
  Works& works = result.works;
  works.external = step.h * total.v_F;
  works.damping = -step.h * total.v_C_v;
  works.prescribed = total.prescribed;
  works.numerical = (0.5 - step.theta) * (total.dv_M_dv + total.dq_K_dq);
  for (int a = 0; a < system.contact_count(); ++a) {
    works.contact_normal += step.u_theta[2 * a] * step.p[2 * a];
    works.contact_tangential += step.u_theta[2 * a + 1] * step.p[2 * a + 1];
  }
  return result;
}

Energy energy(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Eigen::VectorXd relative = q;
  for (std::size_t i = 0; i < system.anchor.size(); ++i)
    relative[static_cast<Eigen::Index>(i)] -= q[system.anchor[i]];
  return {0.5 * v.dot(system.M * v), 0.5 * relative.dot(system.K * relative)};
}

}  // namespace slipwave::dynamics
