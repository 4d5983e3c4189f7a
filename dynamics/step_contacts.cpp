#include "dynamics/step_contacts.hpp"

#include "contact/residual.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace slipwave::dynamics {

namespace {

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

}  // namespace

std::vector<ContactLaw> laws_of(const std::vector<StepContact>& contacts) {
  std::vector<ContactLaw> laws;
  for (const StepContact& contact : contacts) laws.push_back(contact.law);
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

StepContacts::StepContacts(const std::vector<StepContact>& contacts, int dimension)
    : solution_(0, dimension), active_set_({}, dimension), friction_({}), dimension_(dimension) {
  set_contacts(contacts);
}

void StepContacts::set_contacts(const std::vector<StepContact>& contacts) {
  const auto count = static_cast<Eigen::Index>(contacts.size());
  keys_ = keys_of(contacts);
  assert(std::set(keys_.begin(), keys_.end()).size() == keys_.size());
  solution_ = contact::Solution(static_cast<int>(count), dimension_);
  active_set_ = ActiveSet(laws_of(contacts), dimension_);
  friction_ = contact::FrictionStates(friction_laws_of(contacts));
  u_.setZero(dimension_ * count);
  gap_.setZero(count);
}

void StepContacts::continue_from(const StepContacts& other) {
  ContactMemory memory = other.memory();
  memory.sequence.solver = {};
  restore(memory);
}

ContactMemory StepContacts::memory_of_contacts() const {
  return {{solution_, {}}, active_set_.memory(), friction_.columns(), keys_};
}

bool StepContacts::restore_contacts(const ContactMemory& memory) {
  const bool has_no_keys =
      memory.keys.empty() && memory.sequence.solution.p.size() == solution_.p.size();
  if (!has_no_keys && memory.keys != keys_) {
    restore_by_key(memory);
    return false;
  }
  solution_ = memory.sequence.solution;
  active_set_.restore(memory.activation);
  friction_.restore(memory.laws, [](int a) { return a; });
  return true;
}

void StepContacts::restore_by_key(const ContactMemory& memory) {
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
  active_set_.restore(activation);
  friction_.restore(memory.laws, [&](int a) {
    const auto found = place.find(keys_[static_cast<std::size_t>(a)]);
    return found == place.end() ? -1 : found->second;
  });
}

void StepContacts::finish_friction() {
  const int d = dimension();
  friction_.advance([&](int a) -> contact::FrictionStep {
    return {h_, solution_.status[static_cast<std::size_t>(a)],
            d == 2 ? std::abs(u_[2 * a + 1]) : std::hypot(u_[3 * a + 1], u_[3 * a + 2])};
  });
}

const std::vector<int>& StepContacts::active() const {
  return std::visit(
      [](const auto* problem) -> const auto& { return problem->active; }, problem_of_step());
}

double StepContacts::mu(int contact) const {
  return std::visit([&](const auto* problem) { return problem->mu[contact]; }, problem_of_step());
}

LocalB StepContacts::b(int contact) const {
  const int d = dimension();
  return std::visit(
      [&](const auto* problem) -> LocalB { return problem->b.segment(d * contact, d); },
      problem_of_step());
}

OwnW StepContacts::own_W(int contact) const {
  return std::visit(
      [&](const auto* problem) -> OwnW {
        if (problem->dimension() == 2) return problem->W.template diagonal<2>(contact);
        return problem->W.template diagonal<3>(contact);
      },
      problem_of_step());
}

int StepContacts::worst() const {
  return std::visit(
      [&](const auto* problem) { return contact::worst_contact(*problem, solution_); },
      problem_of_step());
}

void StepContacts::add_works(double& normal, double& tangential) const {
  const int d = dimension();
  for (Eigen::Index i = 0; i < u_.size(); i += d) {
    normal += u_[i] * solution_.p[i];
    for (Eigen::Index j = i + 1; j < i + d; ++j) tangential += u_[j] * solution_.p[j];
  }
}

ContactFigures StepContacts::figures() const {
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
