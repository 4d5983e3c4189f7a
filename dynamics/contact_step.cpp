#include "dynamics/contact_step.hpp"

#include <algorithm>
#include <utility>

namespace slipwave::dynamics {

namespace {

std::vector<ContactLaw> laws_of(const System& system) {
  return {system.contacts.begin(), system.contacts.end()};
}

Eigen::VectorXd frictions(const std::vector<ContactLaw>& laws) {
  Eigen::VectorXd mu(static_cast<Eigen::Index>(laws.size()));
  std::transform(laws.begin(), laws.end(), mu.begin(),
                 [](const ContactLaw& law) { return law.friction; });
  return mu;
}

Eigen::VectorXd weights_of(const std::vector<ContactLaw>& laws, const LawWeights& weights) {
  Eigen::VectorXd result(static_cast<Eigen::Index>(laws.size()));
  std::transform(laws.begin(), laws.end(), result.begin(), [&](const ContactLaw& law) {
    return law.law == ImpactLaw::newton    ? 1.0
           : law.law == ImpactLaw::fremond ? weights.fremond
                                           : weights.of_scheme;
  });
  return result;
}

Eigen::MatrixXd scale_rows(Eigen::MatrixXd W, const Eigen::VectorXd& weight) {
  for (int a = 0; a < weight.size(); ++a) W.middleRows<2>(2 * a) *= weight[a];
  return W;
}

}  // namespace

ContactStep::ContactStep(std::vector<ContactLaw> laws, const Eigen::MatrixXd& W_v,
                         const LawWeights& weights, const contact::SolverOptions& solver)
    : weight_(weights_of(laws, weights)),
      problem_{contact::DenseBand(scale_rows(W_v, weight_)),
               Eigen::VectorXd::Zero(W_v.rows()),
               frictions(laws),
               {}},
      solver_(problem_.W, solver),
      solution_(static_cast<int>(laws.size())),
      active_set_(std::move(laws)),
      u_(Eigen::VectorXd::Zero(W_v.rows())),
      gap_(Eigen::VectorXd::Zero(W_v.rows() / 2)) {
  problem_.active.reserve(active_set_.laws().size());
}

ContactStep::ContactStep(const System& system, const Eigen::MatrixXd& W_v,
                         const LawWeights& weights, const contact::SolverOptions& solver)
    : ContactStep(laws_of(system), W_v, weights, solver) {}

void ContactStep::continue_from(const ContactStep& other) {
  ContactMemory memory = other.memory();
  memory.sequence.solver = {};
  restore(memory);
}

ContactMemory ContactStep::memory() const {
  return {{solution_, solver_.memory()}, active_set_.memory()};
}

void ContactStep::restore(const ContactMemory& memory) {
  solution_ = memory.sequence.solution;
  solver_.restore(problem_, memory.sequence.solver);
  active_set_.restore(memory.activation);
}

void ContactStep::change(const Eigen::MatrixXd& W_v, const Eigen::VectorXd& mu) {
  weighted_ = W_v;
  for (int a = 0; a < contact_count(); ++a) weighted_.middleRows<2>(2 * a) *= weight_[a];
  problem_.W.assign(weighted_);
  problem_.mu = mu;
}

void ContactStep::begin(const System& system, const State& state, double h) {
  active_set_.update(system, state, h);
}

/// u_k and what the impact law adds, to ϑ H Δv_free.
void ContactStep::add_restitution() {
  for (int a = 0; a < contact_count(); ++a) {
    const ContactLaw& law = active_set_.laws()[static_cast<std::size_t>(a)];
    const Eigen::Vector2d u = active_set_.u().segment<2>(2 * a);
    problem_.b.segment<2>(2 * a) += u;
    problem_.b[2 * a] += (weight_[a] * (1.0 + law.restitution) - 1.0) * active_set_.law_u_N()[a];
    if (weight_[a] == 1.0) problem_.b[2 * a + 1] += law.tangential_restitution * u[1];
  }
  problem_.active = active_set_.active();
}

void ContactStep::form_position_problem(const System& system, const Eigen::VectorXd& q, double h) {
  problem_.active.clear();
  for (int a = 0; a < system.contact_count(); ++a) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(a)];
    const double gap = contact.gap(q);
    problem_.b.segment<2>(2 * a) << gap / h, 0.0;
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
  const auto at = [&](int a) -> const ContactPoint& {
    return system.contacts[static_cast<std::size_t>(a)];
  };
  finish([&](int a) { return at(a).gap(state.q); },
         [&](int a) -> Eigen::Vector2d {
           const int dof = at(a).dof;
           return at(a).frame * (state.v.segment<2>(dof) - back * dv.segment<2>(dof));
         });
}

void ContactStep::add_works(double& normal, double& tangential) const {
  for (Eigen::Index i = 0; i < u_.size(); i += 2) {
    normal += u_[i] * solution_.p[i];
    tangential += u_[i + 1] * solution_.p[i + 1];
  }
}

ContactFigures ContactStep::figures() const {
  ContactFigures result;
  for (int a = 0; a < static_cast<int>(gap_.size()); ++a) {
    const contact::Status status = solution_.status[static_cast<std::size_t>(a)];
    const bool sticks = status == contact::Status::sticking;
    (status == contact::Status::open ? result.open
     : sticks                        ? result.sticking
                                     : result.sliding) += 1;
    const double w_N = u_[2 * a] * solution_.p[2 * a];
    const double w_T = u_[2 * a + 1] * solution_.p[2 * a + 1];
    result.max_normal_work = std::max(result.max_normal_work, w_N);
    result.max_tangential_work = std::max(result.max_tangential_work, w_T);
    result.min_tangential_work = std::min(result.min_tangential_work, w_T);
    result.penetration = std::max(result.penetration, -gap_[a]);
  }
  return result;
}

}  // namespace slipwave::dynamics
