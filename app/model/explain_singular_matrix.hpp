#pragma once

#include "app/model/body.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// The bodies of a mesh that the fixed dofs leave free to move, each with its physical surfaces,
/// its number of nodes and its free motions; empty where every body is held.
std::string free_bodies(const fem::Mesh& mesh, const std::vector<bool>& is_fixed);

/// Why the stiffness matrix of a static problem is not positive definite, and the remedy.
std::string explain_singular_static(const Case& c, const Body& body,
                                    const std::vector<bool>& is_fixed);

/// Why the matrix of a time step is not positive definite at a dof, and the remedy.
std::string explain_singular_step(const Case& c, const Body& body, int dof, double step);

/// The node whose mass is too small to divide by; empty where there is none.
std::string explain_no_mass(const Case& c, const Body& body);

}  // namespace slipwave::app
