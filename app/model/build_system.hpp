#pragma once

#include "app/case/case_file.hpp"
#include "app/model/contact_line.hpp"
#include "contact/solvers/options.hpp"
#include "dynamics/state.hpp"
#include "dynamics/system.hpp"
#include "fem/material.hpp"
#include "fem/mesh.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// The body of a case: its mesh with a material on every triangle.
struct Body {
  fem::Mesh mesh;
  fem::MaterialMap materials;
  std::vector<ContactLine> lines;
};

/// Reads or makes the mesh and places the materials and contact lines on it.
/// With `trust` Gmsh does all that a .geo says (docs/case-file.md, --trust).
/// Throws UserError or fem::MeshError naming group and entity.
Body make_body(const Case& c, bool trust = false);

/// Matrices, loads, prescribed motions and contacts of a case. Throws UserError naming group and
/// node.
dynamics::System make_system(const Case& c, const Body& body);

/// Displacements and velocities at t = 0. Throws UserError where the static solve is not held.
dynamics::State initial_state(const Case& c, const Body& body, const dynamics::System& system);

/// The contact solver's options of a case.
contact::SolverOptions solver_options(const Case& c);

/// What a user should know before the run: the reach of the model, triangles turned around, places
/// where a mesh overlaps or hangs, nodes with friction in two groups, nodes that start inside an
/// obstacle.
std::vector<std::string> warnings_about(const Case& c, const Body& body,
                                        const dynamics::System& system,
                                        const dynamics::State& state);

}  // namespace slipwave::app
