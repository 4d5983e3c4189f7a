#include "app/contact_line.hpp"

#include "fem/loads.hpp"

namespace slipwave::app {

std::vector<ContactLine> contact_lines(const Case& c, const fem::Mesh& mesh,
                                       const fem::MaterialMap& materials) {
  std::vector<ContactLine> lines;
  int first_contact = 0;
  for (const ContactEntry& entry : c.contacts) {
    ContactLine line{entry.on, fem::boundary_line(mesh, entry.on), {}, first_contact};
    const Eigen::VectorXd unit = fem::traction_load(mesh, materials, entry.on, 0);
    for (const int node : line.line.nodes) line.area.push_back(unit[2 * node]);
    first_contact += static_cast<int>(line.line.nodes.size());
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace slipwave::app
