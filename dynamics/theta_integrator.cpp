#include "dynamics/theta_integrator.hpp"

#include <numeric>

namespace slipwave::dynamics {

namespace {

SparseMatrix iteration_matrix(const System& system, double theta, double h) {
  SparseMatrix M_hat = system.M + (h * h * theta * theta) * system.K;
  if (system.C.nonZeros() > 0) M_hat += (h * theta) * system.C;
  return M_hat;
}

/// Columns of M̂ on the prescribed dofs, rows of the free ones (empty rows elsewhere).
SparseMatrix prescribed_columns(const SparseMatrix& M_hat, const std::vector<int>& prescribed) {
  const int n = static_cast<int>(M_hat.rows());
  std::vector<int> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), 0);
  for (const int dof : prescribed) rows[static_cast<std::size_t>(dof)] = -1;
  return submatrix(M_hat, rows, n, numbering(prescribed, n), static_cast<int>(prescribed.size()));
}

}  // namespace

ThetaIntegrator::ThetaIntegrator(System system, const ThetaScheme& scheme, double h,
                                 const contact::SolverOptions& solver)
    : ThetaIntegrator(iteration_matrix(system, scheme.theta, h), std::move(system), scheme, h,
                      solver) {}

ThetaIntegrator::ThetaIntegrator(const SparseMatrix& M_hat, System&& system,
                                 const ThetaScheme& scheme, double h,
                                 const contact::SolverOptions& solver)
    : system_(std::move(system)),
      scheme_(scheme),
      h_(h),
      prescribed_(indices_where(prescribed_dofs(system_), true)),
      coupling_(prescribed_columns(M_hat, prescribed_)),
      M_hat_(M_hat, system_),
      matrices_(system_.M, system_.K, system_.C),
      contact_(system_, M_hat_.on_contacts(system_), {scheme.law_theta, scheme.theta}, solver),
      ledger_(system_) {
  for (Eigen::VectorXd* vector : {&F_theta_, &z_, &K_z_, &dv_})
    vector->setZero(system_.dof_count());
  amplitudes_.assign(system_.loads.size(), 0.0);
  y_.setZero(M_hat_.L().work_size());
  y_last_.setZero(M_hat_.L().work_size());
}

Energy ThetaIntegrator::energy(const State& state) const {
  return mechanical_energy(system_, state.q, state.v);
}

StepReport ThetaIntegrator::advance(State& state) {
  contact_.begin(system_, state, h_);
  evaluate_force(state);
  evaluate_prescribed_increment(state);
  form_right_hand_side(state);
  M_hat_.L().forward(y_);
  form_contact_problem();
  StepReport report;
  report.contact = contact_.solve();
  solve_backward();
  move(state);
  contact_.finish(system_, state, dv_, 1.0 - scheme_.theta);
  report.energy = ledger_.balance(system_, matrices_,
                                  {h_, scheme_.theta, state.q, state.v, dv_, K_z_, F_theta_,
                                   contact_.solution().p, contact_.u()});
  static_cast<ContactFigures&>(report) = contact_.figures();
  return report;
}

/// F_{k+θ} = (1−θ) F(t_k) + θ F(t_{k+1}), formed anew only when a load has changed.
void ThetaIntegrator::evaluate_force(const State& state) {
  bool changed = false;
  for (std::size_t i = 0; i < amplitudes_.size(); ++i) {
    const TimeFunction& amplitude = system_.loads[i].amplitude;
    const double value = (1.0 - scheme_.theta) * amplitude(state.time(h_)) +
                         scheme_.theta * amplitude(state.time(h_, 1));
    changed = changed || value != amplitudes_[i];
    amplitudes_[i] = value;
  }
  if (!changed) return;
  F_theta_.setZero();
  for (std::size_t i = 0; i < amplitudes_.size(); ++i)
    add_load(system_.loads[i], amplitudes_[i], F_theta_);
}

/// Δv on the prescribed dofs. A velocity is met at t_{k+1}: v_{k+1} = v_D(t_{k+1}); a displacement
/// is met at t_{k+1} too: h v_{k+θ} = u_D(t_{k+1}) − q_k.
void ThetaIntegrator::evaluate_prescribed_increment(const State& state) {
  for (const PrescribedMotion& motion : system_.prescribed) {
    const double value = motion.value(state.time(h_, 1));
    for (const int dof : motion.dofs)
      dv_[dof] = motion.kind == PrescribedMotion::Kind::velocity
                     ? value - state.v[dof]
                     : ((value - state.q[dof]) / h_ - state.v[dof]) / scheme_.theta;
  }
}

