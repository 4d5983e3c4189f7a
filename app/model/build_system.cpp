#include "app/model/build_system.hpp"

#include "app/messages/user_error.hpp"
#include "app/model/explain_singular_matrix.hpp"
#include "app/model/node_labels.hpp"
#include "app/model/scope.hpp"
#include "contact/frames.hpp"
#include "dynamics/shared_nodes.hpp"
#include "fem/boundary.hpp"
#include "fem/gmsh/gmsh_reader.hpp"
#include "fem/loads.hpp"
#include "fem/mesh_topology.hpp"
#include "linear/factor.hpp"
#include "linear/static_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace slipwave::app {

namespace {

using dynamics::ContactPoint;
using dynamics::PrescribedMotion;
using dynamics::System;

void add_load(System& system, const Eigen::VectorXd& direction,
              const std::optional<Expression>& amplitude) {
  if (amplitude) system.loads.push_back({direction.sparseView(), amplitude->value});
}

void add_loads(const Case& c, const Body& body, System& system) {
  add_load(system, fem::gravity_load(system.M, 0), c.gravity_x);
  add_load(system, fem::gravity_load(system.M, 1), c.gravity_y);
  for (const TractionEntry& entry : c.tractions) {
    add_load(system, fem::traction_load(body.mesh, body.materials, entry.on, 0), entry.x);
    add_load(system, fem::traction_load(body.mesh, body.materials, entry.on, 1), entry.y);
    add_load(system, fem::pressure_load(body.mesh, body.materials, entry.on), entry.pressure);
  }
}

/// Dofs of each entry. A node shared by two groups keeps the first entry if both say the same, and
/// is refused otherwise.
std::vector<PrescribedMotion> place_prescribed(const std::vector<PrescribedEntry>& entries,
                                               const fem::Mesh& mesh) {
  std::vector<PrescribedMotion> motions;
  std::map<int, const PrescribedEntry*> owner;
  for (const PrescribedEntry& entry : entries) {
    PrescribedMotion motion{{}, entry.kind, entry.value.value};
    for (const int node : fem::nodes_of_group(mesh, entry.on)) {
      const int dof = 2 * node + entry.component;
      const auto [place, is_new] = owner.emplace(dof, &entry);
      const PrescribedEntry& first = *place->second;
      if (!is_new && (first.kind != entry.kind || first.value.text != entry.value.text))
        throw UserError(fmt::format(
            "{}: {} of {} is prescribed on \"{}\" and differently on \"{}\"", mesh.source,
            entry.component == 0 ? "x" : "y", node_text(mesh, node), first.on, entry.on));
      if (is_new) motion.dofs.push_back(dof);
    }
    motions.push_back(std::move(motion));
  }
  return motions;
}

/// The obstacle as the node sees it on the undeformed mesh.
contact::HalfPlane obstacle_of_node(const ContactEntry& entry, const fem::Mesh& mesh, int node) {
  const Eigen::Vector2d x = mesh.nodes.col(node);
  const auto* circle = std::get_if<contact::Circle>(&entry.obstacle);
  if (circle != nullptr && circle->centre == x)
    throw UserError(fmt::format("{}: {} of \"{}\" is the centre of the circle that it may touch",
                                mesh.source, node_text(mesh, node), entry.on));
  return contact::tangent_plane(entry.obstacle, x);
}

/// The same in every run: the group, and the node by its tag.
contact::Key key_of(std::size_t group, const fem::Mesh& mesh, int node) {
  return (static_cast<contact::Key>(group) << 40) +
         static_cast<contact::Key>(mesh.node_tags[static_cast<std::size_t>(node)]);
}

void add_contacts(const Case& c, const Body& body, System& system) {
  const std::vector<bool> is_prescribed = prescribed_dofs(system);
  for (std::size_t k = 0; k < c.contacts.size(); ++k) {
    const ContactEntry& entry = c.contacts[k];
    for (const int node : body.lines[k].line.nodes) {
      const contact::HalfPlane obstacle = obstacle_of_node(entry, body.mesh, node);
      const Eigen::Matrix2d frame = contact::local_frame(obstacle);
      const bool x_free = !is_prescribed[static_cast<std::size_t>(2 * node)] && frame(0, 0) != 0.0;
      const bool y_free =
          !is_prescribed[static_cast<std::size_t>(2 * node) + 1] && frame(0, 1) != 0.0;
      if (!x_free && !y_free)
        throw UserError(fmt::format(
            "{}: {} is in contact on \"{}\", but its motion along the normal is prescribed",
            body.mesh.source, node_text(body.mesh, node), entry.on));
      ContactPoint point;
      point.initial_gap = contact::gap(obstacle, body.mesh.nodes.col(node));
      point.law = entry.law;
      point.law.gap_tolerance = 1e-12 * body.lines[k].line.mean_edge_length;
      point.projection = entry.projection;
      point.key = key_of(k, body.mesh, node);
      system.add_contact(point, {{2 * node, frame}});
    }
  }
}

void refuse_overflow(const fem::SparseMatrix& matrix, const std::string& name,
                     const std::string& source) {
  if (!Eigen::Map<const Eigen::VectorXd>(matrix.valuePtr(), matrix.nonZeros()).allFinite())
    throw UserError(fmt::format(
        "{}: the {} matrix is not finite: a number of [material] is too large", source, name));
}

/// K q = F with the displacements of [initial.prescribed].
Eigen::VectorXd static_displacement(const Case& c, const Body& body, const System& system) {
  const int n = system.dof_count();
  std::vector<bool> is_fixed(static_cast<std::size_t>(n), false);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(n), F = Eigen::VectorXd::Zero(n);
  const std::vector<PrescribedMotion> motions = place_prescribed(c.initial.prescribed, body.mesh);
  for (std::size_t i = 0; i < motions.size(); ++i)
    for (const int dof : motions[i].dofs) {
      const std::optional<Formula>& formula = c.initial.prescribed[i].of_place;
      is_fixed[static_cast<std::size_t>(dof)] = true;
      q[dof] = formula ? (*formula)(body.mesh.nodes.col(dof / 2).data()) : motions[i].value(0.0);
    }
  if (c.initial.loads) dynamics::external_force(system, 0.0, F);
  try {
    linear::static_solve(system.K, F, is_fixed, q);
  } catch (const linear::NotPositiveDefinite&) {
    throw UserError(fmt::format("{}: initial.static: the static problem is singular: {}",
                                body.mesh.source, explain_singular_static(c, body, is_fixed)));
  }
  return q;
}

/// Values of formulas of x and y at the nodes, where there are formulas.
void set_field(const std::array<std::optional<Formula>, 2>& formulas, const fem::Mesh& mesh,
               Eigen::VectorXd& field) {
  for (int component = 0; component < 2; ++component) {
    const auto& formula = formulas[static_cast<std::size_t>(component)];
    for (int node = 0; formula && node < mesh.node_count(); ++node)
      field[2 * node + component] = (*formula)(mesh.nodes.col(node).data());
  }
  if (!field.allFinite())
    throw UserError(mesh.source + ": a formula of [initial] is not finite at some node");
}

}  // namespace

