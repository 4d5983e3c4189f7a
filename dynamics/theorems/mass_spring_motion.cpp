#include "dynamics/theorems/mass_spring_motion.hpp"

#include <utility>

namespace slipwave::dynamics {

namespace {

// Exact for one contact.
const contact::SolverOptions solver{.method = contact::Method::nsgs};

}  // namespace

Motion::Motion(const MassSpring& model, const Scheme& scheme, double h, const Eigen::Vector2d& U,
               const Eigen::Vector2d& V)
    : scheme_(scheme),
      stepper_(std::make_unique<Stepper>(make_integrator(make_system(model), scheme, h, solver))),
      before_(V.norm()),
      after_(V.norm()) {
  state_.q = U;
  state_.v = V;
  stepper_->integrator().start(state_);
}

void Motion::change_step(double h) {
  state_.first_time = time();
  state_.first_step = state_.step;
  auto next = std::make_unique<Stepper>(
      make_integrator(stepper_->system_integrator()->system(), scheme_, h, solver));
  next->continue_from(*stepper_);
  stepper_ = std::move(next);
}

StepReport Motion::advance() {
  StepReport report = stepper_->advance(state_);
  before_ = after_;
  after_ = state_.v.norm();
  sticks_ = report.sticking == 1;
  return report;
}

Eigen::Vector2d Motion::R() const {
  const Eigen::VectorXd& p = stepper_->integrator().contact().solution().p;
  return Eigen::Vector2d(p[1], -p[0]) / h();
}

}  // namespace slipwave::dynamics
