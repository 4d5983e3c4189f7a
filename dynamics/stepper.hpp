#pragma once

#include "dynamics/integrator.hpp"
#include "dynamics/projection.hpp"

#include <array>
#include <memory>
#include <vector>

namespace slipwave::dynamics {

/// What a stepper carries from step to step beside the state.
struct StepperMemory {
  ContactMemory contact;
  contact::SequenceMemory projection;  ///< empty where no contact asks for it
};

/// An integrator with the projection that contacts may ask for after its steps.
class Stepper {
 public:
  /// Of a system whose matrices change: without projection.
  explicit Stepper(std::unique_ptr<Integrator> integrator);
  /// Of a system with constant matrices.
  explicit Stepper(std::unique_ptr<SystemIntegrator> integrator);

  Integrator& integrator() const { return *integrator_; }
  /// Of a system with constant matrices; otherwise none.
  const SystemIntegrator* system_integrator() const { return system_integrator_; }
  /// The projection that contacts ask for; none where none does.
  const Projection* projection() const { return projects() ? projection_.get() : nullptr; }

  /// One step, the projection if a contact asks for it, and how many nodes push twice.
  StepReport advance(State& state);

  StepperMemory memory() const;
  /// Goes on after the step whose memory this is; the next has the same bits.
  void restore(const StepperMemory& memory);
  /// Goes on where a stepper of another step size has come to.
  void continue_from(const Stepper& other);

 private:
  bool projects() const { return projection_ && projection_->wanted(); }
  bool pushes(int contact) const;

  SystemIntegrator* system_integrator_ = nullptr;
  std::unique_ptr<Projection> projection_;  // refers to *integrator_
  std::vector<std::array<int, 2>> shared_;  // pairs of contacts
  std::unique_ptr<Integrator> integrator_;
};

}  // namespace slipwave::dynamics
