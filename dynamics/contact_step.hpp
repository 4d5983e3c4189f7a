#pragma once

#include "contact/solvers/solver.hpp"
#include "dynamics/active_set.hpp"
#include "dynamics/state.hpp"
#include "dynamics/system.hpp"

#include <Eigen/Core>
#include <vector>

namespace slipwave::dynamics {

/// What the contacts did in a step.
struct ContactFigures {
  int open = 0, sticking = 0, sliding = 0;  ///< contacts by status
  double max_tangential_work = 0.0;         ///< largest positive w_T over the contacts, 0 if none
  double min_tangential_work = 0.0;         ///< most negative w_T
  double max_normal_work = 0.0;             ///< largest positive w_N
  double penetration = 0.0;                 ///< deepest −g(q_{k+1}), 0 if none
};

/// What contacts carry from step to step.
struct ContactMemory {
  contact::SequenceMemory sequence;
  ActivationMemory activation;
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
  ContactStep(std::vector<ContactLaw> laws, const Eigen::MatrixXd& W_v, const LawWeights& weights,
              const contact::SolverOptions& solver);
  /// The contacts of a system.
  ContactStep(const System& system, const Eigen::MatrixXd& W_v, const LawWeights& weights,
              const contact::SolverOptions& solver);

  /// Takes over what is remembered from step to step, but for what belongs to the other's W.
  void continue_from(const ContactStep& other);
  ContactMemory memory() const;
  /// Goes on after the step whose memory this is, to the last bit. The sizes must be those of these
  /// contacts.
  void restore(const ContactMemory& memory);
  /// Where the configuration changes W_v and friction: for steps from now on. The methods that keep
  /// a factor of W must not be used then.
  void change(const Eigen::MatrixXd& W_v, const Eigen::VectorXd& mu);

  /// Finds the active contacts of a step of size h from gap(a) and velocity(a), g and u_k of
  /// contact a.
  template <class Gap, class Velocity>
  void begin(const Gap& gap, const Velocity& velocity, double h);
  /// The same for the nodes of a system.
  void begin(const System& system, const State& state, double h);
  /// Forms b, with du_free(a) the increment H Δv_free of contact a in its frame.
  template <class Increment>
  void form_problem(const Increment& du_free);
  /// The same with dv_free(a) the two components of Δv_free at the node of contact a.
  template <class Increment>
  void form_problem(const System& system, const Increment& dv_free);
  /// Instead: every contact with w_N = g/h at a position, the velocity that would close its gap.
  void form_position_problem(const System& system, const Eigen::VectorXd& q, double h);
  contact::SolverReport solve();
  /// Takes velocity(a) and gap(a): the contact velocity at which its impulse does work, and the gap
  /// it is left with.
  template <class Gap, class Velocity>
  void finish(const Gap& gap, const Velocity& velocity);
  /// The same for the nodes of a system, H v at v = v_{k+1} − back Δv.
  void finish(const System& system, const State& state, const Eigen::VectorXd& dv, double back);
  ContactFigures figures() const;
  /// Adds the works of all contacts, u·p.
  void add_works(double& normal, double& tangential) const;

  /// Calls add(a, Nᵀp of contact a) for the active contacts.
  template <class Add>
  void for_each_impulse(const System& system, const Add& add) const;

  const contact::DenseBand& W() const { return problem_.W; }
  const contact::Problem& problem() const { return problem_; }
  const contact::Solution& solution() const { return solution_; }
  /// The velocities of finish(), two per contact.
  const Eigen::VectorXd& u() const { return u_; }
  const Eigen::VectorXd& gap() const { return gap_; }  ///< of finish()
  int contact_count() const { return static_cast<int>(gap_.size()); }

 private:
  void add_restitution();

  Eigen::VectorXd weight_;    // ϑ per contact
  Eigen::MatrixXd weighted_;  // W of change(), empty without
  contact::Problem problem_;
  contact::Solver solver_;
  contact::Solution solution_;
  ActiveSet active_set_;
  Eigen::VectorXd u_, gap_;
};

template <class Gap, class Velocity>
void ContactStep::begin(const Gap& gap, const Velocity& velocity, double h) {
  active_set_.update(gap, velocity, h);
}

template <class Increment>
void ContactStep::form_problem(const Increment& du_free) {
  for (int a = 0; a < contact_count(); ++a) problem_.b.segment<2>(2 * a) = weight_[a] * du_free(a);
  add_restitution();
}

template <class Increment>
void ContactStep::form_problem(const System& system, const Increment& dv_free) {
  form_problem([&](int a) -> Eigen::Vector2d {
    return system.contacts[static_cast<std::size_t>(a)].frame * dv_free(a);
  });
}

template <class Gap, class Velocity>
void ContactStep::finish(const Gap& gap, const Velocity& velocity) {
  for (int a = 0; a < contact_count(); ++a) {
    u_.segment<2>(2 * a) = velocity(a);
    gap_[a] = gap(a);
  }
}

template <class Add>
void ContactStep::for_each_impulse(const System& system, const Add& add) const {
  for (const int a : problem_.active) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(a)];
    add(contact, contact.frame.transpose() * solution_.p.segment<2>(2 * a));
  }
}

}  // namespace slipwave::dynamics
