#pragma once

#include "contact/solver.hpp"
#include "dynamics/active_set.hpp"
#include "dynamics/state.hpp"
#include "dynamics/system.hpp"

#include <Eigen/Core>

namespace slipwave::dynamics {

/// What the contacts did in a step.
struct ContactFigures {
  int open = 0, sticking = 0, sliding = 0;  ///< contacts by status
  double max_tangential_work = 0.0;         ///< largest positive w_T over the contacts, 0 if none
  double min_tangential_work = 0.0;         ///< most negative w_T
  double max_normal_work = 0.0;             ///< largest positive w_N
  double penetration = 0.0;                 ///< deepest −g(q_{k+1}), 0 if none
};

/// The weights ϑ of a scheme: of the law it is named after, and of Frémond's.
struct LawWeights {
  double of_scheme, fremond;
};

/// The contact part of a step, the same for every scheme: which contacts take part, what their law
/// sees, the solution, what they did.
///
/// A scheme says how the velocity answers to impulses, H Δv = H Δv_free + W_v p, and with which
/// weight ϑ a contact's law sees Δv = v_{k+1} − v_k: 1 for Newton's on u_{k+1}, less for Frémond's
/// on u_{k+ϑ}. Then the contact's rows of W are ϑ times those of W_v, and
///     b = u_k + ϑ H Δv_free + ((ϑ(1+e) − 1) u_{N,k}, e_T u_{T,k}),
/// the tangential restitution e_T of (58) being Newton's law's only.
class ContactStep {
 public:
  /// W_v in the local frames.
  ContactStep(const System& system, const Eigen::MatrixXd& W_v, const LawWeights& weights,
              const contact::SolverOptions& solver);
  ContactStep(const ContactStep&) = delete;  // problem_ refers to W_
  ContactStep& operator=(const ContactStep&) = delete;

  /// Takes over what is remembered from step to step.
  void continue_from(const ContactStep& other);
  /// Finds the active contacts of the step of size h that starts from `state`.
  void begin(const System& system, const State& state, double h);
  /// Forms b, with dv_free(a) the two components of Δv_free at the node of contact a.
  template <class Increment>
  void form_problem(const System& system, const Increment& dv_free);
  /// Instead: every contact with w_N = g/h at a position, the velocity that would close its gap.
  void form_position_problem(const System& system, const Eigen::VectorXd& q, double h);
  contact::SolverReport solve(const System& system);
  /// Contact velocities H v at v = v_{k+1} − back Δv, at which the impulses do work, and gaps.
  void finish(const System& system, const State& state, const Eigen::VectorXd& dv, double back);
  ContactFigures figures() const;
  /// Adds the works of all contacts, u·p.
  void add_works(double& normal, double& tangential) const;

  /// Calls add(a, Nᵀp of contact a) for the active contacts.
  template <class Add>
  void for_each_impulse(const System& system, const Add& add) const;

  const contact::NodalDelassus& W() const { return W_; }
  const contact::Problem& problem() const { return problem_; }
  const contact::Solution& solution() const { return solution_; }
  /// The velocities of finish(), two per contact.
  const Eigen::VectorXd& u() const { return u_; }

 private:
  Eigen::VectorXd weight_;  // ϑ per contact
  contact::NodalDelassus W_;
  ActiveSet active_set_;
  contact::Problem problem_;
  contact::Solver solver_;
  contact::Solution solution_;
  Eigen::VectorXd u_, gap_;
};

template <class Increment>
void ContactStep::form_problem(const System& system, const Increment& dv_free) {
  for (int a = 0; a < system.contact_count(); ++a) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(a)];
    const Eigen::Vector2d u = active_set_.u().segment<2>(2 * a);
    problem_.b.segment<2>(2 * a) = u + weight_[a] * (contact.frame * dv_free(a));
    problem_.b[2 * a] +=
        (weight_[a] * (1.0 + contact.restitution) - 1.0) * active_set_.law_u_N()[a];
    if (weight_[a] == 1.0) problem_.b[2 * a + 1] += contact.tangential_restitution * u[1];
  }
  problem_.active = active_set_.active();
}

template <class Add>
void ContactStep::for_each_impulse(const System& system, const Add& add) const {
  for (const int a : problem_.active) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(a)];
    add(contact, contact.frame.transpose() * solution_.p.segment<2>(2 * a));
  }
}

}  // namespace slipwave::dynamics
