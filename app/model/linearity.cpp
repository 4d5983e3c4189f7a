#include "app/model/linearity.hpp"

#include "app/model/node_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slipwave::app {

namespace {

/// The row sums of M, one per node.
Eigen::VectorXd nodal_mass(const dynamics::System& system) {
  const Eigen::VectorXd sums = system.M * Eigen::VectorXd::Ones(system.dof_count());
  return sums(Eigen::seq(0, Eigen::last, 2));
}

/// "the body of "disc"", or with one of its nodes where it has no name.
std::string body_text(const fem::Mesh& mesh, int first_node) {
  const std::vector<int> body = fem::body_of_nodes(mesh);
  std::set<int> nodes;
  for (int node = 0; node < mesh.node_count(); ++node)
    if (body[static_cast<std::size_t>(node)] == first_node) nodes.insert(node);
  const std::set<std::string> surfaces = surfaces_of(mesh, nodes);
  return "the body of " + (surfaces.empty() ? node_text(mesh, first_node) : quoted(surfaces));
}

std::string triangle_text(const fem::Mesh& mesh, int triangle) {
  const Eigen::Vector3i nodes = mesh.triangles.col(triangle);
  const Eigen::Vector2d middle = mesh.nodes(Eigen::all, nodes).rowwise().mean();
  const std::set<std::string> surfaces = surfaces_of(mesh, {nodes.begin(), nodes.end()});
  return fmt::format("triangle {} at ({:.4g}, {:.4g}){}",
                     mesh.triangle_tags[static_cast<std::size_t>(triangle)], middle[0], middle[1],
                     surfaces.empty() ? "" : " in " + quoted(surfaces));
}

}  // namespace

Linearity::Linearity(const Case& c, const Body& body, const dynamics::System& system)
    : c_(c), body_(body), rotations_(body.mesh, nodal_mass(system)) {
  for (std::size_t k = 0; k < c.contacts.size(); ++k) {
    const auto* disc = std::get_if<contact::Circle>(&c.contacts[k].obstacle);
    if (disc == nullptr) continue;
    for (std::size_t i = 0; i < body.lines[k].line.nodes.size(); ++i) {
      const int a = body.lines[k].first_contact + static_cast<int>(i);
      on_discs_.push_back(
          {a, system.H.own_dof(a), system.H.own_block(a).row(1).transpose() / disc->radius});
    }
  }
}

void Linearity::look_at_rotations(const Eigen::VectorXd& q, LinearityFigures& figures) const {
  const fem::Turn body = rotations_.largest_of_bodies(q);
  const fem::Turn local = rotations_.largest_of_triangles(q);
  if (body.angle > figures.body_rotation) {
    figures.body_rotation = body.angle;
    figures.body = body.part;
  }
  if (local.angle > figures.local_rotation) {
    figures.local_rotation = local.angle;
    figures.triangle = local.part;
  }
}

void Linearity::look_at_sliding(const Eigen::VectorXd& q, const Eigen::VectorXd& p,
                                LinearityFigures& figures) const {
  for (const auto& [contact, dof, tangent_by_radius] : on_discs_) {
    const double share = std::abs(tangent_by_radius.dot(q.segment<2>(dof)));
    if (!(p[2 * contact] > 0.0 && share > figures.sliding)) continue;
    figures.sliding = share;
    figures.contact = contact;
  }
}

/// The body where it has turned by this angle as a whole, else the place.
std::string Linearity::rotation_text(const LinearityFigures& figures, double from) const {
  if (figures.body_rotation >= from)
    return fmt::format("{} has turned by {:.4g} rad", body_text(body_.mesh, figures.body),
                       figures.body_rotation);
  return fmt::format("{} has turned by {:.4g} rad", triangle_text(body_.mesh, figures.triangle),
                     figures.local_rotation);
}

std::string Linearity::sliding_text(const LinearityFigures& figures) const {
  return fmt::format("{} has slid over its disc by {:.4g} of the radius",
                     contact_text(body_, figures.contact), figures.sliding);
}

std::string Linearity::rotation_warning(const LinearityFigures& figures) const {
  if (figures.rotation() < worth_a_word) return "";
  return rotation_text(figures, worth_a_word) +
         ": linear elasticity holds for small rotations; what turns by 0.05 rad grows by 0.1 %, by "
         "0.2 rad by 2 % (docs/case-file.md, limits)";
}

std::string Linearity::sliding_warning(const LinearityFigures& figures) const {
  if (figures.sliding < worth_a_word) return "";
  return sliding_text(figures) +
         ": it meets the disc as the tangent where it was at first, and the disc's normal has "
         "turned by as many rad (docs/case-file.md, limits)";
}

BeyondLinearity Linearity::beyond(const LinearityFigures& figures) const {
  if (!(figures.rotation() < c_.limits.rotation))
    return {"rotation beyond limits.rotation",
            fmt::format(
                "{}, limits.rotation = {:g}: linear elasticity holds for small rotations, and what "
                "follows would be wrong however well its energy balances. End the case earlier, "
                "hold the body, or take a rigid body ([system]), whose rotation is exact; a larger "
                "limits.rotation goes on regardless",
                rotation_text(figures, c_.limits.rotation), c_.limits.rotation)};
  if (!(figures.sliding < c_.limits.sliding))
    return {"sliding beyond limits.sliding",
            fmt::format(
                "{}, limits.sliding = {:g}: it meets the disc as the tangent where it was on the "
                "undeformed mesh, and is no longer there. End the case earlier, or take a disc of "
                "larger radius; a larger limits.sliding goes on regardless",
                sliding_text(figures), c_.limits.sliding)};
  return {};
}

}  // namespace slipwave::app
