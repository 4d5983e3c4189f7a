#include "dynamics/schemes/energy_ledger.hpp"

namespace slipwave::dynamics {

namespace {

/// v_{k+θ} at a node, for the products of NodeMatrices.
auto v_theta_at(const ThetaStep& step) {
  return [&step](int node) -> Eigen::Vector2d {
    return step.v.segment<2>(2 * node) - (1.0 - step.theta) * step.dv.segment<2>(2 * node);
  };
}

/// u·p of every contact, in the order of the contacts.
template <int d>
void add_contact_works(int contacts, const ThetaStep& step, Works& works) {
  for (int a = 0; a < contacts; ++a) {
    works.contact_normal += step.u_theta[d * a] * step.p[d * a];
    for (int i = 1; i < d; ++i)
      works.contact_tangential += step.u_theta[d * a + i] * step.p[d * a + i];
  }
}

}  // namespace

EnergyLedger::Sums& EnergyLedger::Sums::operator+=(const Sums& other) {
  q_K += other.q_K;
  x_K_x += other.x_K_x;
  m_M_m += other.m_M_m;
  v_M += other.v_M;
  m_F += other.m_F;
  v_C_v += other.v_C_v;
  return *this;
}

EnergyLedger::EnergyLedger(const System& system) {
  const std::vector<bool> is_prescribed = prescribed_dofs(system);
  for (int i = 0; i < system.dof_count(); ++i)
    if (is_prescribed[static_cast<std::size_t>(i)]) prescribed_.push_back(i);
  packed_.resize(static_cast<std::size_t>(system.dof_count() / 2));
  reaction_.setZero(system.dof_count());
  block_sums_.resize(
      static_cast<std::size_t>(system.dof_count() / 2 / linear::nodes_per_block + 1));
}

void EnergyLedger::apply_contact_impulses(const System& system, const Eigen::VectorXd& p) {
  for (const int i : prescribed_) reaction_[i] = 0.0;
  const int d = system.H.dimension();
  system.H.clear(reaction_);
  for (int a = 0; a < system.contact_count(); ++a)
    system.H.add_transposed(a, p.segment(d * a, d), reaction_);
}

void EnergyLedger::pack(const System& system, const ThetaStep& step) {
  const auto at_dof = [&](int i) {
    const double dv = step.dv[i];
    return linear::Four{step.q[i], dv, step.v[i] - (1.0 - step.theta) * dv, 0.0};
  };
  linear::for_each_node_block(system.dof_count() / 2, [&](int, int first, int last) {
    for (int node = first; node < last; ++node) {
      const int x = 2 * node, y = x + 1;
      linear::NodeMatrices::Packed& packed = packed_[static_cast<std::size_t>(node)];
      packed = {at_dof(x), at_dof(y), linear::Four{step.dv[x], step.dv[y], step.v[x], step.v[y]}};
      if (system.anchor.empty()) continue;
      const int body = 2 * system.anchor[static_cast<std::size_t>(node)];
      packed.x -= at_dof(body);
      packed.y -= at_dof(body + 1);
    }
  });
  take_out_rotations_of(system, 0);
  take_out_rotations_of(system, 2);
}

/// From one of the vectors that K multiplies.
void EnergyLedger::take_out_rotations_of(const System& system, int vector) {
  const auto at = [&](int node) -> linear::NodeMatrices::Packed& {
    return packed_[static_cast<std::size_t>(node)];
  };
  take_out_rotations(
      system.bodies,
      [&](int node) { return Eigen::Vector2d(at(node).x[vector], at(node).y[vector]); },
      [&](int node, const Eigen::Vector2d& du) {
        at(node).x[vector] -= du[0];
        at(node).y[vector] -= du[1];
      });
}

/// With rows = own + later, the symmetric form a K b is a (rows b) + b (later a), and a K a is
/// a (rows a + later a), summed over the nodes.
EnergyLedger::Sums EnergyLedger::sum_over_nodes(const linear::NodeMatrices& matrices,
                                                const ThetaStep& step, int first, int last) const {
  const auto swapped = [](const linear::Four& m) { return linear::Four{m[2], m[3], m[0], m[1]}; };
  const auto v_theta = v_theta_at(step);
  Sums sums;
  for (int node = first; node < last; ++node) {
    const linear::NodeMatrices::Packed& at = packed_[static_cast<std::size_t>(node)];
    const auto [own, later] = matrices.half_row_times(node, packed_.data());
    const linear::Four rows_x = own.x + later.x, rows_y = own.y + later.y, rows_m = own.m + later.m;
    sums.q_K += at.x[0] * rows_x + at.y[0] * rows_y + later.x[0] * at.x + later.y[0] * at.y;
    sums.x_K_x += at.x * (rows_x + later.x) + at.y * (rows_y + later.y);
    sums.m_M_m += at.m * (rows_m + later.m);
    sums.v_M += swapped(at.m) * rows_m + at.m * swapped(later.m);
    const double* F = step.F_theta.data() + 2 * node;
    sums.m_F += at.m * linear::Four{F[0], F[1], F[0], F[1]};
    if (matrices.has_damping()) sums.v_C_v += v_theta(node).dot(matrices.C_times(node, v_theta));
  }
  return sums;
}

/// The momentum equation on the prescribed dofs gives the impulse that moved them.
double EnergyLedger::prescribed_work(const linear::NodeMatrices& matrices, const ThetaStep& step) {
  const double h = step.h, theta = step.theta;
  const auto v_theta = v_theta_at(step);
  const auto dv_in_body = [this](int node) {
    const linear::NodeMatrices::Packed& at = packed_[static_cast<std::size_t>(node)];
    return Eigen::Vector2d(at.x[1], at.y[1]);
  };
  double work = 0.0;
  for (const int i : prescribed_) {
    const int node = i / 2, c = i % 2;
    double force = step.K_z[i] + h * theta * theta * matrices.K_times(node, dv_in_body)[c];
    if (matrices.has_damping()) force += matrices.C_times(node, v_theta)[c];
    const double impulse =
        matrices.M_times(node, linear::at_nodes(step.dv))[c] + h * (force - step.F_theta[i]);
    reaction_[i] = impulse - reaction_[i];
    work += v_theta(node)[c] * reaction_[i];
  }
  return work;
}

EnergyBalance EnergyLedger::balance(const System& system, const linear::NodeMatrices& matrices,
                                    const ThetaStep& step) {
  apply_contact_impulses(system, step.p);
  pack(system, step);
  linear::for_each_node_block(matrices.node_count(), [&](int block, int first, int last) {
    block_sums_[static_cast<std::size_t>(block)] = sum_over_nodes(matrices, step, first, last);
  });
  Sums total;
  for (const Sums& block : block_sums_) total += block;

  const double h = step.h, theta = step.theta;
  const double v_M_v = total.m_M_m[2] + total.m_M_m[3], v_M_dv = total.v_M[0] + total.v_M[1];
  const double dv_M_dv = total.m_M_m[0] + total.m_M_m[1];
  const double q_K_dq = h * total.q_K[2], dq_K_dq = h * h * total.x_K_x[2];
  const double v_F = total.m_F[2] + total.m_F[3], dv_F = total.m_F[0] + total.m_F[1];
  EnergyBalance result;
  result.energy = {0.5 * v_M_v, 0.5 * total.x_K_x[0]};
  result.change = (v_M_dv - 0.5 * dv_M_dv) + (q_K_dq - 0.5 * dq_K_dq);
  Works& works = result.works;
  works.external = h * (v_F - (1.0 - theta) * dv_F);
  works.damping = -h * total.v_C_v;
  works.prescribed = prescribed_work(matrices, step);
  works.numerical = (0.5 - theta) * (dv_M_dv + dq_K_dq);
  if (system.H.dimension() == 2)
    add_contact_works<2>(system.contact_count(), step, works);
  else
    add_contact_works<3>(system.contact_count(), step, works);
  return result;
}

}  // namespace slipwave::dynamics
