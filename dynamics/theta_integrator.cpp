#include "dynamics/integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace slipwave::dynamics {

namespace {

SparseMatrix iteration_matrix(const System& system, double theta, double h) {
  SparseMatrix M_hat = system.M + (h * h * theta * theta) * system.K;
  if (system.C.nonZeros() > 0) M_hat += (h * theta) * system.C;
  return M_hat;
}

std::vector<int> indices_where(const std::vector<bool>& flags, bool wanted) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i] == wanted) indices.push_back(static_cast<int>(i));
  return indices;
}

/// New index of each listed dof, -1 for the others.
std::vector<int> numbering(const std::vector<int>& dofs, int dof_count) {
  std::vector<int> index(static_cast<std::size_t>(dof_count), -1);
  for (std::size_t k = 0; k < dofs.size(); ++k)
    index[static_cast<std::size_t>(dofs[k])] = static_cast<int>(k);
  return index;
}

/// The free dofs of the contacts as indices among the free ones, each once, in the contacts' order.
std::vector<int> contact_unknowns(const System& system, const std::vector<int>& free_index) {
  std::vector<int> unknowns;
  std::vector<bool> taken(free_index.size(), false);
  for (const ContactPoint& contact : system.contacts)
    for (const int dof : {contact.dof, contact.dof + 1}) {
      if (free_index[static_cast<std::size_t>(dof)] < 0 || taken[static_cast<std::size_t>(dof)])
        continue;
      taken[static_cast<std::size_t>(dof)] = true;
      unknowns.push_back(free_index[static_cast<std::size_t>(dof)]);
    }
  return unknowns;
}

ContactLastFactor factorise(const SparseMatrix& M_hat, const System& system,
                            const std::vector<int>& free_dofs) {
  const std::vector<int> free_index = numbering(free_dofs, system.dof_count());
  const int n = static_cast<int>(free_dofs.size());
  try {
    return {submatrix(M_hat, free_index, n, free_index, n), contact_unknowns(system, free_index)};
  } catch (const NotPositiveDefinite& error) {
    throw NotPositiveDefinite(free_dofs[static_cast<std::size_t>(error.row)]);
  }
}

/// place[dof]: its position in the factor's order, -1 if prescribed.
std::vector<int> places(const ContactLastFactor& factor, const std::vector<int>& free_dofs,
                        int dof_count) {
  std::vector<int> place(static_cast<std::size_t>(dof_count), -1);
  for (std::size_t k = 0; k < free_dofs.size(); ++k)
    place[static_cast<std::size_t>(free_dofs[k])] = factor.position()[k];
  return place;
}

/// W = ϑ N S⁻¹ Nᵀ with N the local frames on the free contact dofs.
Eigen::MatrixXd delassus_matrix(const System& system, const ContactLastFactor& factor,
                                const std::vector<int>& place, double law_theta) {
  const Eigen::MatrixXd S_inverse = factor.inverse_on_last();
  const int first_last = factor.size() - factor.last_count();
  const int n = system.contact_count();
  Eigen::MatrixXd W(2 * n, 2 * n);
  for (int b = 0; b < n; ++b)
    for (int a = 0; a < n; ++a) {
      const ContactPoint& row = system.contacts[static_cast<std::size_t>(a)];
      const ContactPoint& column = system.contacts[static_cast<std::size_t>(b)];
      Eigen::Matrix2d block = Eigen::Matrix2d::Zero();
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          const int at = place[static_cast<std::size_t>(row.dof + i)];
          const int to = place[static_cast<std::size_t>(column.dof + j)];
          if (at >= 0 && to >= 0) block(i, j) = S_inverse(at - first_last, to - first_last);
        }
      W.block<2, 2>(2 * a, 2 * b) = law_theta * row.frame * block * column.frame.transpose();
    }
  return W;
}

/// Columns of M̂ on the prescribed dofs, rows of the free ones (empty rows elsewhere).
SparseMatrix prescribed_columns(const SparseMatrix& M_hat, const std::vector<int>& free_dofs,
                                const std::vector<int>& prescribed) {
  const int n = static_cast<int>(M_hat.rows());
  std::vector<int> rows(static_cast<std::size_t>(n), -1);
  for (const int dof : free_dofs) rows[static_cast<std::size_t>(dof)] = dof;
  return submatrix(M_hat, rows, n, numbering(prescribed, n), static_cast<int>(prescribed.size()));
}

Eigen::VectorXd frictions(const System& system) {
  Eigen::VectorXd mu(system.contact_count());
  for (int a = 0; a < system.contact_count(); ++a)
    mu[a] = system.contacts[static_cast<std::size_t>(a)].friction;
  return mu;
}

}  // namespace

