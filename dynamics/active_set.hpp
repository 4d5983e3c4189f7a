#pragma once

#include "dynamics/state.hpp"
#include "dynamics/system.hpp"

#include <Eigen/Core>
#include <cassert>
#include <vector>

namespace slipwave::dynamics {

/// What the activation rules carry from step to step, per contact.
struct ActivationMemory {
  Eigen::VectorXd u_N;           ///< −e u_{N,k−1}
  std::vector<char> was_closed;  ///< whether the contact pushed in the last step
};

/// Which contacts take part in a step, and the normal velocity their impact law starts from
/// (docs/theory.md section 7).
class ActiveSet {
 public:
  /// One law per contact, d components of velocity each.
  explicit ActiveSet(std::vector<ContactLaw> laws, int dimension = 2);

  /// Finds the active contacts from gap(a) and velocity(a), g and u of contact a at
  /// the beginning of a step of size h.
  template <class Gap, class Velocity>
  void update(const Gap& gap, const Velocity& velocity, double h);
  /// The same for the contacts of a system.
  void update(const System& system, const State& state, double h);
  /// Remembers which contacts pushed in the step just solved: their next u_N is the law's own
  /// value.
  void remember(const Eigen::VectorXd& p);

  const ActivationMemory& memory() const { return memory_; }
  /// Goes on after the step whose memory this is.
  void restore(const ActivationMemory& memory) {
    assert(memory.u_N.size() == law_u_N_.size() && memory.was_closed.size() == laws_.size());
    memory_ = memory;
  }

  const std::vector<ContactLaw>& laws() const { return laws_; }
  const std::vector<int>& active() const { return active_; }
  const Eigen::VectorXd& u() const { return u_; }  ///< H v_k, d per contact
  /// u_{N,k} as the shift of b uses it: min(u_N, 0) for `dissipative`, the law's −e u_{N,k−1} after
  /// a closed step for the rules that look at its sign, and H v_k otherwise.
  const Eigen::VectorXd& law_u_N() const { return law_u_N_; }

 private:
  void update_one(int a, double gap, const double* u, double h);

  std::vector<ContactLaw> laws_;
  int dimension_;
  Eigen::VectorXd u_, law_u_N_;
  ActivationMemory memory_;
  std::vector<int> active_;
};

template <class Gap, class Velocity>
void ActiveSet::update(const Gap& gap, const Velocity& velocity, double h) {
  active_.clear();
  for (int a = 0; a < static_cast<int>(laws_.size()); ++a) {
    const auto u = velocity(a);
    update_one(a, gap(a), u.data(), h);
  }
}

}  // namespace slipwave::dynamics
