#pragma once

#include "app/case/case_file.hpp"
#include "app/model/body.hpp"
#include "dynamics/state.hpp"
#include "dynamics/system.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// Matrices, loads, prescribed motions and contacts of a case. Throws UserError naming group and
/// node.
dynamics::System make_system(const Case& c, const Body& body);

/// Displacements and velocities at t = 0. Throws UserError where the static solve is not held.
dynamics::State initial_state(const Case& c, const Body& body, const dynamics::System& system);

/// What a user should know before the run: the reach of the model, triangles turned around, places
/// where a mesh overlaps or hangs, nodes with friction in two groups, nodes that start inside an
/// obstacle.
std::vector<std::string> warnings_about(const Case& c, const Body& body,
                                        const dynamics::System& system,
                                        const dynamics::State& state);

}  // namespace slipwave::app
