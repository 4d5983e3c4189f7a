#pragma once

#include "dynamics/systems/ball.hpp"
#include "dynamics/systems/mass_spring.hpp"
#include "dynamics/systems/rigid_body.hpp"

#include <Eigen/Core>
#include <string>
#include <variant>
#include <vector>

namespace slipwave::app {

class TableReader;
struct SchemeChoice;

/// What [system] says: a model of a few degrees of freedom in place of a mesh.
struct FewDofsCase {
  std::string kind;  ///< "stick", "block", "ball" or "mass-spring"
  std::variant<dynamics::RigidBodyData, dynamics::Ball, dynamics::MassSpring> model;
  Eigen::VectorXd position, velocity;  ///< at t = 0
  double size = 1.0;                   ///< of the body, for pictures
  std::vector<std::string> notes;      ///< what its user should know of names that have changed
};

/// The law of the model's contacts.
dynamics::ContactLaw contact_law(const FewDofsCase& few_dofs);

/// Reads [system], [gravity], [contact] and [initial]. Throws UserError naming file, line and key.
FewDofsCase read_few_dofs_case(TableReader& root, const SchemeChoice& scheme);

}  // namespace slipwave::app
