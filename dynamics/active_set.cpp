#include "dynamics/active_set.hpp"

#include <algorithm>

namespace slipwave::dynamics {

namespace {

/// Whether a contact is active, given its gap, its normal velocity and the normal velocity of its
/// law.
bool is_active(const ContactPoint& contact, double gap, double u_N, double law_u_N, double h) {
  switch (contact.activation) {
    case Activation::dissipative:
      return gap <= contact.gap_tolerance;
    case Activation::gap_and_velocity:
      return gap <= contact.gap_tolerance && law_u_N <= 0.0;
    case Activation::predicted_gap_and_velocity:
      return gap + h * u_N <= contact.gap_tolerance && law_u_N <= 0.0;
    case Activation::gap:
      return gap <= 0.0;
  }
  return false;
}

}  // namespace

ActiveSet::ActiveSet(const System& system)
    : u_(Eigen::VectorXd::Zero(2 * system.contact_count())),
      law_u_N_(Eigen::VectorXd::Zero(system.contact_count())),
      remembered_u_N_(Eigen::VectorXd::Zero(system.contact_count())),
      was_closed_(system.contacts.size(), 0) {
  active_.reserve(system.contacts.size());
}

void ActiveSet::update(const System& system, const State& state, double h) {
  active_.clear();
  for (int a = 0; a < system.contact_count(); ++a) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(a)];
    const double gap = contact.gap(state.q);
    u_.segment<2>(2 * a) = contact.frame * state.v.segment<2>(contact.dof);
    const double u_N = u_[2 * a];
    const bool looks_at_sign = contact.activation == Activation::gap_and_velocity ||
                               contact.activation == Activation::predicted_gap_and_velocity;
    law_u_N_[a] = u_N;
    if (contact.activation == Activation::dissipative) law_u_N_[a] = std::min(u_N, 0.0);
    if (looks_at_sign && was_closed_[static_cast<std::size_t>(a)]) law_u_N_[a] = remembered_u_N_[a];
    if (is_active(contact, gap, u_N, law_u_N_[a], h)) active_.push_back(a);
  }
}

void ActiveSet::remember(const System& system, const Eigen::VectorXd& p) {
  for (int a = 0; a < system.contact_count(); ++a) {
    was_closed_[static_cast<std::size_t>(a)] = p[2 * a] > 0.0;
    remembered_u_N_[a] = -system.contacts[static_cast<std::size_t>(a)].restitution * law_u_N_[a];
  }
}

}  // namespace slipwave::dynamics
