#include "app/model/scope.hpp"

#include "app/model/node_labels.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace slipwave::app {

namespace {

/// A bent beam of four rows of triangles is too stiff by 9 % at 0.3, 15 % here, 29 % at 0.48, 50 %
/// at 0.49 and 270 % at 0.499; one of eight rows by 2, 4, 7, 10 and 37 %.
constexpr double locking_poisson_ratio = 0.45;

/// Contact is with rigid obstacles: one body passes through another.
void warn_about_bodies(const Body& body, std::vector<std::string>& warnings) {
  const std::vector<int> first = fem::body_of_nodes(body.mesh);
  std::map<int, std::set<int>> bodies;
  for (int node = 0; node < body.mesh.node_count(); ++node)
    bodies[first[static_cast<std::size_t>(node)]].insert(node);
  if (bodies.size() < 2) return;
  constexpr std::size_t most = 4;
  std::string names;
  for (const auto& [node, nodes] : bodies) {
    if (node != first.front()) names += "; ";
    const std::set<std::string> surfaces = surfaces_of(body.mesh, nodes);
    names += surfaces.empty() ? node_text(body.mesh, node) : quoted(surfaces);
    if (bodies.size() > most && names.size() > 100) {
      names += "; ...";
      break;
    }
  }
  warnings.push_back(fmt::format(
      "{}: the mesh has {} bodies ({}), and they do not see each other: each meets only the rigid "
      "obstacles of [[contact]], and they pass through one another",
      body.mesh.source, bodies.size(), names));
}

/// An elastic half-space that slides steadily over rigid ground is neutral at mu = 1; above,
/// disturbances of wave number k grow as exp(const k t), whatever nu is.
void warn_about_friction(const Case& c, std::vector<std::string>& warnings) {
  for (const ContactEntry& entry : c.contacts)
    if (largest_friction(entry.law.friction) >= 1.0)
      warnings.push_back(fmt::format(
          "contact on \"{}\": friction = {:g}: with mu >= 1 the sliding of an elastic body on "
          "rigid "
          "ground is ill-posed: the shorter a disturbance the faster it grows, and a finer mesh "
          "gives another answer",
          entry.on, largest_friction(entry.law.friction)));
}

void warn_about_locking(const Case& c, std::vector<std::string>& warnings) {
  for (const MaterialEntry& entry : c.materials)
    if (entry.material.hypothesis == fem::Hypothesis::plane_strain &&
        entry.material.poisson_ratio >= locking_poisson_ratio)
      warnings.push_back(fmt::format(
          "material{}: poisson_ratio = {:g} in plane strain: from {:g} on, three-node triangles "
          "lock: the body is too stiff in bending and shear. Refine the mesh until the results no "
          "longer change, or take a smaller ratio",
          entry.on ? fmt::format(" on \"{}\"", *entry.on) : "", entry.material.poisson_ratio,
          locking_poisson_ratio));
}

}  // namespace

std::vector<std::string> warnings_about_scope(const Case& c, const Body& body) {
  std::vector<std::string> warnings;
  warn_about_bodies(body, warnings);
  warn_about_friction(c, warnings);
  warn_about_locking(c, warnings);
  return warnings;
}

}  // namespace slipwave::app
