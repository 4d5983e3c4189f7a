#pragma once

#include "contact/problem.hpp"
#include "contact/solvers/solver.hpp"
#include "dynamics/active_set.hpp"

#include <Eigen/Core>
#include <variant>
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

/// The weights ϑ of a scheme: of the law it is named after, and of Frémond's.
struct LawWeights {
  double of_scheme, fremond;
};

/// The problem of a step, owned by whoever gives it.
using StepProblem = std::variant<const contact::Problem*, const contact::BodyProblem*>;
/// What belongs to one contact of it: d numbers, and d x d.
using LocalB = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
using OwnW = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

/// The laws of contacts.
std::vector<ContactLaw> laws_of(const std::vector<StepContact>& contacts);
/// The weights ϑ that these have.
Eigen::VectorXd weights_of(const std::vector<StepContact>& contacts, const LawWeights& weights);

/// The contacts of a step, whatever W they have: which take part, what their laws see and remember,
/// what they did.
class StepContacts {
 public:
  virtual ~StepContacts() = default;

  int contact_count() const { return static_cast<int>(gap_.size()); }
  int dimension() const { return dimension_; }  ///< d
  const std::vector<contact::Key>& keys() const { return keys_; }
  const contact::Solution& solution() const { return solution_; }
  /// The velocities at which impulses do work, d per contact.
  const Eigen::VectorXd& u() const { return u_; }
  const Eigen::VectorXd& gap() const { return gap_; }  ///< at the end of the step
  ContactFigures figures() const;
  /// Adds the works of all contacts, u·p.
  void add_works(double& normal, double& tangential) const;

  /// The contact problem of the step, with the W that it has.
  virtual StepProblem problem_of_step() const = 0;
  /// Of that problem: the contacts that take part, and of a contact μ, b and W_aa.
  const std::vector<int>& active() const;
  double mu(int contact) const;
  LocalB b(int contact) const;
  OwnW own_W(int contact) const;
  /// The active contact whose impulse is farthest from its law, in the scaled natural map.
  int worst() const;

  virtual ContactMemory memory() const = 0;
  /// Goes on after the step whose memory this is. To the last bit if it is of the same contacts in
  /// the same order; otherwise each contact has what its key remembers, and starts anew if it has
  /// none.
  virtual void restore(const ContactMemory& memory) = 0;
  /// Takes over what is remembered from step to step, but for what belongs to the other's W.
  void continue_from(const StepContacts& other);

  /// Takes velocity(a) and gap(a): the contact velocity at which its impulse does work, and the gap
  /// it is left with.
  template <class Gap, class Velocity>
  void finish(const Gap& gap, const Velocity& velocity);

 protected:
  StepContacts(const std::vector<StepContact>& contacts, int dimension);
  /// Other contacts, which remember nothing.
  void set_contacts(const std::vector<StepContact>& contacts);
  StepContacts(const StepContacts&) = default;
  StepContacts& operator=(const StepContacts&) = default;
  StepContacts(StepContacts&&) = default;
  StepContacts& operator=(StepContacts&&) = default;

  /// The active contacts of a step of size h, from g and u_k of each.
  template <class Gap, class Velocity>
  void find_active(const Gap& gap, const Velocity& velocity, double h);
  /// What is remembered, but for the solver's own.
  ContactMemory memory_of_contacts() const;
  /// The same in the other direction; whether the list of contacts is the same.
  bool restore_contacts(const ContactMemory& memory);

  std::vector<contact::Key> keys_;
  contact::Solution solution_;
  ActiveSet active_set_;
  contact::FrictionStates friction_;

 private:
  void restore_by_key(const ContactMemory& memory);
  void finish_friction();

  double h_ = 0.0;  // of the step
  int dimension_;
  Eigen::VectorXd u_, gap_;
};

template <class Gap, class Velocity>
void StepContacts::find_active(const Gap& gap, const Velocity& velocity, double h) {
  h_ = h;
  active_set_.update(gap, velocity, h);
}

template <class Gap, class Velocity>
void StepContacts::finish(const Gap& gap, const Velocity& velocity) {
  const int d = dimension();
  for (int a = 0; a < contact_count(); ++a) {
    const auto u = velocity(a);
    for (int i = 0; i < d; ++i) u_[d * a + i] = u[i];
    gap_[a] = gap(a);
  }
  finish_friction();
}

}  // namespace slipwave::dynamics
