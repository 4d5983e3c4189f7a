#include "dynamics/schemes/theta_integrator.hpp"

#include "dynamics/step_dofs.hpp"
#include "linear/blocks.hpp"
#include "linear/submatrix.hpp"
#include "parallel/clones.hpp"

#include <algorithm>
#include <cassert>
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
  return linear::submatrix(M_hat, rows, n, linear::numbering(prescribed, n),
                           static_cast<int>(prescribed.size()));
}

std::vector<int> rows_with_entries(const SparseMatrix& A) {
  std::vector<int> rows;
  for (int i = 0; i < A.outerSize(); ++i)
    if (SparseMatrix::InnerIterator(A, i)) rows.push_back(i);
  return rows;
}

}  // namespace

ThetaIntegrator::ThetaIntegrator(System system, const ThetaScheme& scheme, double h,
                                 const contact::SolverOptions& solver,
                                 const linear::MakeStepMatrix& make)
    : ThetaIntegrator(iteration_matrix(system, scheme.theta, h), std::move(system), scheme, h,
                      solver, make) {}

ThetaIntegrator::ThetaIntegrator(const SparseMatrix& M_hat, System&& system,
                                 const ThetaScheme& scheme, double h,
                                 const contact::SolverOptions& solver,
                                 const linear::MakeStepMatrix& make)
    : system_(std::move(system)),
      scheme_(scheme),
      h_(h),
      prescribed_(linear::indices_where(prescribed_dofs(system_), true)),
      coupling_(prescribed_columns(M_hat, prescribed_)),
      coupled_(rows_with_entries(coupling_)),
      M_hat_(make(M_hat, step_dofs(system_))),
      matrices_(system_.M, system_.K, system_.C),
      contact_(system_, on_contacts(system_, *M_hat_), {scheme.law_theta, scheme.theta}, solver),
      ledger_(system_) {
  for (Eigen::VectorXd* vector : {&F_theta_, &z_, &K_z_, &dv_, &impulse_})
    vector->setZero(system_.dof_count());
  amplitudes_.assign(system_.loads.size(), 0.0);
  assert(h > 0.0 && scheme.theta > 0.0 && scheme.theta <= 1.0);
}

Energy ThetaIntegrator::energy(const State& state) const {
  return mechanical_energy(system_, state.q, state.v);
}

StepReport ThetaIntegrator::advance(State& state) {
  assert(state.q.size() == system_.dof_count() && state.v.size() == system_.dof_count());
  contact_.begin(system_, state, h_);
  evaluate_force(state);
  evaluate_prescribed_increment(state);
  take_out_rigid_motion_of(state);
  M_hat_->begin([&](int first, int last, double* b) { right_hand_side(state, first, last, b); },
                dv_);
  contact_.form_problem(system_, dv_);
  StepReport report;
  report.contact = contact_.solve();
  system_.H.clear(impulse_);
  contact_.add_impulses(system_.H, impulse_);
  M_hat_->finish(impulse_, dv_, [&](int first, int last) { move(state, first, last); });
  ++state.step;
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
  driven_ = false;
  for (const PrescribedMotion& motion : system_.prescribed) {
    const double value = motion.value(state.time(h_, 1));
    for (const int dof : motion.dofs) {
      dv_[dof] = motion.kind == PrescribedMotion::Kind::velocity
                     ? value - state.v[dof]
                     : ((value - state.q[dof]) / h_ - state.v[dof]) / scheme_.theta;
      driven_ = driven_ || dv_[dof] != 0.0;
    }
  }
}

/// z = q_k + hθ v_k less the rigid motions that K does not see.
void ThetaIntegrator::take_out_rigid_motion_of(const State& state) {
  const double h_theta = h_ * scheme_.theta;
  linear::for_each_node_block(matrices_.node_count(), [&](int, int first, int last) {
    for (int node = first; node < last; ++node)
      z_.segment<2>(2 * node) =
          state.q.segment<2>(2 * node) - system_.at_anchor(node, state.q) +
          h_theta * (state.v.segment<2>(2 * node) - system_.at_anchor(node, state.v));
  });
  take_out_rotations(system_.bodies, z_);
}

/// b = h (F_{k+θ} − K (q_k + hθ v_k) − C v_k), less M̂ Δv of the prescribed dofs.
SLIPWAVE_CLONES void ThetaIntegrator::right_hand_side(const State& state, int first, int last,
                                                      double* b) {
  for (int node = first / 2; node < last / 2; ++node) {
    const Eigen::Vector2d K_z = matrices_.K_times(node, linear::at_nodes(z_));
    Eigen::Vector2d force = F_theta_.segment<2>(2 * node) - K_z;
    if (matrices_.has_damping()) force -= matrices_.C_times(node, linear::at_nodes(state.v));
    K_z_.segment<2>(2 * node) = K_z;
    b[2 * node - first] = h_ * force[0];
    b[2 * node + 1 - first] = h_ * force[1];
  }
  if (!driven_) return;
  const auto row = std::lower_bound(coupled_.begin(), coupled_.end(), first);
  for (auto i = row; i != coupled_.end() && *i < last; ++i)
    for (SparseMatrix::InnerIterator entry(coupling_, *i); entry; ++entry) {
      const double dv = dv_[prescribed_[static_cast<std::size_t>(entry.col())]];
      if (dv != 0.0) b[*i - first] -= entry.value() * dv;
    }
}

/// v_{k+1} = v_k + Δv, q_{k+1} = q_k + h (v_k + θ Δv).
SLIPWAVE_CLONES void ThetaIntegrator::move(State& state, int first, int last) const {
  for (int i = first; i < last; ++i) {
    state.q[i] += h_ * (state.v[i] + scheme_.theta * dv_[i]);
    state.v[i] += dv_[i];
  }
}

}  // namespace slipwave::dynamics
