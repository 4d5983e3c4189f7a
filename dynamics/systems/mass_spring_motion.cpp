#include "dynamics/systems/mass_spring.hpp"

namespace slipwave::dynamics {

namespace {

// Exact for one contact.
const contact::SolverOptions solver{.method = contact::Method::nsgs};

}  // namespace

Motion::Motion(const MassSpring& model, const Scheme& scheme, double h, const Eigen::Vector2d& U,
               const Eigen::Vector2d& V)
    : scheme_(scheme),
      integrator_(make_integrator(make_system(model), scheme, h, solver)),
      projection_(std::make_unique<Projection>(*integrator_)),
      before_(V.norm()),
      after_(V.norm()) {
  state_.q = U;
  state_.v = V;
  integrator_->start(state_);
}

void Motion::change_step(double h) {
  state_.first_time = time();
  state_.first_step = state_.step;
  auto next = make_integrator(integrator_->system(), scheme_, h, solver);
  next->continue_from(*integrator_);
  projection_ = std::make_unique<Projection>(*next);
  integrator_ = std::move(next);
}

StepReport Motion::advance() {
  StepReport report = integrator_->advance(state_);
  if (projection_->wanted()) projection_->apply(*integrator_, state_, report);
  before_ = after_;
  after_ = state_.v.norm();
  sticks_ = report.sticking == 1;
  return report;
}

Eigen::Vector2d Motion::R() const {
  const Eigen::VectorXd& p = integrator_->contact().solution().p;
  return Eigen::Vector2d(p[1], -p[0]) / integrator_->h();
}

}  // namespace slipwave::dynamics