System make_system(const Case& c, const Body& body) {
  fem::Matrices matrices = fem::assemble(body.mesh, body.materials, c.mass);
  refuse_overflow(matrices.M, "mass", body.mesh.source);
  refuse_overflow(matrices.K, "stiffness", body.mesh.source);
  System system;
  system.M = std::move(matrices.M);
  system.K = std::move(matrices.K);
  system.C = std::move(matrices.C);
  system.anchor = fem::body_of_nodes(body.mesh);
  system.bodies = dynamics::turning_bodies(body.mesh);
  add_loads(c, body, system);
  system.prescribed = place_prescribed(c.prescribed, body.mesh);
  add_contacts(c, body, system);
  return system;
}

dynamics::State initial_state(const Case& c, const Body& body, const System& system) {
  dynamics::State state;
  state.q = c.initial.static_solve ? static_displacement(c, body, system)
                                   : Eigen::VectorXd(Eigen::VectorXd::Zero(system.dof_count()));
  state.v = c.initial.velocity.replicate(body.mesh.node_count(), 1);
  set_field(c.initial.displacement_of_place, body.mesh, state.q);
  set_field(c.initial.velocity_of_place, body.mesh, state.v);
  impose_initial_motion(system, c.first_step(), state.q, state.v);
  return state;
}

namespace {

/// The contact line that a contact is on.
const std::string& line_of(const Body& body, int contact) {
  const auto after =
      std::find_if(body.lines.begin(), body.lines.end(),
                   [&](const ContactLine& line) { return line.first_contact > contact; });
  return std::prev(after)->group;
}

/// Nodes with friction in two contact groups.
void warn_about_shared_nodes(const Body& body, const System& system,
                             std::vector<std::string>& warnings) {
  const auto pairs = dynamics::shared_nodes(system);
  if (pairs.empty()) return;
  const auto [a, b] = pairs.front();
  const int node = system.H.own_dof(a) / 2;
  warnings.push_back(fmt::format(
      "{}{} is in contact with friction on \"{}\" and on \"{}\": where it pushes on both, "
      "Coulomb's law can have several solutions, and solvers may find different ones; take it out "
      "of one group, or let one be without friction",
      node_text(body.mesh, node),
      pairs.size() > 1 ? fmt::format(" (and {} more)", pairs.size() - 1) : "", line_of(body, a),
      line_of(body, b)));
}

/// Projection leaves gaps of 0 up to round-off, and the rule "gap" asks for their sign.
void warn_about_projected_gaps(const Case& c, std::vector<std::string>& warnings) {
  for (const ContactEntry& contact : c.contacts)
    if (contact.projection && contact.law.activation == dynamics::Activation::gap)
      warnings.push_back(
          fmt::format("contact on \"{}\": projection leaves gaps of 0, and with activation = "
                      "\"gap\" round-off decides whether such a contact is closed; choose another "
                      "rule, \"dissipative\" say",
                      contact.on));
}

}  // namespace

std::vector<std::string> warnings_about(const Case& c, const Body& body, const System& system,
                                        const dynamics::State& state) {
  std::vector<std::string> warnings = c.warnings;
  for (const std::string& warning : warnings_about_scope(c, body)) warnings.push_back(warning);
  if (body.mesh.reoriented > 0)
    warnings.push_back(fmt::format("{}: {} clockwise triangle(s) were turned around",
                                   body.mesh.source, body.mesh.reoriented));
  for (const std::string& place : fem::doubtful_places(body.mesh)) warnings.push_back(place);
  warn_about_shared_nodes(body, system, warnings);
  warn_about_projected_gaps(c, warnings);
  for (const ContactLine& line : body.lines) {
    int inside = 0;
    double deepest = 0.0;
    for (int k = 0; k < static_cast<int>(line.line.nodes.size()); ++k) {
      const double gap = system.gap(line.first_contact + k, state.q);
      // Round-off of the geometry is not worth a word.
      if (gap < -1e-9 * line.line.mean_edge_length) ++inside;
      deepest = std::min(deepest, gap);
    }
    if (inside > 0)
      warnings.push_back(fmt::format(
          "contact on \"{}\": {} node(s) start inside the obstacle, the deepest by {:g}{}",
          line.group, inside, -deepest, c.unit("length")));
  }
  return warnings;
}

}  // namespace slipwave::app