/// y = h (F_{k+θ} − K (q_k + hθ v_k) − C v_k) on the free dofs, less M̂ Δv of the prescribed ones.
void ThetaIntegrator::form_right_hand_side(const State& state) {
  const double h_theta = h_ * scheme_.theta;
  for_each_node_block(matrices_.node_count(), [&](int, int first, int last) {
    for (int node = first; node < last; ++node)
      z_.segment<2>(2 * node) =
          state.q.segment<2>(2 * node) - system_.at_anchor(node, state.q) +
          h_theta * (state.v.segment<2>(2 * node) - system_.at_anchor(node, state.v));
  });
  take_out_rotations(system_.bodies, z_);
  for_each_node_block(matrices_.node_count(), [&, y = y_.data()](int, int first, int last) {
    for (int node = first; node < last; ++node) {
      const Eigen::Vector2d K_z = matrices_.K_times(node, at_nodes(z_));
      Eigen::Vector2d force = F_theta_.segment<2>(2 * node) - K_z;
      if (matrices_.has_damping()) force -= matrices_.C_times(node, at_nodes(state.v));
      K_z_.segment<2>(2 * node) = K_z;
      const int* place = M_hat_.place().data() + 2 * node;
      if (place[0] >= 0) y[place[0]] = h_ * force[0];
      if (place[1] >= 0) y[place[1]] = h_ * force[1];
    }
  });
  for (std::size_t k = 0; k < prescribed_.size(); ++k) {
    const double dv = dv_[prescribed_[k]];
    if (dv == 0.0) continue;
    for (decltype(coupling_)::InnerIterator entry(coupling_, static_cast<Eigen::Index>(k)); entry;
         ++entry)
      y_[M_hat_.place()[static_cast<std::size_t>(entry.row())]] -= entry.value() * dv;
  }
}

/// Δv_free on the contact dofs comes from the trailing block alone.
void ThetaIntegrator::form_contact_problem() {
  const int first = M_hat_.first_last(), count = M_hat_.factor().last_count();
  y_last_.segment(first, count) = y_.segment(first, count);
  M_hat_.L().backward_last(y_last_);
  contact_.form_problem(system_, [&](int a) {
    const int dof = system_.contacts[static_cast<std::size_t>(a)].dof;
    Eigen::Vector2d dv = dv_.segment<2>(dof);
    for (int i = 0; i < 2; ++i) {
      const int place = M_hat_.place()[static_cast<std::size_t>(dof + i)];
      if (place >= 0) dv[i] = y_last_[place];
    }
    return dv;
  });
}

/// Δv = L⁻ᵀ (y + L⁻¹ Hᵀp), the second term living on the trailing block alone.
void ThetaIntegrator::solve_backward() {
  const int first = M_hat_.first_last(), count = M_hat_.factor().last_count();
  y_last_.segment(first, count).setZero();
  contact_.for_each_impulse(
      system_, [&](const ContactPoint& contact, const Eigen::Vector2d& impulse) {
        for (int i = 0; i < 2; ++i) {
          const int place = M_hat_.place()[static_cast<std::size_t>(contact.dof + i)];
          if (place >= 0) y_last_[place] += impulse[i];
        }
      });
  M_hat_.L().forward_last(y_last_);
  y_.segment(first, count) += y_last_.segment(first, count);
  M_hat_.L().backward(y_);
}

/// v_{k+1} = v_k + Δv, q_{k+1} = q_k + h (v_k + θ Δv).
void ThetaIntegrator::move(State& state) {
  for_each_node_block(matrices_.node_count(), [&](int, int first, int last) {
    for (int i = 2 * first; i < 2 * last; ++i) {
      const int place = M_hat_.place()[static_cast<std::size_t>(i)];
      if (place >= 0) dv_[i] = y_[place];
      state.q[i] += h_ * (state.v[i] + scheme_.theta * dv_[i]);
      state.v[i] += dv_[i];
    }
  });
  ++state.step;
}

}  // namespace slipwave::dynamics
