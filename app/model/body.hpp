#pragma once

#include "app/case/case_file.hpp"
#include "app/model/contact_line.hpp"
#include "fem/material.hpp"
#include "fem/mesh.hpp"

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

}  // namespace slipwave::app
