#pragma once

#include "contact/solvers/solver_on.hpp"
#include "dynamics/step_contacts.hpp"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace slipwave::dynamics {

/// The contact part of a step of bodies that contacts alone couple, with other contacts in every
/// step: see ContactStep. W is never formed, and not weighted either: the contact's law is the same
/// for any positive multiple of what it sees, so that here
///     W = H M⁻¹ Hᵀ,   b = u_k/ϑ + H Δv_free + ((ϑ(1+e) − 1) u_{N,k}, e_T u_{T,k})/ϑ.
class BodyContactStep : public StepContacts {
 public:
  /// Without contacts, for bodies with these M.
  BodyContactStep(const std::vector<Eigen::MatrixXd>& M, const LawWeights& weights,
                  const contact::SolverOptions& solver);

  ContactMemory memory() const override;
  /// Waits for the contacts of the next step.
  void restore(const ContactMemory& memory) override;
  /// The contacts of a step of size h, with W once add_to(W) has added them, g and u_k of each.
  /// What stays remembers what it did.
  template <class AddTo, class Gap, class Velocity>
  void begin(const std::vector<StepContact>& contacts, const AddTo& add_to, const Gap& gap,
             const Velocity& velocity, double h);
  /// Forms b, with du_free(a) the increment H Δv_free of contact a in its frame.
  template <class Increment>
  void form_problem(const Increment& du_free);
  contact::SolverReport solve();
  /// Certifies the present impulses for the present b.
  contact::Residual certify();
  double tolerance() const { return options_.tolerance; }

  const contact::BodyProblem& problem() const { return problem_; }
  StepProblem problem_of_step() const override { return &problem_; }

 private:
  void replace(const std::vector<StepContact>& contacts);
  void prepare_solver();
  void add_law(int contact);

  LawWeights weights_;
  contact::SolverOptions options_;
  Eigen::VectorXd weight_;  // ϑ per contact
  contact::BodyProblem problem_;
  contact::BodyDelassus pattern_;  // of the solver's W
  std::optional<contact::SolverOn<contact::BodyDelassus>> solver_;
};

template <class AddTo, class Gap, class Velocity>
void BodyContactStep::begin(const std::vector<StepContact>& contacts, const AddTo& add_to,
                            const Gap& gap, const Velocity& velocity, double h) {
  replace(contacts);
  problem_.W.clear_contacts();
  add_to(problem_.W);
  prepare_solver();
  find_active(gap, velocity, h);
  friction_.update(problem_.mu);
}

template <class Increment>
void BodyContactStep::form_problem(const Increment& du_free) {
  for (int a = 0; a < contact_count(); ++a) {
    problem_.b.segment<3>(3 * a) = du_free(a);
    add_law(a);
  }
  problem_.active = active_set_.active();
}

}  // namespace slipwave::dynamics
