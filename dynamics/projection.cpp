#include "dynamics/projection.hpp"

#include "dynamics/step_dofs.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace slipwave::dynamics {

namespace {

/// All contacts of the integrator, those that ask for it active.
contact::Problem problem_on(const SystemIntegrator& integrator, const std::vector<int>& contacts) {
  const System& system = integrator.system();
  const int d = system.H.dimension();
  contact::DenseBand W(
      contacts.empty() ? Eigen::MatrixXd() : on_contacts(system, integrator.matrix()), d);
  const int n = W.contact_count();
  return {std::move(W), Eigen::VectorXd::Zero(d * n), Eigen::VectorXd::Zero(n), contacts};
}

std::vector<int> asking(const System& system) {
  std::vector<int> contacts;
  for (int a = 0; a < system.contact_count(); ++a)
    if (system.contacts[static_cast<std::size_t>(a)].projection) contacts.push_back(a);
  return contacts;
}

}  // namespace

Projection::Projection(const SystemIntegrator& integrator)
    : A_(integrator.matrix()),
      contacts_(asking(integrator.system())),
      problem_(problem_on(integrator, contacts_)),
      solver_(problem_.W, {}),
      solution_(problem_.W.contact_count(), problem_.dimension()),
      dq_(Eigen::VectorXd::Zero(integrator.system().dof_count())),
      relative_(dq_),
      K_dq_(dq_) {}

void Projection::restore(const contact::SequenceMemory& memory) {
  solution_ = memory.solution;
  solver_.restore(problem_, memory.solver);
}

/// Deepest penetration of any contact.
double Projection::deepest(const System& system, const State& state) const {
  double depth = 0.0;
  for (int a = 0; a < system.contact_count(); ++a) depth = std::max(depth, -system.gap(a, state.q));
  return depth;
}

/// Whether Δq leaves a contact inside its obstacle by more than a thousandth of the deepest before.
/// Where obstacles leave no room, W is singular; round-off can make it look regular, and impulses
/// that nearly cancel, each 1e13 times what is needed, then pass for a solution.
bool Projection::leaves_penetration(const System& system) const {
  const int d = problem_.dimension();
  double deepest_before = 0.0;
  for (const int a : contacts_) deepest_before = std::max(deepest_before, -problem_.b[d * a]);
  return std::any_of(contacts_.begin(), contacts_.end(), [&](int a) {
    const double left = -(problem_.b[d * a] + system.H.row_times(a, 0, dq_));
    const double allowed = system.contacts[static_cast<std::size_t>(a)].law.gap_tolerance;
    return !(left <= allowed + 1e-3 * deepest_before);
  });
}

void Projection::apply(SystemIntegrator& integrator, State& state, StepReport& report) {
  const System& system = integrator.system();
  const int d = problem_.dimension();
  assert(system.contact_count() == problem_.W.contact_count());
  bool penetrates = false;
  for (const int a : contacts_) {
    const double gap = system.gap(a, state.q);
    problem_.b[d * a] = gap;
    penetrates =
        penetrates || gap < -system.contacts[static_cast<std::size_t>(a)].law.gap_tolerance;
  }
  if (!penetrates) return;
  report.projection = solver_.solve(problem_, solution_);
  if (report.projection_failed()) return;
  dq_.setZero();
  contact::LocalVector along_normal = contact::LocalVector::Zero();
  for (const int a : contacts_) {
    along_normal[0] = solution_.p[d * a];
    system.H.add_transposed(a, along_normal, dq_);
  }
  A_.solve(dq_, dq_);
  if (leaves_penetration(system)) {
    report.projection->converged = false;
    return;
  }
  state.q += dq_;
  take_out_rigid_motions(system, dq_, relative_);
  K_dq_.noalias() = system.K * relative_;
  const double dq_K_dq = relative_.dot(K_dq_);
  take_out_rigid_motions(system, state.q, relative_);
  const double strain = relative_.dot(K_dq_) - 0.5 * dq_K_dq;
  const double algorithmic = integrator.displaced(state, K_dq_);
  report.energy.energy.strain += strain;
  report.energy.energy.algorithmic += algorithmic;
  report.energy.works.projection += strain + algorithmic;
  report.energy.change += strain + algorithmic;
  report.penetration = deepest(system, state);
}

}  // namespace slipwave::dynamics
