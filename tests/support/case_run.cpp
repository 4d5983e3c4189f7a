#include "tests/support/case_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace slipwave::tests {

CaseRun::CaseRun(const std::string& name, const std::vector<std::string>& set)
    : c(app::read_case(SLIPWAVE_ROOT "/cases/" + name + ".toml", set)), body(app::make_body(c)) {
  dynamics::System system = app::make_system(c, body);
  state = app::initial_state(c, body, system);
  integrator =
      dynamics::make_integrator(std::move(system), c.scheme.scheme, c.first_step(), c.solver);
  integrator->start(state);
}

dynamics::StepReport CaseRun::advance() {
  const dynamics::StepReport report = integrator->advance(state);
  if (!report.contact.converged)
    throw std::runtime_error(fmt::format("step {} did not converge", state.step));
  return report;
}

app::RunStatistics CaseRun::run() {
  app::RunStatistics statistics(integrator->energy(state));
  while (state.step < c.step_count) statistics.add(advance());
  return statistics;
}

FewDofsRun::FewDofsRun(const std::string& name, const std::vector<std::string>& set)
    : c(app::read_case(SLIPWAVE_ROOT "/cases/" + name + ".toml", set)),
      model(c),
      stepper(model.make_stepper(c.first_step())),
      state(model.initial_state()) {
  stepper.integrator().start(state);
}

dynamics::StepReport FewDofsRun::advance() {
  const dynamics::StepReport report = stepper.advance(state);
  if (!report.contact.converged)
    throw std::runtime_error(fmt::format("step {} did not converge", state.step));
  return report;
}

bool FewDofsRun::pushes() const {
  const Eigen::VectorXd& p = contact().solution().p;
  for (int a = 0; a < contact().contact_count(); ++a)
    if (p[2 * a] > 0.0) return true;
  return false;
}

SolidsRun::SolidsRun(const std::string& name, const std::vector<std::string>& set)
    : c(app::read_case(SLIPWAVE_ROOT "/cases/" + name + ".toml", set)),
      model(c),
      stepper(model.make_stepper(c.first_step())),
      state(model.initial_state()) {
  stepper.integrator().start(state);
}

dynamics::StepReport SolidsRun::advance() {
  const dynamics::StepReport report = stepper.advance(state);
  if (!report.contact.converged)
    throw std::runtime_error(fmt::format("step {} did not converge", state.step));
  return report;
}

dynamics::StepReport SolidsRun::advance(int steps) {
  for (int k = 1; k < steps; ++k) (void)advance();
  return advance();
}

const dynamics::SolidsIntegrator& SolidsRun::integrator() const {
  return dynamic_cast<const dynamics::SolidsIntegrator&>(stepper.integrator());
}

int SolidsRun::body(const std::string& body_name) const {
  const auto& bodies = model.scene().bodies;
  const auto found = std::ranges::find(bodies, body_name, &app::BodyEntry::name);
  if (found == bodies.end()) throw std::runtime_error("no body " + body_name);
  return static_cast<int>(found - bodies.begin());
}

Eigen::Vector3d SolidsRun::place(const std::string& body_name) const {
  return dynamics::place_in(state.q, body(body_name));
}

Eigen::Vector3d SolidsRun::velocity(const std::string& body_name) const {
  return state.v.segment<3>(dynamics::v_of(body(body_name)));
}

double SolidsRun::energy() const {
  double energy = stepper.integrator().energy(state).total();
  for (int i = 0; i < model.solids().body_count(); ++i) {
    const dynamics::Solid& body = model.solids().bodies[static_cast<std::size_t>(i)];
    if (body.kind != dynamics::Solid::Kind::free) continue;
    energy -= body.mass * model.solids().gravity.dot(dynamics::place_in(state.q, i));
  }
  return energy;
}

std::vector<std::string> on_reference_mesh(int size) {
  return {"mesh.size=",
          fmt::format("mesh.file={}/meshes/sliding_block_{}mm.msh", SLIPWAVE_TEST_DATA, size)};
}

}  // namespace slipwave::tests
