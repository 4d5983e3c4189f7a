#pragma once

#include "dynamics/state.hpp"
#include "dynamics/step_contacts.hpp"
#include "dynamics/system.hpp"

#include <Eigen/Core>
#include <cassert>
#include <vector>

namespace slipwave::dynamics {

/// The contacts of a system.
std::vector<StepContact> step_contacts(const System& system);

/// The contact part of a step, the same for every scheme: which contacts take part, what their law
/// sees, the solution, what they did.
///
/// A scheme says how the velocity answers to impulses, H Δv = H Δv_free + W_v p, and with which
/// weight ϑ a contact's law sees Δv = v_{k+1} − v_k: 1 for Newton's on u_{k+1}, less for Frémond's
/// on u_{k+ϑ}. Then the contact's rows of W are ϑ times those of W_v, and
///     b = u_k + ϑ H Δv_free + ((ϑ(1+e) − 1) u_{N,k}, e_T u_{T,k}),
/// the tangential restitution e_T of (58) being Newton's law's only.
class ContactStep : public StepContacts {
 public:
  /// W_v in the local frames, with d rows per contact. No two contacts may have the same key.
  ContactStep(const std::vector<StepContact>& contacts, const Eigen::MatrixXd& W_v,
              const LawWeights& weights, const contact::SolverOptions& solver, int dimension = 2);
  /// The contacts of a system.
  ContactStep(const System& system, const Eigen::MatrixXd& W_v, const LawWeights& weights,
              const contact::SolverOptions& solver);

  ContactMemory memory() const override;
  void restore(const ContactMemory& memory) override;
  /// Other contacts for the steps from now on, with their W_v: those that stay remember what they
  /// did. Allocates.
  void replace(const std::vector<StepContact>& contacts, const Eigen::MatrixXd& W_v);
  /// Where the configuration changes W_v and friction: for steps from now on. The methods that keep
  /// a factor of W must not be used then.
  void change(const Eigen::MatrixXd& W_v, const Eigen::VectorXd& mu);

  /// Finds the active contacts of a step of size h from gap(a) and velocity(a), g and u_k of
  /// contact a.
  template <class Gap, class Velocity>
  void begin(const Gap& gap, const Velocity& velocity, double h);
  /// The same for the contacts of a system.
  void begin(const System& system, const State& state, double h);
  /// Forms b, with du_free(a) the increment H Δv_free of contact a in its frame.
  template <class Increment>
  void form_problem(const Increment& du_free);
  /// The same from Δv_free, a vector over the dofs or an expression of them.
  template <class Increment>
  void form_problem(const System& system, const Eigen::MatrixBase<Increment>& dv_free);
  /// Instead: every contact with w_N = g/h at a position, the velocity that would close its gap.
  void form_position_problem(const System& system, const Eigen::VectorXd& q, double h);
  contact::SolverReport solve();
  using StepContacts::finish;
  /// The same for the contacts of a system, H v at v = v_{k+1} − back Δv.
  void finish(const System& system, const State& state, const Eigen::VectorXd& dv, double back);

  /// F += Hᵀp of the active contacts.
  void add_impulses(const contact::Jacobian& H, Eigen::VectorXd& F) const;

  const contact::DenseBand& W() const { return problem_.W; }
  const contact::Problem& problem() const { return problem_; }
  StepProblem problem_of_step() const override { return &problem_; }

 private:
  void add_restitution();

  LawWeights weights_;
  Eigen::VectorXd weight_;    // ϑ per contact
  Eigen::MatrixXd weighted_;  // W of change(), empty without
  contact::Problem problem_;
  contact::Solver solver_;
};

template <class Gap, class Velocity>
void ContactStep::begin(const Gap& gap, const Velocity& velocity, double h) {
  find_active(gap, velocity, h);
  friction_.update(problem_.mu);
}

template <class Increment>
void ContactStep::form_problem(const Increment& du_free) {
  const int d = dimension();
  for (int a = 0; a < contact_count(); ++a) {
    const auto du = du_free(a);
    for (int i = 0; i < d; ++i) problem_.b[d * a + i] = weight_[a] * du[i];
  }
  add_restitution();
}

template <class Increment>
void ContactStep::form_problem(const System& system, const Eigen::MatrixBase<Increment>& dv_free) {
  assert(system.contact_count() == contact_count() && dv_free.size() == system.dof_count());
  form_problem([&](int a) { return system.H.times(a, dv_free); });
}

}  // namespace slipwave::dynamics
