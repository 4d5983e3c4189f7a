#include "tests/support/case_run.hpp"

#include <fmt/format.h>

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

std::vector<std::string> on_reference_mesh(int size) {
  return {"mesh.size=",
          fmt::format("mesh.file={}/meshes/sliding_block_{}mm.msh", SLIPWAVE_TEST_DATA, size)};
}

}  // namespace slipwave::tests
