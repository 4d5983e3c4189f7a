#include "app/model/node_labels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipwave::app {

namespace {

std::set<std::string> contact_lines_of(const Body& body, int node) {
  std::set<std::string> groups;
  for (const ContactLine& line : body.lines)
    if (std::find(line.line.nodes.begin(), line.line.nodes.end(), node) != line.line.nodes.end())
      groups.insert(line.group);
  return groups;
}

std::set<std::string> curves_of(const fem::Mesh& mesh, int node) {
  std::set<std::string> groups;
  for (const auto& [name, edges] : mesh.curves)
    if (std::any_of(edges.begin(), edges.end(),
                    [&](const fem::Edge& e) { return e[0] == node || e[1] == node; }))
      groups.insert(name);
  return groups;
}

int node_of_contact(const Body& body, int contact) {
  const auto line = std::find_if(body.lines.rbegin(), body.lines.rend(), [&](const auto& l) {
    return l.first_contact <= contact && !l.line.nodes.empty();
  });
  return line->line.nodes[static_cast<std::size_t>(contact - line->first_contact)];
}

}  // namespace

std::string quoted(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", name);
  return text;
}

std::set<std::string> surfaces_of(const fem::Mesh& mesh, const std::set<int>& nodes) {
  std::set<std::string> groups;
  for (const auto& [name, triangles] : mesh.surfaces)
    if (std::any_of(triangles.begin(), triangles.end(), [&](int e) {
          const auto corners = mesh.triangles.col(e);
          return std::any_of(corners.begin(), corners.end(),
                             [&](int node) { return nodes.count(node) > 0; });
        }))
      groups.insert(name);
  return groups;
}

std::string node_text(const fem::Mesh& mesh, int node) {
  return fmt::format("node {} at ({:g}, {:g})", mesh.node_tags[static_cast<std::size_t>(node)],
                     mesh.nodes(0, node), mesh.nodes(1, node));
}

std::string place_text(const Body& body, int node) {
  const std::string text = node_text(body.mesh, node);
  if (const auto lines = contact_lines_of(body, node); !lines.empty())
    return fmt::format("{} on contact line {}", text, quoted(lines));
  if (const auto curves = curves_of(body.mesh, node); !curves.empty())
    return fmt::format("{} on {}", text, quoted(curves));
  if (const auto surfaces = surfaces_of(body.mesh, {node}); !surfaces.empty())
    return fmt::format("{} in {}", text, quoted(surfaces));
  return text;
}

std::string contact_text(const Body& body, int contact) {
  return fmt::format("contact {}, {}", contact + 1,
                     place_text(body, node_of_contact(body, contact)));
}

Names names_of(const Body& body) {
  const auto unknown = [&body](int dof) {
    return fmt::format("{} along {}", place_text(body, dof / 2), dof % 2 == 0 ? "x" : "y");
  };
  return {unknown, unknown, [&body](const dynamics::Integrator&, int contact) {
            return contact_text(body, contact);
          }};
}

}  // namespace slipwave::app
