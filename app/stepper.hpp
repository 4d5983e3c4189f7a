#pragma once

#include "dynamics/finite_integrator.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/projection.hpp"

#include <memory>

namespace slipwave::app {

/// An integrator with the projection that contacts may ask for after its steps.
class Stepper {
 public:
  explicit Stepper(std::unique_ptr<dynamics::FiniteIntegrator> integrator)
      : integrator_(std::move(integrator)) {}
  explicit Stepper(std::unique_ptr<dynamics::SystemIntegrator> integrator)
      : system_integrator_(integrator.get()),
        projection_(std::make_unique<dynamics::Projection>(*integrator)),
        integrator_(std::move(integrator)) {}

  dynamics::Integrator& integrator() const { return *integrator_; }
  /// Of a system with constant matrices; otherwise none.
  const dynamics::SystemIntegrator* system_integrator() const { return system_integrator_; }

  dynamics::StepReport advance(dynamics::State& state) {
    dynamics::StepReport report = integrator_->advance(state);
    if (projection_ && projection_->wanted())
      projection_->apply(*system_integrator_, state, report);
    return report;
  }

 private:
  dynamics::SystemIntegrator* system_integrator_ = nullptr;
  std::unique_ptr<dynamics::Projection> projection_;
  std::unique_ptr<dynamics::Integrator> integrator_;
};

}  // namespace slipwave::app
