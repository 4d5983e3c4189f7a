#include "dynamics/contact_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace slipwave::dynamics {

namespace {

void scale_rows(const Eigen::VectorXd& weight, int d, Eigen::MatrixXd& W) {
  for (int a = 0; a < weight.size(); ++a) W.middleRows(d * a, d) *= weight[a];
}

contact::DenseBand scaled(Eigen::MatrixXd W, const Eigen::VectorXd& weight, int d) {
  assert(W.rows() == d * weight.size() && W.cols() == W.rows());
  scale_rows(weight, d, W);
  return contact::DenseBand(std::move(W), d);
}

}  // namespace

std::vector<StepContact> step_contacts(const System& system) {
  if (system.H.contact_count() != system.contact_count())
    throw std::invalid_argument(
        fmt::format("the system has {} contacts and rows of H for {}; add them with add_contact()",
                    system.contact_count(), system.H.contact_count()));
  std::vector<StepContact> contacts;
  for (const ContactPoint& contact : system.contacts)
    contacts.push_back({contact.key.value(), contact.law});
  return contacts;
}

ContactStep::ContactStep(const std::vector<StepContact>& contacts, const Eigen::MatrixXd& W_v,
                         const LawWeights& weights, const contact::SolverOptions& solver,
                         int dimension)
    : StepContacts(contacts, dimension),
      weights_(weights),
      weight_(weights_of(contacts, weights)),
      problem_{scaled(W_v, weight_, dimension),
               Eigen::VectorXd::Zero(W_v.rows()),
               friction_.frictions(),
               {}},
      solver_(problem_.W, solver) {
  problem_.active.reserve(contacts.size());
}

ContactStep::ContactStep(const System& system, const Eigen::MatrixXd& W_v,
                         const LawWeights& weights, const contact::SolverOptions& solver)
    : ContactStep(step_contacts(system), W_v, weights, solver, system.H.dimension()) {}

ContactMemory ContactStep::memory() const {
  ContactMemory memory = memory_of_contacts();
  memory.sequence.solver = solver_.memory();
  return memory;
}

void ContactStep::restore(const ContactMemory& memory) {
  const bool same = restore_contacts(memory);
  solver_.restore(problem_, same ? memory.sequence.solver : contact::SolverMemory{});
}

void ContactStep::replace(const std::vector<StepContact>& contacts, const Eigen::MatrixXd& W_v) {
  const ContactMemory before = memory();
  *this = ContactStep(contacts, W_v, weights_, solver_.options(), dimension());
  restore_contacts(before);
  solver_.restore(problem_, {});
}

void ContactStep::change(const Eigen::MatrixXd& W_v, const Eigen::VectorXd& mu) {
  assert(W_v.rows() == problem_.b.size() && mu.size() == contact_count());
  weighted_ = W_v;
  scale_rows(weight_, dimension(), weighted_);
  problem_.W.assign(weighted_);
  problem_.mu = mu;
}

void ContactStep::begin(const System& system, const State& state, double h) {
  assert(system.contact_count() == contact_count());
  assert(state.q.size() == system.dof_count() && state.v.size() == system.dof_count());
  begin([&](int a) { return system.gap(a, state.q); },
        [&](int a) { return system.H.times(a, state.v); }, h);
}

/// u_k and what the impact law adds, to ϑ H Δv_free.
void ContactStep::add_restitution() {
  const int d = dimension();
  for (int a = 0; a < contact_count(); ++a) {
    const ContactLaw& law = active_set_.laws()[static_cast<std::size_t>(a)];
    const double* u = active_set_.u().data() + d * a;
    for (int i = 0; i < d; ++i) problem_.b[d * a + i] += u[i];
    problem_.b[d * a] += (weight_[a] * (1.0 + law.restitution) - 1.0) * active_set_.law_u_N()[a];
    if (weight_[a] != 1.0) continue;
    for (int i = 1; i < d; ++i) problem_.b[d * a + i] += law.tangential_restitution * u[i];
  }
  problem_.active = active_set_.active();
}

void ContactStep::form_position_problem(const System& system, const Eigen::VectorXd& q, double h) {
  assert(h > 0.0 && q.size() == system.dof_count());
  problem_.active.clear();
  problem_.b.setZero();
  for (int a = 0; a < contact_count(); ++a) {
    problem_.b[dimension() * a] = system.gap(a, q) / h;
    problem_.active.push_back(a);
  }
}

contact::SolverReport ContactStep::solve() {
  const contact::SolverReport report = solver_.solve(problem_, solution_);
  active_set_.remember(solution_.p);
  return report;
}

void ContactStep::finish(const System& system, const State& state, const Eigen::VectorXd& dv,
                         double back) {
  assert(system.contact_count() == contact_count() && dv.size() == system.dof_count());
  finish([&](int a) { return system.gap(a, state.q); },
         [&](int a) { return system.H.times(a, state.v - back * dv); });
}

void ContactStep::add_impulses(const contact::Jacobian& H, Eigen::VectorXd& F) const {
  assert(H.contact_count() == contact_count());
  for (const int a : problem_.active)
    H.add_transposed(a, solution_.p.segment(dimension() * a, dimension()), F);
}

}  // namespace slipwave::dynamics
