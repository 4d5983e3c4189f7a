#include "app/model/contact_line.hpp"

#include "app/messages/user_error.hpp"
#include "contact/frames.hpp"
#include "fem/loads.hpp"

#include <fmt/format.h>

namespace slipwave::app {

namespace {

/// How a curve stands to its obstacle.
struct Sides {
  double length = 0.0, facing = 0.0;
  double mean = 0.0;                                  // of n·ν
  Eigen::Vector2d outward = Eigen::Vector2d::Zero();  // mean of ν
};

Sides sides_of(const ContactEntry& entry, const fem::Mesh& mesh) {
  Sides sides;
  const auto* disc = std::get_if<contact::Circle>(&entry.obstacle);
  for (const fem::BoundaryEdge& edge : fem::boundary_edges(mesh, entry.on)) {
    const Eigen::Vector2d middle =
        0.5 * (mesh.nodes.col(edge.nodes[0]) + mesh.nodes.col(edge.nodes[1]));
    if (disc != nullptr && disc->centre == middle) continue;  // has no side
    const double along = contact::tangent_plane(entry.obstacle, middle).normal.dot(edge.normal);
    sides.length += edge.length;
    sides.facing += along < 0.0 ? edge.length : 0.0;
    sides.mean += edge.length * along;
    sides.outward += edge.length * edge.normal;
  }
  sides.mean /= sides.length;
  sides.outward /= sides.length;
  return sides;
}

std::string vector_text(const Eigen::Vector2d& x) {
  return fmt::format("[{:.4g}, {:.4g}]", x[0] + 0.0, x[1] + 0.0);  // + 0.0: no "-0"
}

}  // namespace

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

void require_facing(const Case& c, const fem::Mesh& mesh) {
  for (const ContactEntry& entry : c.contacts) {
    const Sides sides = sides_of(entry, mesh);
    if (!(sides.facing < 0.1 * sides.length && sides.mean > 0.5)) continue;
    const std::string outward = vector_text(sides.outward.normalized());
    if (const auto* disc = std::get_if<contact::Circle>(&entry.obstacle))
      throw UserError(fmt::format(
          "{}: contact on \"{}\": the disc at circle = {} is behind the curve, whose outward "
          "normal "
          "{} points away from it: the curve would meet it from inside the body. Choose the curve "
          "on the disc's side, or another circle",
          mesh.source, entry.on, vector_text(disc->centre), outward));
    const Eigen::Vector2d n = std::get<contact::HalfPlane>(entry.obstacle).normal;
    throw UserError(fmt::format(
        "{}: contact on \"{}\": normal = {} points the same way as the curve's outward normal {}: "
        "the body would be inside the obstacle. A normal points out of the obstacle, towards the "
        "body: choose normal = {}, or another curve",
        mesh.source, entry.on, vector_text(n), outward, vector_text(-n)));
  }
}

}  // namespace slipwave::app
