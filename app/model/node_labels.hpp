#pragma once

#include "app/model/body.hpp"
#include "dynamics/integrator.hpp"

#include <functional>
#include <set>
#include <string>

namespace slipwave::app {

/// "node 12 at (50, 0)", with its number in the mesh file.
std::string node_text(const fem::Mesh& mesh, int node);

/// The same and on which contact line it is, else on which physical curves, else in which surfaces.
std::string place_text(const Body& body, int node);

/// The physical surfaces that have a triangle with one of the nodes.
std::set<std::string> surfaces_of(const fem::Mesh& mesh, const std::set<int>& nodes);

/// Names in quotes, with commas.
std::string quoted(const std::set<std::string>& names);

/// "contact 3, node 12 at (50, 0) on contact line "bottom"".
std::string contact_text(const Body& body, int contact);

/// How messages call the unknowns and the contacts of a run.
struct Names {
  std::function<std::string(int)> coordinate;  ///< a number of q, and of whatever is as long
  std::function<std::string(int)> velocity;    ///< a number of v
  /// A contact of the integrator's last step.
  std::function<std::string(const dynamics::Integrator&, int contact)> contact;
};

/// Nodes of the mesh; the body must outlive the names.
Names names_of(const Body& body);

}  // namespace slipwave::app
