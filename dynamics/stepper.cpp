#include "dynamics/stepper.hpp"

#include "dynamics/shared_nodes.hpp"

#include <cassert>
#include <utility>

namespace slipwave::dynamics {

Stepper::Stepper(std::unique_ptr<Integrator> integrator) : integrator_(std::move(integrator)) {
  assert(integrator_);
}

Stepper::Stepper(std::unique_ptr<SystemIntegrator> integrator)
    : system_integrator_(integrator.get()),
      projection_(std::make_unique<Projection>(*integrator)),
      shared_(shared_nodes(integrator->system())),
      integrator_(std::move(integrator)) {}

StepReport Stepper::advance(State& state) {
  StepReport report = integrator_->advance(state);
  if (projects()) projection_->apply(*system_integrator_, state, report);
  for (const auto& [a, b] : shared_)
    if (pushes(a) && pushes(b)) ++report.shared_nodes;
  return report;
}

bool Stepper::pushes(int contact) const {
  const StepContacts& step = integrator_->contact();
  return step.solution().p[step.dimension() * contact] > 0.0;
}

StepperMemory Stepper::memory() const {
  return {integrator_->contact().memory(),
          projects() ? projection_->memory() : contact::SequenceMemory{contact::Solution(0), {}}};
}

void Stepper::restore(const StepperMemory& memory) {
  integrator_->restore(memory.contact);
  if (projects()) projection_->restore(memory.projection);
}

void Stepper::continue_from(const Stepper& other) {
  integrator_->continue_from(other.integrator());
  if (projects()) projection_->restore({other.projection_->memory().solution, {}});
}

}  // namespace slipwave::dynamics
