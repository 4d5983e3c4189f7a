#include "dynamics/active_set.hpp"

#include <algorithm>
#include <utility>

namespace slipwave::dynamics {

namespace {

/// Whether a contact is active, given its gap, its normal velocity and the normal velocity of its
/// law.
bool is_active(const ContactLaw& law, double gap, double u_N, double law_u_N, double h) {
  switch (law.activation) {
    case Activation::dissipative:
      return gap <= law.gap_tolerance;
    case Activation::gap_and_velocity:
      return gap <= law.gap_tolerance && law_u_N <= 0.0;
    case Activation::predicted_gap_and_velocity:
      return gap + h * u_N <= law.gap_tolerance && law_u_N <= 0.0;
    case Activation::gap:
      return gap <= 0.0;
  }
  return false;
}

}  // namespace

ActiveSet::ActiveSet(std::vector<ContactLaw> laws, int dimension)
    : laws_(std::move(laws)), dimension_(dimension) {
  const auto count = static_cast<Eigen::Index>(laws_.size());
  u_.setZero(dimension * count);
  law_u_N_.setZero(count);
  memory_.u_N.setZero(count);
  memory_.was_closed.assign(laws_.size(), 0);
  active_.reserve(laws_.size());
}

void ActiveSet::update(const System& system, const State& state, double h) {
  assert(system.contact_count() == static_cast<int>(laws_.size()));
  assert(state.q.size() == system.dof_count() && state.v.size() == system.dof_count());
  update([&](int a) { return system.gap(a, state.q); },
         [&](int a) { return system.H.times(a, state.v); }, h);
}

void ActiveSet::update_one(int a, double gap, const double* u, double h) {
  const ContactLaw& law = laws_[static_cast<std::size_t>(a)];
  for (int i = 0; i < dimension_; ++i) u_[dimension_ * a + i] = u[i];
  const bool looks_at_sign = law.activation == Activation::gap_and_velocity ||
                             law.activation == Activation::predicted_gap_and_velocity;
  law_u_N_[a] = u[0];
  if (law.activation == Activation::dissipative) law_u_N_[a] = std::min(u[0], 0.0);
  if (looks_at_sign && memory_.was_closed[static_cast<std::size_t>(a)])
    law_u_N_[a] = memory_.u_N[a];
  if (is_active(law, gap, u[0], law_u_N_[a], h)) active_.push_back(a);
}

void ActiveSet::remember(const Eigen::VectorXd& p) {
  assert(p.size() == u_.size());
  for (int a = 0; a < static_cast<int>(laws_.size()); ++a) {
    memory_.was_closed[static_cast<std::size_t>(a)] = p[dimension_ * a] > 0.0;
    memory_.u_N[a] = -laws_[static_cast<std::size_t>(a)].restitution * law_u_N_[a];
  }
}

}  // namespace slipwave::dynamics
