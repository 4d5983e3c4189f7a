#include "dynamics/contact_step.hpp"

#include <algorithm>

namespace slipwave::dynamics {

namespace {

Eigen::VectorXd frictions(const System& system) {
  Eigen::VectorXd mu(system.contact_count());
  for (int a = 0; a < system.contact_count(); ++a)
    mu[a] = system.contacts[static_cast<std::size_t>(a)].friction;
  return mu;
}

Eigen::VectorXd weights_of(const System& system, const LawWeights& weights) {
  Eigen::VectorXd result(system.contact_count());
  for (int a = 0; a < system.contact_count(); ++a) {
    const ImpactLaw law = system.contacts[static_cast<std::size_t>(a)].law;
    result[a] = law == ImpactLaw::newton    ? 1.0
                : law == ImpactLaw::fremond ? weights.fremond
                                            : weights.of_scheme;
  }
  return result;
}

Eigen::MatrixXd scale_rows(Eigen::MatrixXd W, const Eigen::VectorXd& weight) {
  for (int a = 0; a < weight.size(); ++a) W.middleRows<2>(2 * a) *= weight[a];
  return W;
}

}  // namespace

ContactStep::ContactStep(const System& system, const Eigen::MatrixXd& W_v,
                         const LawWeights& weights, const contact::SolverOptions& solver)
    : weight_(weights_of(system, weights)),
      W_(scale_rows(W_v, weight_)),
      active_set_(system),
      problem_{W_, Eigen::VectorXd::Zero(2 * system.contact_count()), frictions(system), {}},
      solver_(W_, solver),
      solution_(system.contact_count()),
      u_(Eigen::VectorXd::Zero(2 * system.contact_count())),
      gap_(Eigen::VectorXd::Zero(system.contact_count())) {
  problem_.active.reserve(system.contacts.size());
}

void ContactStep::continue_from(const ContactStep& other) {
  active_set_ = other.active_set_;
  solution_ = other.solution_;
}

void ContactStep::begin(const System& system, const State& state, double h) {
  active_set_.update(system, state, h);
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

contact::SolverReport ContactStep::solve(const System& system) {
  const contact::SolverReport report = solver_.solve(problem_, solution_);
  active_set_.remember(system, solution_.p);
  return report;
}

void ContactStep::finish(const System& system, const State& state, const Eigen::VectorXd& dv,
                         double back) {
  for (int a = 0; a < system.contact_count(); ++a) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(a)];
    const auto dof = contact.dof;
    u_.segment<2>(2 * a) = contact.frame * (state.v.segment<2>(dof) - back * dv.segment<2>(dof));
    gap_[a] = contact.gap(state.q);
  }
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
