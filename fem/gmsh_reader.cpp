#include "fem/gmsh_reader.hpp"

#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <unordered_map>
#include <utility>

namespace slipwave::fem {

namespace {

constexpr int line2 = 1;  // Gmsh's element type numbers
constexpr int triangle3 = 2;

/// Gmsh keeps one global model: it lives as long as this object.
class GmshSession {
 public:
  GmshSession() {
    gmsh::initialize(0, nullptr, false);
    gmsh::option::setNumber("General.Terminal", 0);
    gmsh::option::setNumber("General.NumThreads", 1);  // the same mesh whatever the machine
    gmsh::onelab::clear();  // parameters outlive a session: the `size` of an earlier geometry
    // Its errors are read from the log: thrown inside its own threads they would end the program.
    gmsh::option::setNumber("General.AbortOnError", 0);
    gmsh::logger::start();
  }
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;
  ~GmshSession() {
    gmsh::logger::stop();  // otherwise the next session would find this one's errors
    gmsh::finalize();
  }

  /// The first error Gmsh has logged, or an empty string.
  static std::string first_error() {
    std::vector<std::string> log;
    gmsh::logger::get(log);
    for (const std::string& line : log)
      if (line.starts_with("Error: ")) return line.substr(7);
    return {};
  }
};

/// Runs a Gmsh call; its failure, whatever its form, becomes a MeshError naming the file.
template <class Call>
void gmsh_call(const std::string& source, const Call& call) {
  std::string problem;
  try {
    call();
    problem = GmshSession::first_error();
  } catch (const std::exception& error) {
    problem = error.what();
  } catch (const std::string& error) {
    problem = error;
  } catch (...) {
    problem = "unknown error";
  }
  if (!problem.empty())
    throw MeshError(fmt::format("{}: Gmsh could not read it: {}", source, problem));
}

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

void open_msh(const std::string& source) {
  std::ifstream file(source, std::ios::binary);
  std::string line;
  std::getline(file, line);
  if (!line.starts_with("$MeshFormat") && !line.starts_with("$Comments"))
    throw MeshError(source + ": not a Gmsh mesh file: it does not begin with $MeshFormat");
  // Gmsh accepts a file cut inside the last number of its last element, and reads another triangle.
  if (!last_line(file).starts_with("$End"))
    throw MeshError(source + ": the file is cut short: it does not end with an $End line");
  gmsh_call(source, [&] { gmsh::open(source); });
}

/// A size that is a typing error would fill the memory, or be ignored by Gmsh when it is smaller
/// still.
void refuse_too_fine(const std::string& source, double size) {
  double x0 = 0.0, y0 = 0.0, z0 = 0.0, x1 = 0.0, y1 = 0.0, z1 = 0.0;
  gmsh::model::getBoundingBox(-1, -1, x0, y0, z0, x1, y1, z1);
  const double nodes = 1.2 * (x1 - x0) * (y1 - y0) / (size * size);
  if (nodes > 2e7)
    throw MeshError(fmt::format(
        "{}: mesh.size = {:g} would give up to {:.1g} nodes in the bounding box of {:g} x {:g}; at "
        "most 2e7 are supported",
        source, size, nodes, x1 - x0, y1 - y0));
}

void mesh_geo(const std::string& source, std::optional<double> size) {
  gmsh_call(source, [&] { gmsh::open(source); });
  if (size) refuse_too_fine(source, *size);
  std::vector<std::string> parameters;
  gmsh::onelab::getNames(parameters, "^size$");  // a regular expression
  if (size && !parameters.empty()) {
    gmsh::onelab::setNumber("size", {*size});
    gmsh::clear();
    gmsh_call(source, [&] { gmsh::open(source); });
  } else if (size) {
    gmsh::option::setNumber("Mesh.MeshSizeMin", *size);
    gmsh::option::setNumber("Mesh.MeshSizeMax", *size);
  }
  gmsh_call(source, [] { gmsh::model::mesh::generate(2); });
}

/// Gmsh's nodes by tag, and our index of each.
struct Nodes {
  std::vector<std::size_t> tags;
  std::vector<double> coordinates;
  std::unordered_map<std::size_t, std::size_t> position;  // of a tag in `tags`
};

Nodes read_nodes() {
  Nodes nodes;
  std::vector<double> parametric;
  gmsh::model::mesh::getNodes(nodes.tags, nodes.coordinates, parametric);
  nodes.position.reserve(nodes.tags.size());
  for (std::size_t i = 0; i < nodes.tags.size(); ++i) nodes.position.emplace(nodes.tags[i], i);
  return nodes;
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

/// The elements of one entity, which must all be of the wanted type, each once.
Elements elements_of(const std::string& source, int dim, int entity, int wanted) {
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags;
  std::vector<std::vector<std::size_t>> nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, dim, entity);
  Elements elements;
  for (std::size_t k = 0; k < types.size(); ++k) {
    if (tags[k].empty()) continue;
    if (types[k] == wanted) {
      elements.tags.insert(elements.tags.end(), tags[k].begin(), tags[k].end());
      elements.nodes.insert(elements.nodes.end(), nodes[k].begin(), nodes[k].end());
      continue;
    }
    std::string name;
    int element_dim = 0, order = 0, node_count = 0, primary = 0;
    std::vector<double> local;
    gmsh::model::mesh::getElementProperties(types[k], name, element_dim, order, node_count, local,
                                            primary);
    throw MeshError(
        fmt::format("{}: element {} of {} {} is a {}; only three-node triangles and two-node lines "
                    "are supported (in Gmsh: Mesh.ElementOrder = 1, no Recombine)",
                    source, tags[k].front(), dim == 2 ? "surface" : "curve", entity, name));
  }
  drop_repeats(elements);
  return elements;
}

std::string group_name(int dim, int tag) {
  std::string name;
  gmsh::model::getPhysicalName(dim, tag, name);
  return name.empty() ? std::to_string(tag) : name;  // unnamed groups go by their number
}

/// Visits (group name, entity) for every physical group of a dimension.
template <class Visit>
void for_each_group_entity(int dim, const Visit& visit) {
  gmsh::vectorpair groups;
  gmsh::model::getPhysicalGroups(groups, dim);
  for (const auto& [group_dim, tag] : groups) {
    std::vector<int> entities;
    gmsh::model::getEntitiesForPhysicalGroup(group_dim, tag, entities);
    for (const int entity : entities) visit(group_name(group_dim, tag), entity);
  }
}

/// Collects triangles (each once) and the surfaces they belong to.
void collect_triangles(Mesh& mesh, std::vector<std::size_t>& triangle_nodes) {
  std::map<int, std::vector<int>> of_entity;
  const auto add = [&](int entity) -> const std::vector<int>& {
    const auto [place, is_new] = of_entity.try_emplace(entity);
    if (!is_new) return place->second;
    const Elements elements = elements_of(mesh.source, 2, entity, triangle3);
    for (std::size_t k = 0; k < elements.tags.size(); ++k)
      place->second.push_back(static_cast<int>(mesh.triangle_tags.size() + k));
    mesh.triangle_tags.insert(mesh.triangle_tags.end(), elements.tags.begin(), elements.tags.end());
    triangle_nodes.insert(triangle_nodes.end(), elements.nodes.begin(), elements.nodes.end());
    return place->second;
  };
  for_each_group_entity(2, [&](const std::string& name, int entity) {
    const std::vector<int>& indices = add(entity);
    auto& group = mesh.surfaces[name];
    group.insert(group.end(), indices.begin(), indices.end());
  });
  if (!mesh.surfaces.empty()) return;
  gmsh::vectorpair entities;
  gmsh::model::getEntities(entities, 2);
  for (const auto& [dim, entity] : entities) add(entity);
}

/// Numbers the nodes: by their tags for a file, and only those in use for a geometry meshed here.
std::unordered_map<std::size_t, int> number_nodes(Mesh& mesh, const Nodes& nodes,
                                                  const std::vector<std::size_t>& triangle_nodes,
                                                  bool keep_all) {
  std::set<std::size_t> tags(triangle_nodes.begin(), triangle_nodes.end());
  if (keep_all) tags.insert(nodes.tags.begin(), nodes.tags.end());
  mesh.node_tags.assign(tags.begin(), tags.end());
  mesh.nodes.resize(2, static_cast<Eigen::Index>(tags.size()));
  std::unordered_map<std::size_t, int> index;
  index.reserve(tags.size());
  for (std::size_t i = 0; i < mesh.node_tags.size(); ++i) {
    const std::size_t tag = mesh.node_tags[i];
    const auto found = nodes.position.find(tag);
    if (found == nodes.position.end())
      throw MeshError(fmt::format("{}: an element refers to node {}, which is not in the file",
                                  mesh.source, tag));
    const double* x = &nodes.coordinates[3 * found->second];
    if (x[2] != 0.0)
      throw MeshError(fmt::format("{}: node {} is at z = {:g}; a plane mesh with z = 0 is expected",
                                  mesh.source, tag, x[2]));
    mesh.nodes.col(static_cast<Eigen::Index>(i)) << x[0], x[1];
    index.emplace(tag, static_cast<int>(i));
  }
  return index;
}

void collect_curves(Mesh& mesh, const std::unordered_map<std::size_t, int>& index) {
  for_each_group_entity(1, [&](const std::string& name, int entity) {
    auto& edges = mesh.curves[name];
    const Elements lines = elements_of(mesh.source, 1, entity, line2);
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

Mesh read_mesh(const std::filesystem::path& file, std::optional<double> size) {
  Mesh mesh;
  mesh.source = file.string();
  const bool is_geo = file.extension() == ".geo";
  if (!is_geo && file.extension() != ".msh")
    throw MeshError(mesh.source + ": unknown mesh format; expected a Gmsh .msh or .geo file");
  if (!std::filesystem::is_regular_file(file)) throw MeshError(mesh.source + ": no such mesh file");
  if (!is_geo && size)
    throw MeshError(mesh.source + ": mesh.size is for .geo files; a .msh file is already meshed");

  const GmshSession session;
  if (is_geo)
    mesh_geo(mesh.source, size);
  else
    open_msh(mesh.source);
  const Nodes nodes = read_nodes();
  std::vector<std::size_t> triangle_nodes;
  collect_triangles(mesh, triangle_nodes);
  const auto index = number_nodes(mesh, nodes, triangle_nodes, !is_geo);
  mesh.triangles.resize(3, static_cast<Eigen::Index>(mesh.triangle_tags.size()));
  std::transform(triangle_nodes.begin(), triangle_nodes.end(), mesh.triangles.data(),
                 [&](std::size_t tag) { return index.at(tag); });
  check_and_orient(mesh);
  collect_curves(mesh, index);
  return mesh;
}

std::string gmsh_version() { return GMSH_API_VERSION; }

}  // namespace slipwave::fem
