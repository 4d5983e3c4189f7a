#pragma once

#include "app/case/case_file.hpp"
#include "app/model/node_labels.hpp"
#include "dynamics/stepper.hpp"
#include "dynamics/systems/rigid_body.hpp"

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// The model of a [system] made ready to move.
class FewDofsModel {
 public:
  /// The case must outlive the model.
  explicit FewDofsModel(const Case& c);

  /// Everything for steps of one size; the model must outlive it. Throws UserError.
  dynamics::Stepper make_stepper(double step) const;
  dynamics::State initial_state() const;
  const Case& case_file() const { return c_; }
  /// The rigid body, or none.
  const dynamics::RigidBody* rigid_body() const { return body_ ? &*body_ : nullptr; }

  int dof_count() const;
  int contact_count() const;
  /// Names of the columns of a trajectory.
  std::vector<std::string> coordinates() const;
  std::vector<std::string> velocities() const;
  double potential_energy(const Eigen::VectorXd& q) const;
  /// The body's corners, in a plane whose y points away from the obstacle.
  std::vector<Eigen::Vector2d> outline(const Eigen::VectorXd& q) const;

 private:
  const Case& c_;
  const FewDofsCase& few_dofs_;
  std::optional<dynamics::RigidBody> body_;
};

/// Coordinates of a [system]; the model must outlive the names.
Names names_of(const FewDofsModel& model);

/// What a user should know before the run: a body that starts below the ground.
std::vector<std::string> warnings_about(const FewDofsModel& model);

}  // namespace slipwave::app
