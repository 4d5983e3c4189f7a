#include "app/model/few_dofs_model.hpp"

#include "app/messages/user_error.hpp"
#include "dynamics/schemes/few_dofs_integrator.hpp"
#include "dynamics/schemes/schemes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slipwave::app {

namespace {

using dynamics::Ball;
using dynamics::MassSpring;
using dynamics::RigidBody;
using dynamics::RigidBodyData;
using Points = std::vector<Eigen::Vector2d>;

/// Makes the integrator of a model with constant matrices.
dynamics::Stepper constant_stepper(const Case& c, dynamics::System system, double step,
                                   const std::vector<std::string>& coordinates) {
  try {
    return dynamics::Stepper(
        dynamics::make_integrator(std::move(system), c.scheme.scheme, step, c.solver));
  } catch (const dynamics::Unsupported& error) {
    throw UserError(
        fmt::format("{}: time.scheme = \"{}\": {}", c.name, c.scheme.name, error.what()));
  } catch (const linear::NotPositiveDefinite& error) {
    throw UserError(
        fmt::format("{}: [system]: the matrix of a time step is singular at coordinate "
                    "\"{}\": its numbers and time.step are too far apart",
                    c.name, coordinates[static_cast<std::size_t>(error.row)]));
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("{}: [system]: {}", c.name, error.what()));
  }
}

Points outline_of(const RigidBodyData& data, double, const Eigen::VectorXd& q) {
  Points points;
  for (const Eigen::Vector2d& corner : data.outline) points.push_back(RigidBody::place(q, corner));
  return points;
}

Points outline_of(const Ball& ball, double, const Eigen::VectorXd& q) {
  Points points;
  constexpr int corners = 48;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / corners;
    points.push_back(q.head<2>() + ball.radius * Eigen::Vector2d(std::cos(angle), std::sin(angle)));
  }
  return points;
}

/// A square that stands on the obstacle where U_n = 0.
Points outline_of(const MassSpring&, double size, const Eigen::VectorXd& q) {
  const Eigen::Vector2d foot(q[0], -q[1]);
  const double half = 0.5 * size;
  return {foot + Eigen::Vector2d(-half, 0.0), foot + Eigen::Vector2d(half, 0.0),
          foot + Eigen::Vector2d(half, size), foot + Eigen::Vector2d(-half, size)};
}

/// −F·q of the constant force; strain is no part of it.
double potential_of(const Ball& ball, const Eigen::VectorXd& q) {
  return -ball.mass * ball.gravity.dot(q);
}

double potential_of(const MassSpring& model, const Eigen::VectorXd& q) {
  return -model.F_t * q[0] - model.F_n * q[1];
}

}  // namespace

FewDofsModel::FewDofsModel(const Case& c) : c_(c), few_dofs_(*c.few_dofs) {
  const auto* data = std::get_if<RigidBodyData>(&few_dofs_.model);
  if (!data) return;
  body_.emplace(*data);
  const double mu = body_->friction(0, few_dofs_.position);
  if (!(mu >= 0.0) || !std::isfinite(mu))
    throw UserError(fmt::format(
        "{}: contact.friction: the formula is {:g} at the initial position; must be at least 0",
        c.name, mu));
}

dynamics::Stepper FewDofsModel::make_stepper(double step) const {
  if (body_)
    return dynamics::Stepper(std::make_unique<dynamics::FewDofsIntegrator>(
        *body_, std::get<dynamics::ThetaScheme>(c_.scheme.scheme), step, c_.solver));
  if (const auto* ball = std::get_if<Ball>(&few_dofs_.model))
    return constant_stepper(c_, dynamics::make_system(*ball), step, coordinates());
  return constant_stepper(c_, dynamics::make_system(std::get<MassSpring>(few_dofs_.model)), step,
                          coordinates());
}

dynamics::State FewDofsModel::initial_state() const {
  dynamics::State state;
  state.q = few_dofs_.position;
  state.v = few_dofs_.velocity;
  return state;
}

int FewDofsModel::dof_count() const { return static_cast<int>(few_dofs_.position.size()); }

int FewDofsModel::contact_count() const { return body_ ? body_->contact_count() : 1; }

std::vector<std::string> FewDofsModel::coordinates() const {
  if (body_) return {"x", "y", "angle"};
  if (few_dofs_.kind == "ball") return {"x", "y"};
  return {"displacement_t", "displacement_n"};
}

std::vector<std::string> FewDofsModel::velocities() const {
  if (body_) return {"velocity_x", "velocity_y", "angular_velocity"};
  if (few_dofs_.kind == "ball") return {"velocity_x", "velocity_y"};
  return {"velocity_t", "velocity_n"};
}

double FewDofsModel::potential_energy(const Eigen::VectorXd& q) const {
  if (body_) return body_->potential_energy(q);
  if (const auto* ball = std::get_if<Ball>(&few_dofs_.model)) return potential_of(*ball, q);
  return potential_of(std::get<MassSpring>(few_dofs_.model), q);
}

Points FewDofsModel::outline(const Eigen::VectorXd& q) const {
  return std::visit([&](const auto& model) { return outline_of(model, few_dofs_.size, q); },
                    few_dofs_.model);
}

std::vector<std::string> warnings_about(const FewDofsModel& model) {
  std::vector<std::string> warnings = model.case_file().warnings;
  const FewDofsCase& few_dofs = *model.case_file().few_dofs;
  double lowest = 0.0;
  for (const Eigen::Vector2d& corner : model.outline(few_dofs.position))
    lowest = std::min(lowest, corner[1]);
  if (lowest < -1e-12 * few_dofs.size)
    warnings.push_back(fmt::format("initial.position: the body starts {:.3g}{} inside the obstacle",
                                   -lowest, model.case_file().unit("length")));
  return warnings;
}

Names names_of(const FewDofsModel& model) {
  const auto coordinate = [&model](int dof) {
    return fmt::format("coordinate \"{}\"", model.coordinates()[static_cast<std::size_t>(dof)]);
  };
  return {coordinate, coordinate, [](const dynamics::Integrator&, int contact) {
            return fmt::format("contact {}", contact + 1);
          }};
}

}  // namespace slipwave::app
