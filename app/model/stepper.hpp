#pragma once

#include "dynamics/finite_integrator.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/projection.hpp"
#include "dynamics/shared_nodes.hpp"

#include <array>
#include <memory>
#include <vector>

namespace slipwave::app {

/// What a stepper carries from step to step beside the state.
struct StepperMemory {
  dynamics::ContactMemory contact;
  contact::SequenceMemory projection;  ///< empty where no contact asks for it
};

/// An integrator with the projection that contacts may ask for after its steps.
class Stepper {
 public:
  explicit Stepper(std::unique_ptr<dynamics::FiniteIntegrator> integrator)
      : integrator_(std::move(integrator)) {}
  explicit Stepper(std::unique_ptr<dynamics::SystemIntegrator> integrator)
      : system_integrator_(integrator.get()),
        projection_(std::make_unique<dynamics::Projection>(*integrator)),
        shared_(shared_nodes(integrator->system())),
        integrator_(std::move(integrator)) {}

  dynamics::Integrator& integrator() const { return *integrator_; }
  /// Of a system with constant matrices; otherwise none.
  const dynamics::SystemIntegrator* system_integrator() const { return system_integrator_; }

  dynamics::StepReport advance(dynamics::State& state) {
    dynamics::StepReport report = integrator_->advance(state);
    if (projects()) projection_->apply(*system_integrator_, state, report);
    for (const auto& [a, b] : shared_)
      if (pushes(a) && pushes(b)) ++report.shared_nodes;
    return report;
  }
  /// The projection that contacts ask for; none where none does.
  const dynamics::Projection* projection() const {
    return projects() ? projection_.get() : nullptr;
  }

  StepperMemory memory() const {
    return {integrator_->contact().memory(),
            projects() ? projection_->memory() : contact::SequenceMemory{contact::Solution(0), {}}};
  }
  /// Goes on after the step whose memory this is; the next has the same bits.
  void restore(const StepperMemory& memory) {
    integrator_->restore(memory.contact);
    if (projects()) projection_->restore(memory.projection);
  }
  /// Goes on where a stepper of another step size has come to.
  void continue_from(const Stepper& other) {
    integrator_->continue_from(other.integrator());
    if (projects()) projection_->restore({other.projection_->memory().solution, {}});
  }

 private:
  bool projects() const { return projection_ && projection_->wanted(); }
  bool pushes(int contact) const { return integrator_->contact().solution().p[2 * contact] > 0.0; }

  dynamics::SystemIntegrator* system_integrator_ = nullptr;
  std::unique_ptr<dynamics::Projection> projection_;
  std::vector<std::array<int, 2>> shared_;  // pairs of contacts
  std::unique_ptr<dynamics::Integrator> integrator_;
};

}  // namespace slipwave::app
