#pragma once

#include "contact/solvers/solver.hpp"
#include "dynamics/active_set.hpp"
#include "dynamics/state.hpp"
#include "dynamics/system.hpp"

#include <Eigen/Core>
#include <cassert>
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
  contact::LawColumns laws{};        ///< what friction laws remember, by name
  std::vector<contact::Key> keys{};  ///< whose memory this is; empty: all contacts, in their order
};

/// A contact as a step sees it, whatever touches what.
struct StepContact {
  contact::Key key = 0;
  ContactLaw law;
};

/// The contacts of a system.
std::vector<StepContact> step_contacts(const System& system);

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
  /// W_v in the local frames, with d rows per contact. No two contacts may have the same key.
  ContactStep(const std::vector<StepContact>& contacts, const Eigen::MatrixXd& W_v,
              const LawWeights& weights, const contact::SolverOptions& solver, int dimension = 2);
  /// The contacts of a system.
  ContactStep(const System& system, const Eigen::MatrixXd& W_v, const LawWeights& weights,
              const contact::SolverOptions& solver);

  /// Takes over what is remembered from step to step, but for what belongs to the other's W.
  void continue_from(const ContactStep& other);
  ContactMemory memory() const;
  /// Goes on after the step whose memory this is. To the last bit if it is of the same contacts in
  /// the same order; otherwise each contact has what its key remembers, and starts anew if it has
  /// none.
  void restore(const ContactMemory& memory);
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
  /// Takes velocity(a) and gap(a): the contact velocity at which its impulse does work, and the gap
  /// it is left with.
  template <class Gap, class Velocity>
  void finish(const Gap& gap, const Velocity& velocity);
  /// The same for the contacts of a system, H v at v = v_{k+1} − back Δv.
  void finish(const System& system, const State& state, const Eigen::VectorXd& dv, double back);
  ContactFigures figures() const;
  /// Adds the works of all contacts, u·p.
  void add_works(double& normal, double& tangential) const;

  /// F += Hᵀp of the active contacts.
  void add_impulses(const contact::Jacobian& H, Eigen::VectorXd& F) const;

  const contact::DenseBand& W() const { return problem_.W; }
  const contact::Problem& problem() const { return problem_; }
  const contact::Solution& solution() const { return solution_; }
  /// The velocities of finish(), d per contact.
  const Eigen::VectorXd& u() const { return u_; }
  const Eigen::VectorXd& gap() const { return gap_; }  ///< of finish()
  const std::vector<contact::Key>& keys() const { return keys_; }
  int contact_count() const { return static_cast<int>(gap_.size()); }
  int dimension() const { return problem_.dimension(); }  ///< d

 private:
  void begin_friction(double h);
  void finish_friction();
  void add_restitution();
  void restore_by_key(const ContactMemory& memory);

  std::vector<contact::Key> keys_;
  LawWeights weights_;
  Eigen::VectorXd weight_;    // ϑ per contact
  Eigen::MatrixXd weighted_;  // W of change(), empty without
  contact::Problem problem_;
  contact::Solver solver_;
  contact::Solution solution_;
  ActiveSet active_set_;
  contact::FrictionStates friction_;
  double h_ = 0.0;  // of the step
  Eigen::VectorXd u_, gap_;
};

template <class Gap, class Velocity>
void ContactStep::begin(const Gap& gap, const Velocity& velocity, double h) {
  active_set_.update(gap, velocity, h);
  begin_friction(h);
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

template <class Gap, class Velocity>
void ContactStep::finish(const Gap& gap, const Velocity& velocity) {
  const int d = dimension();
  for (int a = 0; a < contact_count(); ++a) {
    const auto u = velocity(a);
    for (int i = 0; i < d; ++i) u_[d * a + i] = u[i];
    gap_[a] = gap(a);
  }
  finish_friction();
}

}  // namespace slipwave::dynamics