/// What the constructor derives from the system before its members can be built.
struct Integrator::Partition {
  Partition(const System& system, const ThetaScheme& scheme, double h)
      : M_hat(iteration_matrix(system, scheme.theta, h)) {
    const std::vector<bool> is_prescribed = prescribed_dofs(system);
    prescribed = indices_where(is_prescribed, true);
    free_dofs = indices_where(is_prescribed, false);
  }
  SparseMatrix M_hat;
  std::vector<int> prescribed, free_dofs;
};

Integrator::Integrator(System system, const ThetaScheme& scheme, double h,
                       const contact::SolverOptions& solver)
    : Integrator(Partition(system, scheme, h), std::move(system), scheme, h, solver) {}

Integrator::Integrator(const Partition& partition, System&& system, const ThetaScheme& scheme,
                       double h, const contact::SolverOptions& solver)
    : system_(std::move(system)),
      scheme_(scheme),
      h_(h),
      prescribed_(partition.prescribed),
      coupling_(prescribed_columns(partition.M_hat, partition.free_dofs, partition.prescribed)),
      factor_(factorise(partition.M_hat, system_, partition.free_dofs)),
      place_(places(factor_, partition.free_dofs, system_.dof_count())),
      matrices_(system_.M, system_.K, system_.C),
      W_(delassus_matrix(system_, factor_, place_, scheme.law_theta)),
      active_set_(system_),
      problem_{W_, Eigen::VectorXd::Zero(2 * system_.contact_count()), frictions(system_), {}},
      solver_(W_, solver),
      solution_(system_.contact_count()),
      ledger_(system_) {
  for (Eigen::VectorXd* vector : {&F_theta_, &z_, &K_z_, &dv_})
    vector->setZero(system_.dof_count());
  amplitudes_.assign(system_.loads.size(), 0.0);
  y_.setZero(factor_.L().work_size());
  y_last_.setZero(factor_.L().work_size());
  u_theta_.setZero(2 * system_.contact_count());
  gap_.setZero(system_.contact_count());
  problem_.active.reserve(system_.contacts.size());
}

StepReport Integrator::advance(State& state) {
  active_set_.update(system_, state, h_);
  evaluate_force(state.step);
  evaluate_prescribed_increment(state);
  form_right_hand_side(state);
  factor_.L().forward(y_);
  evaluate_contact_offset();
  const contact::SolverReport contact = solver_.solve(problem_, solution_);
  active_set_.remember(system_, solution_.p);
  solve_backward();
  move(state);
  const EnergyBalance energy = ledger_.balance(
      system_, matrices_,
      {h_, scheme_.theta, state.q, state.v, dv_, K_z_, F_theta_, solution_.p, u_theta_});
  return report(contact, energy);
}

