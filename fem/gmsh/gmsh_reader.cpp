#include "fem/gmsh/gmsh_reader.hpp"

#include "fem/gmsh/gmsh_model.hpp"
#include "fem/mesh_topology.hpp"

#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>
#include <unordered_map>
#include <utility>

namespace slipwave::fem {

namespace {

/// The last line of a file that is not empty; of a longer line, its last 100 characters.
std::string last_line(std::ifstream& file) {
  file.clear();
  file.seekg(0, std::ios::end);
  const std::streamoff length = std::min<std::streamoff>(file.tellg(), 100);
  file.seekg(-length, std::ios::end);
  std::string tail(static_cast<std::size_t>(length), '\0');
  file.read(tail.data(), length);
  tail.erase(tail.find_last_not_of(" \r\n") + 1);
  return tail.substr(tail.find_last_of('\n') + 1);  // npos + 1 = 0
}

/// Gmsh drops the name of a second group that has the same, and what is said of the name would be
/// said of the first group alone. The names are text in binary files too, before all numbers.
void refuse_two_of_one_name(const std::string& source) {
  std::ifstream file(source, std::ios::binary);
  std::string line;
  while (std::getline(file, line) && !line.starts_with("$PhysicalNames"))
    if (line.starts_with("$Nodes") || line.starts_with("$Entities")) return;
  std::map<std::string, std::string> number_of;  // by dimension and name
  std::getline(file, line);
  while (std::getline(file, line) && !line.starts_with("$End")) {
    std::istringstream words(line);
    std::string dim, number, name;
    if (!(words >> dim >> number >> std::quoted(name))) continue;
    const auto [place, is_new] = number_of.emplace(dim + " " + name, number);
    if (!is_new && place->second != number)
      throw MeshError(fmt::format(
          "{}: the physical {} {} and {} are both named \"{}\"; give them different names, or put "
          "all in one group",
          source,
          dim == "2"   ? "surfaces"
          : dim == "1" ? "curves"
                       : "groups",
          place->second, number, name));
  }
}

void refuse_other_files(const std::string& source) {
  std::ifstream file(source, std::ios::binary);
  std::string line;
  std::getline(file, line);
  if (!line.starts_with("$MeshFormat") && !line.starts_with("$Comments"))
    throw MeshError(source + ": not a Gmsh mesh file: it does not begin with $MeshFormat");
  // Gmsh accepts a file cut inside the last number of its last element, and reads another triangle.
  if (!last_line(file).starts_with("$End"))
    throw MeshError(source + ": the file is cut short: it does not end with an $End line");
}

struct Elements {
  std::vector<std::size_t> tags;
  std::vector<std::size_t> nodes;  // node tags, element by element
};

/// Keeps the first of elements with the same nodes: an MSH 2.2 file repeats an element for every
/// physical group that it is in.
void drop_repeats(Elements& elements) {
  if (elements.tags.empty()) return;
  const std::size_t size = elements.nodes.size() / elements.tags.size();
  std::vector<std::array<std::size_t, 4>> keys(elements.tags.size());  // sorted nodes, then place
  for (std::size_t k = 0; k < keys.size(); ++k) {
    std::copy_n(&elements.nodes[size * k], size, keys[k].begin());
    std::sort(keys[k].begin(), keys[k].begin() + static_cast<std::ptrdiff_t>(size));
    keys[k][3] = k;
  }
  std::sort(keys.begin(), keys.end());
  std::vector<bool> repeats(keys.size(), false);
  for (std::size_t i = 1; i < keys.size(); ++i)
    repeats[keys[i][3]] = std::equal(keys[i].begin(), keys[i].begin() + 3, keys[i - 1].begin());
  Elements kept;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (repeats[k]) continue;
    kept.tags.push_back(elements.tags[k]);
    for (std::size_t a = 0; a < size; ++a) kept.nodes.push_back(elements.nodes[size * k + a]);
  }
  elements = std::move(kept);
}

/// The elements of one entity, which must all have the nodes of a triangle or line, each once.
Elements elements_of(const GmshModel& model, const std::string& source, int dim, int entity) {
  const auto first = std::lower_bound(
      model.elements.begin(), model.elements.end(), std::pair(dim, entity),
      [](const GmshElements& list, auto key) { return std::pair(list.dim, list.entity) < key; });
  Elements elements;
  for (auto it = first; it != model.elements.end() && it->dim == dim && it->entity == entity;
       ++it) {
    const GmshElements& list = *it;
    if (list.nodes_per_element != dim + 1)
      throw MeshError(fmt::format(
          "{}: element {} of {} {} is a {}; only three-node triangles and two-node lines "
          "are supported (in Gmsh: Mesh.ElementOrder = 1, no Recombine)",
          source, list.tags.front(), dim == 2 ? "surface" : "curve", entity, list.type));
    elements.tags.insert(elements.tags.end(), list.tags.begin(), list.tags.end());
    elements.nodes.insert(elements.nodes.end(), list.nodes.begin(), list.nodes.end());
  }
  drop_repeats(elements);
  return elements;
}

/// Visits (group name, entity) for every physical group of a dimension.
template <class Visit>
void for_each_group_entity(const GmshModel& model, int dim, const Visit& visit) {
  for (const GmshGroup& group : model.groups)
    for (std::size_t i = 0; group.dim == dim && i < group.entities.size(); ++i)
      visit(group.name, group.entities[i]);
}

/// Collects triangles (each once) and the surfaces they belong to.
void collect_triangles(const GmshModel& model, Mesh& mesh,
                       std::vector<std::size_t>& triangle_nodes) {
  std::map<int, std::vector<int>> of_entity;
  const auto add = [&](int entity) -> const std::vector<int>& {
    const auto [place, is_new] = of_entity.try_emplace(entity);
    if (!is_new) return place->second;
    const Elements elements = elements_of(model, mesh.source, 2, entity);
    for (std::size_t k = 0; k < elements.tags.size(); ++k)
      place->second.push_back(static_cast<int>(mesh.triangle_tags.size() + k));
    mesh.triangle_tags.insert(mesh.triangle_tags.end(), elements.tags.begin(), elements.tags.end());
    triangle_nodes.insert(triangle_nodes.end(), elements.nodes.begin(), elements.nodes.end());
    return place->second;
  };
  for_each_group_entity(model, 2, [&](const std::string& name, int entity) {
    const std::vector<int>& indices = add(entity);
    auto& group = mesh.surfaces[name];
    group.insert(group.end(), indices.begin(), indices.end());
  });
  if (!mesh.surfaces.empty()) return;
  for (const int entity : model.surfaces) add(entity);
}

/// Numbers the nodes: by their tags for a file, and only those in use for a geometry meshed here.
std::unordered_map<std::size_t, int> number_nodes(Mesh& mesh, const GmshModel& model,
                                                  const std::vector<std::size_t>& triangle_nodes,
                                                  bool keep_all) {
  std::unordered_map<std::size_t, std::size_t> position;  // of a tag among Gmsh's nodes
  position.reserve(model.node_tags.size());
  for (std::size_t i = 0; i < model.node_tags.size(); ++i) position.emplace(model.node_tags[i], i);
  std::set<std::size_t> tags(triangle_nodes.begin(), triangle_nodes.end());
  if (keep_all) tags.insert(model.node_tags.begin(), model.node_tags.end());
  mesh.node_tags.assign(tags.begin(), tags.end());
  mesh.nodes.resize(2, static_cast<Eigen::Index>(tags.size()));
  std::unordered_map<std::size_t, int> index;
  index.reserve(tags.size());
  for (std::size_t i = 0; i < mesh.node_tags.size(); ++i) {
    const std::size_t tag = mesh.node_tags[i];
    const auto found = position.find(tag);
    if (found == position.end())
      throw MeshError(fmt::format("{}: an element refers to node {}, which is not in the file",
                                  mesh.source, tag));
    const double* x = &model.coordinates[3 * found->second];
    if (x[2] != 0.0)
      throw MeshError(fmt::format("{}: node {} is at z = {:g}; a plane mesh with z = 0 is expected",
                                  mesh.source, tag, x[2]));
    mesh.nodes.col(static_cast<Eigen::Index>(i)) << x[0], x[1];
    index.emplace(tag, static_cast<int>(i));
  }
  return index;
}

void collect_curves(const GmshModel& model, Mesh& mesh,
                    const std::unordered_map<std::size_t, int>& index) {
  for_each_group_entity(model, 1, [&](const std::string& name, int entity) {
    auto& edges = mesh.curves[name];
    const Elements lines = elements_of(model, mesh.source, 1, entity);
    for (std::size_t k = 0; k < lines.tags.size(); ++k) {
      const auto first = index.find(lines.nodes[2 * k]);
      const auto second = index.find(lines.nodes[2 * k + 1]);
      if (first == index.end() || second == index.end())
        throw MeshError(fmt::format(
            "{}: line {} of physical curve \"{}\" has a node that belongs to no triangle",
            mesh.source, lines.tags[k], name));
      edges.push_back({first->second, second->second});
    }
  });
}

}  // namespace

