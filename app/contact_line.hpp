#pragma once

#include "app/case_file.hpp"
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

}  // namespace slipwave::app