/// F_{k+θ} = (1−θ) F(t_k) + θ F(t_{k+1}), formed anew only when a load has changed.
void Integrator::evaluate_force(int step) {
  bool changed = false;
  for (std::size_t i = 0; i < amplitudes_.size(); ++i) {
    const TimeFunction& amplitude = system_.loads[i].amplitude;
    const double value =
        (1.0 - scheme_.theta) * amplitude(step * h_) + scheme_.theta * amplitude((step + 1) * h_);
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
void Integrator::evaluate_prescribed_increment(const State& state) {
  for (const PrescribedMotion& motion : system_.prescribed) {
    const double value = motion.value((state.step + 1) * h_);
    for (const int dof : motion.dofs)
      dv_[dof] = motion.kind == PrescribedMotion::Kind::velocity
                     ? value - state.v[dof]
                     : ((value - state.q[dof]) / h_ - state.v[dof]) / scheme_.theta;
  }
}

/// y = h (F_{k+θ} − K (q_k + hθ v_k) − C v_k) on the free dofs, less M̂ Δv of the prescribed ones.
void Integrator::form_right_hand_side(const State& state) {
  const double h_theta = h_ * scheme_.theta;
  for_each_node_block(matrices_.node_count(), [&](int, int first, int last) {
    for (int node = first; node < last; ++node)
      z_.segment<2>(2 * node) =
          state.q.segment<2>(2 * node) - system_.at_anchor(node, state.q) +
          h_theta * (state.v.segment<2>(2 * node) - system_.at_anchor(node, state.v));
  });
  for_each_node_block(matrices_.node_count(), [&, y = y_.data()](int, int first, int last) {
    for (int node = first; node < last; ++node) {
      const Eigen::Vector2d K_z = matrices_.K_times(node, at_nodes(z_));
      Eigen::Vector2d force = F_theta_.segment<2>(2 * node) - K_z;
      if (matrices_.has_damping()) force -= matrices_.C_times(node, at_nodes(state.v));
      K_z_.segment<2>(2 * node) = K_z;
      const int* place = place_.data() + 2 * node;
      if (place[0] >= 0) y[place[0]] = h_ * force[0];
      if (place[1] >= 0) y[place[1]] = h_ * force[1];
    }
  });
  for (std::size_t k = 0; k < prescribed_.size(); ++k) {
    const double dv = dv_[prescribed_[k]];
    if (dv == 0.0) continue;
    for (decltype(coupling_)::InnerIterator entry(coupling_, static_cast<Eigen::Index>(k)); entry;
         ++entry)
      y_[place_[static_cast<std::size_t>(entry.row())]] -= entry.value() * dv;
  }
}

/// b = u_k + ϑ H Δv_free + ((ϑ(1+e) − 1) u_{N,k}, 0), with Δv_free on the contact dofs from the
/// trailing block.
void Integrator::evaluate_contact_offset() {
  const int first_last = factor_.size() - factor_.last_count();
  y_last_.segment(first_last, factor_.last_count()) = y_.segment(first_last, factor_.last_count());
  factor_.L().backward_last(y_last_);
  for (int a = 0; a < system_.contact_count(); ++a) {
    const ContactPoint& contact = system_.contacts[static_cast<std::size_t>(a)];
    Eigen::Vector2d dv = dv_.segment<2>(contact.dof);
    for (int i = 0; i < 2; ++i) {
      const int place = place_[static_cast<std::size_t>(contact.dof + i)];
      if (place >= 0) dv[i] = y_last_[place];
    }
    problem_.b.segment<2>(2 * a) =
        active_set_.u().segment<2>(2 * a) + scheme_.law_theta * (contact.frame * dv);
    problem_.b[2 * a] +=
        (scheme_.law_theta * (1.0 + contact.restitution) - 1.0) * active_set_.law_u_N()[a];
  }
  problem_.active = active_set_.active();
}

/// Δv = L⁻ᵀ (y + L⁻¹ Hᵀp), the second term living on the trailing block alone.
void Integrator::solve_backward() {
  const int first_last = factor_.size() - factor_.last_count();
  y_last_.segment(first_last, factor_.last_count()).setZero();
  for (const int a : problem_.active) {
    const ContactPoint& contact = system_.contacts[static_cast<std::size_t>(a)];
    const Eigen::Vector2d impulse = contact.frame.transpose() * solution_.p.segment<2>(2 * a);
    for (int i = 0; i < 2; ++i) {
      const int place = place_[static_cast<std::size_t>(contact.dof + i)];
      if (place >= 0) y_last_[place] += impulse[i];
    }
  }
  factor_.L().forward_last(y_last_);
  y_.segment(first_last, factor_.last_count()) += y_last_.segment(first_last, factor_.last_count());
  factor_.L().backward(y_);
}

/// v_{k+1} = v_k + Δv, q_{k+1} = q_k + h (v_k + θ Δv), and the contacts' velocities and gaps with
/// them.
void Integrator::move(State& state) {
  for_each_node_block(matrices_.node_count(), [&](int, int first, int last) {
    for (int i = 2 * first; i < 2 * last; ++i) {
      const int place = place_[static_cast<std::size_t>(i)];
      if (place >= 0) dv_[i] = y_[place];
      state.q[i] += h_ * (state.v[i] + scheme_.theta * dv_[i]);
      state.v[i] += dv_[i];
    }
  });
  ++state.step;
  for (int a = 0; a < system_.contact_count(); ++a) {
    const ContactPoint& contact = system_.contacts[static_cast<std::size_t>(a)];
    const auto dof = contact.dof;
    u_theta_.segment<2>(2 * a) =
        contact.frame * (state.v.segment<2>(dof) - (1.0 - scheme_.theta) * dv_.segment<2>(dof));
    gap_[a] = contact.initial_gap + contact.frame.row(0).dot(state.q.segment<2>(dof));
  }
}

StepReport Integrator::report(const contact::SolverReport& contact,
                              const EnergyBalance& energy) const {
  StepReport result;
  result.contact = contact;
  result.energy = energy;
  for (int a = 0; a < system_.contact_count(); ++a) {
    const contact::Status status = solution_.status[static_cast<std::size_t>(a)];
    const bool sticks = status == contact::Status::sticking;
    (status == contact::Status::open ? result.open
     : sticks                        ? result.sticking
                                     : result.sliding) += 1;
    const double w_N = u_theta_[2 * a] * solution_.p[2 * a];
    const double w_T = u_theta_[2 * a + 1] * solution_.p[2 * a + 1];
    result.max_normal_work = std::max(result.max_normal_work, w_N);
    result.max_tangential_work = std::max(result.max_tangential_work, w_T);
    result.min_tangential_work = std::min(result.min_tangential_work, w_T);
    result.penetration = std::max(result.penetration, -gap_[a]);
  }
  return result;
}

}  // namespace slipwave::dynamics
