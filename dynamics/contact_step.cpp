#include "dynamics/contact_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace slipwave::dynamics {

namespace {

std::vector<ContactLaw> laws_of(const std::vector<StepContact>& contacts) {
  std::vector<ContactLaw> laws;
  for (const StepContact& contact : contacts) laws.push_back(contact.law);
  return laws;
}

std::vector<contact::Key> keys_of(const std::vector<StepContact>& contacts) {
  std::vector<contact::Key> keys;
  for (const StepContact& contact : contacts) keys.push_back(contact.key);
  return keys;
}

std::vector<contact::FrictionLaw> friction_laws_of(const std::vector<StepContact>& contacts) {
  std::vector<contact::FrictionLaw> laws;
  for (const StepContact& contact : contacts) laws.push_back(contact.law.friction);
  return laws;
}

Eigen::VectorXd weights_of(const std::vector<StepContact>& contacts, const LawWeights& weights) {
  Eigen::VectorXd result(static_cast<Eigen::Index>(contacts.size()));
  std::transform(contacts.begin(), contacts.end(), result.begin(), [&](const StepContact& contact) {
    return contact.law.impact == ImpactLaw::newton    ? 1.0
           : contact.law.impact == ImpactLaw::fremond ? weights.fremond
                                                      : weights.of_scheme;
  });
  return result;
}

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
    : keys_(keys_of(contacts)),
      weights_(weights),
      weight_(weights_of(contacts, weights)),
      problem_{scaled(W_v, weight_, dimension),
               Eigen::VectorXd::Zero(W_v.rows()),
               contact::FrictionStates(friction_laws_of(contacts)).frictions(),
               {}},
      solver_(problem_.W, solver),
      solution_(static_cast<int>(contacts.size()), dimension),
      active_set_(laws_of(contacts), dimension),
      friction_(friction_laws_of(contacts)),
      u_(Eigen::VectorXd::Zero(W_v.rows())),
      gap_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(contacts.size()))) {
  assert(std::set(keys_.begin(), keys_.end()).size() == keys_.size());
  problem_.active.reserve(contacts.size());
}

ContactStep::ContactStep(const System& system, const Eigen::MatrixXd& W_v,
                         const LawWeights& weights, const contact::SolverOptions& solver)
    : ContactStep(step_contacts(system), W_v, weights, solver, system.H.dimension()) {}

void ContactStep::continue_from(const ContactStep& other) {
  ContactMemory memory = other.memory();
  memory.sequence.solver = {};
  restore(memory);
}

ContactMemory ContactStep::memory() const {
  return {{solution_, solver_.memory()}, active_set_.memory(), friction_.columns(), keys_};
}

void ContactStep::restore(const ContactMemory& memory) {
  if (!memory.keys.empty() && memory.keys != keys_) return restore_by_key(memory);
  assert(memory.sequence.solution.p.size() == solution_.p.size());
  solution_ = memory.sequence.solution;
  solver_.restore(problem_, memory.sequence.solver);
  active_set_.restore(memory.activation);
  friction_.restore(memory.laws, [](int a) { return a; });
}

void ContactStep::restore_by_key(const ContactMemory& memory) {
  const int d = dimension();
  const contact::Solution& before = memory.sequence.solution;
  assert(before.p.size() == d * static_cast<Eigen::Index>(memory.keys.size()));
  std::map<contact::Key, int> place;
  for (std::size_t k = 0; k < memory.keys.size(); ++k) place[memory.keys[k]] = static_cast<int>(k);
  solution_ = contact::Solution(contact_count(), d);
  ActivationMemory activation{Eigen::VectorXd::Zero(contact_count()),
                              std::vector<char>(keys_.size(), 0)};
  for (int a = 0; a < contact_count(); ++a) {
    const auto found = place.find(keys_[static_cast<std::size_t>(a)]);
    if (found == place.end()) continue;
    const int b = found->second;
    solution_.p.segment(d * a, d) = before.p.segment(d * b, d);
    solution_.w.segment(d * a, d) = before.w.segment(d * b, d);
    solution_.status[static_cast<std::size_t>(a)] = before.status[static_cast<std::size_t>(b)];
    activation.u_N[a] = memory.activation.u_N[b];
    activation.was_closed[static_cast<std::size_t>(a)] =
        memory.activation.was_closed[static_cast<std::size_t>(b)];
  }
  solver_.restore(problem_, {});
  active_set_.restore(activation);
  friction_.restore(memory.laws, [&](int a) {
    const auto found = place.find(keys_[static_cast<std::size_t>(a)]);
    return found == place.end() ? -1 : found->second;
  });
}

void ContactStep::replace(const std::vector<StepContact>& contacts, const Eigen::MatrixXd& W_v) {
  const ContactMemory before = memory();
  *this = ContactStep(contacts, W_v, weights_, solver_.options(), dimension());
  restore_by_key(before);
}

void ContactStep::change(const Eigen::MatrixXd& W_v, const Eigen::VectorXd& mu) {
  assert(W_v.rows() == problem_.b.size() && mu.size() == contact_count());
  weighted_ = W_v;
  scale_rows(weight_, dimension(), weighted_);
  problem_.W.assign(weighted_);
  problem_.mu = mu;
}

void ContactStep::begin(const System& system, const State& state, double h) {
  active_set_.update(system, state, h);
  begin_friction(h);
}

/// The friction that each law asks for in this step.
void ContactStep::begin_friction(double h) {
  h_ = h;
  friction_.update(problem_.mu);
}

void ContactStep::finish_friction() {
  const int d = dimension();
  friction_.advance([&](int a) -> contact::FrictionStep {
    return {h_, solution_.status[static_cast<std::size_t>(a)],
            d == 2 ? std::abs(u_[2 * a + 1]) : std::hypot(u_[3 * a + 1], u_[3 * a + 2])};
  });
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

void ContactStep::add_works(double& normal, double& tangential) const {
  const int d = dimension();
  for (Eigen::Index i = 0; i < u_.size(); i += d) {
    normal += u_[i] * solution_.p[i];
    for (Eigen::Index j = i + 1; j < i + d; ++j) tangential += u_[j] * solution_.p[j];
  }
}

ContactFigures ContactStep::figures() const {
  const int d = dimension();
  ContactFigures result;
  for (int a = 0; a < contact_count(); ++a) {
    const contact::Status status = solution_.status[static_cast<std::size_t>(a)];
    const bool sticks = status == contact::Status::sticking;
    (status == contact::Status::open ? result.open
     : sticks                        ? result.sticking
                                     : result.sliding) += 1;
    const double w_N = u_[d * a] * solution_.p[d * a];
    double w_T = 0.0;
    for (int i = d * a + 1; i < d * (a + 1); ++i) w_T += u_[i] * solution_.p[i];
    result.max_normal_work = std::max(result.max_normal_work, w_N);
    result.max_tangential_work = std::max(result.max_tangential_work, w_T);
    result.min_tangential_work = std::min(result.min_tangential_work, w_T);
    result.penetration = std::max(result.penetration, -gap_[a]);
  }
  return result;
}

}  // namespace slipwave::dynamics
