#pragma once

#include "app/case/case_file.hpp"
#include "fem/boundary.hpp"
#include "fem/material.hpp"
#include "fem/mesh.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// The nodes of one contact group in the order of the boundary, with the area each one stands for.
struct ContactLine {
  std::string group;
  fem::BoundaryLine line;
  std::vector<double> area;  ///< tributary length times thickness
  int first_contact = 0;     ///< index of its first contact in the system
};

/// The contact lines of a case, numbered one after the other as the system numbers its contacts.
std::vector<ContactLine> contact_lines(const Case& c, const fem::Mesh& mesh,
                                       const fem::MaterialMap& materials);

/// Throws UserError naming the group, both normals and the remedy where an obstacle is on the wrong
/// side of its curve. With the outward normal ν of an edge and n of the obstacle there, the edge
/// faces the obstacle where n·ν < 0. A curve may be of any shape, and the whole boundary of a disc
/// faces a floor with half of its length; refused is one that faces it with less than a tenth of
/// its length, and whose mean n·ν is above ½: it looks the other way by less than 60 degrees.
void require_facing(const Case& c, const fem::Mesh& mesh);

}  // namespace slipwave::app