Mesh read_mesh(const std::filesystem::path& file, std::optional<double> size,
               const GmshRules& rules) {
  Mesh mesh;
  mesh.source = file.string();
  const bool is_geo = file.extension() == ".geo";
  if (!is_geo && file.extension() != ".msh")
    throw MeshError(mesh.source + ": unknown mesh format; expected a Gmsh .msh or .geo file");
  if (!std::filesystem::is_regular_file(file)) throw MeshError(mesh.source + ": no such mesh file");
  if (!is_geo && size)
    throw MeshError(mesh.source + ": mesh.size is for .geo files; a .msh file is already meshed");

  if (!is_geo) refuse_other_files(mesh.source);
  if (!is_geo) refuse_two_of_one_name(mesh.source);
  const GmshModel model = run_gmsh(file, size, rules);
  mesh.included = model.included;
  std::vector<std::size_t> triangle_nodes;
  collect_triangles(model, mesh, triangle_nodes);
  const auto index = number_nodes(mesh, model, triangle_nodes, !is_geo);
  mesh.triangles.resize(3, static_cast<Eigen::Index>(mesh.triangle_tags.size()));
  std::transform(triangle_nodes.begin(), triangle_nodes.end(), mesh.triangles.data(),
                 [&](std::size_t tag) { return index.at(tag); });
  check_and_orient(mesh);
  refuse_folds(mesh);
  collect_curves(model, mesh, index);
  return mesh;
}

std::string gmsh_version() { return GMSH_API_VERSION; }

}  // namespace slipwave::fem
