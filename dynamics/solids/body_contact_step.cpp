#include "dynamics/solids/body_contact_step.hpp"

#include <cassert>
#include <utility>

namespace slipwave::dynamics {

BodyContactStep::BodyContactStep(const std::vector<Eigen::MatrixXd>& M, const LawWeights& weights,
                                 const contact::SolverOptions& solver)
    : StepContacts({}, 3),
      weights_(weights),
      options_(solver),
      problem_{contact::BodyDelassus(3, M), {}, {}, {}},
      pattern_(problem_.W) {}

ContactMemory BodyContactStep::memory() const { return memory_of_contacts(); }

void BodyContactStep::restore(const ContactMemory& memory) {
  std::vector<StepContact> contacts;
  for (const contact::Key key : memory.keys) contacts.push_back({key, {}});
  set_contacts(contacts);
  restore_contacts(memory);
}

/// Laws and memory of the contacts of the next step.
void BodyContactStep::replace(const std::vector<StepContact>& contacts) {
  const ContactMemory before = memory_of_contacts();
  set_contacts(contacts);
  restore_contacts(before);
  weight_ = weights_of(contacts, weights_);
  problem_.b.setZero(3 * contact_count());
  problem_.mu = friction_.frictions();
}

/// A solver knows the pattern of its W, and is kept while that stays.
void BodyContactStep::prepare_solver() {
  assert(problem_.W.contact_count() == contact_count());
  if (solver_ && problem_.W.has_pattern_of(pattern_)) return;
  pattern_ = problem_.W;
  solver_.emplace(problem_.W, options_);
}

void BodyContactStep::add_law(int a) {
  const ContactLaw& law = active_set_.laws()[static_cast<std::size_t>(a)];
  const Eigen::Vector3d u = active_set_.u().segment<3>(3 * a);
  const double theta = weight_[a];
  problem_.b.segment<3>(3 * a) += u / theta;
  problem_.b[3 * a] += ((1.0 + law.restitution) - 1.0 / theta) * active_set_.law_u_N()[a];
  if (theta == 1.0) problem_.b.segment<2>(3 * a + 1) += law.tangential_restitution * u.tail<2>();
}

contact::SolverReport BodyContactStep::solve() {
  const contact::SolverReport report = solver_->solve(problem_, solution_);
  active_set_.remember(solution_.p);
  return report;
}

contact::Residual BodyContactStep::certify() {
  return contact::certify(problem_, options_.tolerance, solution_);
}

}  // namespace slipwave::dynamics
