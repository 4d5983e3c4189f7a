#include "app/model/body.hpp"

#include "app/messages/user_error.hpp"
#include "fem/gmsh/gmsh_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipwave::app {

namespace {

/// A material for every triangle: each must have exactly one.
fem::MaterialMap place_materials(const Case& c, const fem::Mesh& mesh) {
  fem::MaterialMap map;
  map.of_triangle.assign(static_cast<std::size_t>(mesh.triangle_count()), -1);
  for (const MaterialEntry& entry : c.materials) {
    const int index = static_cast<int>(map.materials.size());
    map.materials.push_back(entry.material);
    std::vector<int> everywhere;
    if (!entry.on)
      for (int e = 0; e < mesh.triangle_count(); ++e) everywhere.push_back(e);
    for (const int e : entry.on ? fem::surface(mesh, *entry.on) : everywhere) {
      int& chosen = map.of_triangle[static_cast<std::size_t>(e)];
      if (chosen >= 0)
        throw UserError(fmt::format(
            "{}: triangle {} has two materials, material[{}] and material[{}]", mesh.source,
            mesh.triangle_tags[static_cast<std::size_t>(e)], chosen, index));
      chosen = index;
    }
  }
  const auto without = std::find(map.of_triangle.begin(), map.of_triangle.end(), -1);
  if (without != map.of_triangle.end())
    throw UserError(fmt::format(
        "{}: triangle {} has no material; give one without `on`, or one for every surface",
        mesh.source,
        mesh.triangle_tags[static_cast<std::size_t>(without - map.of_triangle.begin())]));
  return map;
}

}  // namespace

Body make_body(const Case& c, bool trust) {
  Body body;
  fem::GmshRules rules{.seconds = c.mesh_seconds, .bytes = std::nullopt, .trust = trust};
  if (c.mesh_memory) rules.bytes = static_cast<std::size_t>(std::min(*c.mesh_memory, 1e18));
  body.mesh = fem::read_mesh(c.mesh_file, c.mesh_size, rules);
  body.materials = place_materials(c, body.mesh);
  body.lines = contact_lines(c, body.mesh, body.materials);
  require_facing(c, body.mesh);
  return body;
}

}  // namespace slipwave::app
