#pragma once

#include "dynamics/schemes/schemes.hpp"
#include "dynamics/stepper.hpp"
#include "dynamics/systems/mass_spring.hpp"

#include <Eigen/Core>
#include <memory>

namespace slipwave::dynamics {

/// The motion of the mass from given initial data, step by step.
class Motion {
 public:
  /// Starts at time 0. Throws what require_valid() and the scheme's integrator throw.
  Motion(const MassSpring& model, const Scheme& scheme, double h, const Eigen::Vector2d& U,
         const Eigen::Vector2d& V);

  /// One step, and the projection if the model wants it.
  StepReport advance();
  /// Goes on with steps of another size.
  void change_step(double h);

  Eigen::Vector2d U() const { return state_.q; }
  Eigen::Vector2d V() const { return state_.v; }
  /// The reaction of the last step, its impulse over h.
  Eigen::Vector2d R() const;
  double time() const { return state_.time(stepper_->integrator().h()); }
  double h() const { return stepper_->integrator().h(); }
  /// Whether the mass was at rest before the last step and after it, sticking: no velocity above
  /// `speed`. Under a constant force it then stays so.
  bool rests(double speed) const { return sticks_ && before_ <= speed && after_ <= speed; }

 private:
  Scheme scheme_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
  bool sticks_ = false;
  double before_ = 0.0, after_ = 0.0;  // |V|
};

}  // namespace slipwave::dynamics
