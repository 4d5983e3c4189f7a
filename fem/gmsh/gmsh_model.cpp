#include "fem/gmsh/gmsh_model.hpp"

#include "fem/gmsh/child_process.hpp"
#include "fem/gmsh/geo_script.hpp"
#include "fem/mesh.hpp"

#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <type_traits>
#include <utility>

namespace slipwave::fem {

namespace {

/// Puts values into bytes.
class Packer {
 public:
  template <class T>
  void value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  template <class List>
  void list(const List& values) {
    value(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()),
                  values.size() * sizeof(typename List::value_type));
  }
  template <class T>
  std::size_t count(const std::vector<T>& values) {
    value(values.size());
    return values.size();
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Takes them out again; throws MeshError where there are too few.
class Unpacker {
 public:
  explicit Unpacker(const std::string& bytes) : bytes_(bytes) {}
  template <class T>
  void value(T& v) {
    std::memcpy(&v, next(sizeof v, 1), sizeof v);
  }
  template <class List>
  void list(List& values) {
    std::size_t size = 0;
    value(size);
    const char* from = next(size, sizeof(typename List::value_type));
    values.resize(size);
    if (size > 0) std::memcpy(values.data(), from, size * sizeof(typename List::value_type));
  }
  template <class T>
  std::size_t count(std::vector<T>& values) {
    std::size_t size = 0;
    value(size);
    if (size > bytes_.size()) throw MeshError("Gmsh sent too little");
    values.resize(size);
    return size;
  }

 private:
  const char* next(std::size_t count, std::size_t size) {
    if (count > (bytes_.size() - place_) / size) throw MeshError("Gmsh sent too little");
    place_ += count * size;
    return bytes_.data() + place_ - count * size;
  }

  const std::string& bytes_;
  std::size_t place_ = 0;
};

/// The order of the bytes, for both directions.
template <class Archive, class Model>
void exchange(Archive& archive, Model& model) {
  archive.list(model.error);
  archive.list(model.node_tags);
  archive.list(model.coordinates);
  archive.list(model.surfaces);
  const std::size_t lists = archive.count(model.elements);
  for (std::size_t i = 0; i < lists; ++i) {
    auto& elements = model.elements[i];
    archive.value(elements.dim);
    archive.value(elements.entity);
    archive.value(elements.nodes_per_element);
    archive.list(elements.type);
    archive.list(elements.tags);
    archive.list(elements.nodes);
  }
  const std::size_t groups = archive.count(model.groups);
  for (std::size_t i = 0; i < groups; ++i) {
    auto& group = model.groups[i];
    archive.value(group.dim);
    archive.list(group.name);
    archive.list(group.entities);
  }
}

void start_gmsh() {
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::option::setNumber("General.NumThreads", 1);  // the same mesh whatever the machine
  // Its errors are read from the log: thrown inside its own threads they would end the process.
  gmsh::option::setNumber("General.AbortOnError", 0);
  gmsh::logger::start();
}

/// The first error Gmsh has logged, or an empty string.
std::string first_error() {
  std::vector<std::string> log;
  gmsh::logger::get(log);
  for (const std::string& line : log)
    if (line.starts_with("Error: ")) return line.substr(7);
  return {};
}

/// Runs a Gmsh call; its failure, whatever its form, becomes a MeshError naming the file.
template <class Call>
void gmsh_call(const std::string& source, const Call& call) {
  std::string problem;
  try {
    call();
    problem = first_error();
  } catch (const std::bad_alloc&) {
    problem = "it asks for more memory than mesh.memory_limit gives";
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

/// A size that is a typing error would fill the memory, or be ignored by Gmsh when it is smaller
/// still.
void refuse_too_fine(const std::string& source, double size) {
  double x0 = 0.0, y0 = 0.0, z0 = 0.0, x1 = 0.0, y1 = 0.0, z1 = 0.0;
  gmsh::model::getBoundingBox(-1, -1, x0, y0, z0, x1, y1, z1);
  const double width = x1 - x0, height = y1 - y0;
  const double nodes = std::max(1.2 * (width / size) * (height / size), (width + height) / size);
  if (!(nodes <= 2e7))
    throw MeshError(fmt::format(
        "{}: mesh.size = {:g} would give up to {:.1g} nodes in the bounding box of {:g} x {:g}; at "
        "most 2e7 are supported",
        source, size, nodes, width, height));
}

/// Whether the script has a parameter of that name: Gmsh is then one of its clients.
bool has_parameter(const std::string& name) {
  std::string json;
  gmsh::onelab::get(json, name);
  return json.find("\"clients\"") != std::string::npos;
}

/// The script runs once: its parameter `size` has its value before, and is looked for after.
void mesh_geo(const std::string& source, std::optional<double> size) {
  if (size) gmsh::onelab::setNumber("size", {*size});
  gmsh_call(source, [&] { gmsh::open(source); });
  if (size) refuse_too_fine(source, *size);
  if (size && !has_parameter("size")) {
    gmsh::option::setNumber("Mesh.MeshSizeMin", *size);
    gmsh::option::setNumber("Mesh.MeshSizeMax", *size);
  }
  gmsh_call(source, [] { gmsh::model::mesh::generate(2); });
}

void collect_elements(int dim, int entity, GmshModel& model) {
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, dim, entity);
  for (std::size_t k = 0; k < types.size(); ++k) {
    GmshElements elements{dim, entity, 0, {}, std::move(tags[k]), std::move(nodes[k])};
    int element_dim = 0, order = 0, primary = 0;
    std::vector<double> local;
    gmsh::model::mesh::getElementProperties(types[k], elements.type, element_dim, order,
                                            elements.nodes_per_element, local, primary);
    if (!elements.tags.empty()) model.elements.push_back(std::move(elements));
  }
}

void collect_groups(int dim, GmshModel& model) {
  gmsh::vectorpair groups;
  gmsh::model::getPhysicalGroups(groups, dim);
  for (const auto& [group_dim, tag] : groups) {
    GmshGroup group{dim, {}, {}};
    gmsh::model::getPhysicalName(dim, tag, group.name);
    if (group.name.empty()) group.name = std::to_string(tag);
    gmsh::model::getEntitiesForPhysicalGroup(dim, tag, group.entities);
    model.groups.push_back(std::move(group));
  }
}

/// All of Gmsh's model that a plane mesh is made of.
void collect(GmshModel& model) {
  std::vector<double> parametric;
  gmsh::model::mesh::getNodes(model.node_tags, model.coordinates, parametric);
  for (const int dim : {1, 2}) {
    gmsh::vectorpair entities;
    gmsh::model::getEntities(entities, dim);
    for (const auto& [entity_dim, entity] : entities) {
      collect_elements(dim, entity, model);
      if (dim == 2) model.surfaces.push_back(entity);
    }
    collect_groups(dim, model);
  }
  std::stable_sort(model.elements.begin(), model.elements.end(),
                   [](const GmshElements& a, const GmshElements& b) {
                     return std::pair(a.dim, a.entity) < std::pair(b.dim, b.entity);
                   });
}

/// The work of the child process.
std::string packed_model(const std::string& source, bool is_geo, std::optional<double> size) {
  GmshModel model;
  try {
    start_gmsh();
    if (is_geo)
      mesh_geo(source, size);
    else
      gmsh_call(source, [&] { gmsh::open(source); });
    gmsh_call(source, [&] { collect(model); });
  } catch (const MeshError& error) {
    model = {};
    model.error = error.what();
  }
  Packer packer;
  exchange(packer, model);
  return packer.take();
}

/// A file is read at some 20 MB a second, and a byte of it becomes some 30 of Gmsh's. Geometries
/// are programs: 2e6 nodes take a minute and 3 GB.
ChildLimits limits_for(const std::filesystem::path& file, bool is_geo, const GmshRules& rules) {
  ChildLimits limits{.bytes = 8'000'000'000, .wall_seconds = rules.seconds.value_or(600.0)};
  if (!is_geo) {
    const std::size_t length = std::filesystem::file_size(file);
    limits.bytes = (std::size_t{1} << 30) + 64 * length;
    if (!rules.seconds) limits.seconds = 2 + static_cast<int>(length >> 20);
  }
  limits.bytes = rules.bytes.value_or(limits.bytes);
  return limits;
}

/// Whether the lengths of the lists agree, which a Gmsh that trod on its own memory may break.
bool is_consistent(const GmshModel& model) {
  return model.coordinates.size() == 3 * model.node_tags.size() &&
         std::all_of(model.elements.begin(), model.elements.end(), [](const GmshElements& list) {
           return list.nodes_per_element >= 0 &&
                  list.nodes.size() ==
                      list.tags.size() * static_cast<std::size_t>(list.nodes_per_element);
         });
}

constexpr const char* advice =
    "a mesh file may only describe a mesh. If you know that it does no harm, say so with --trust";

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Which commands do what is forbidden.
const std::set<std::string>& commands_for(Deed::Kind kind) {
  static const std::set<std::string> programs{"System",    "SystemCall",   "NonBlockingSystemCall",
                                              "OnelabRun", "OnelabAction", "ExternalProcess"};
  static const std::set<std::string> writing{"Save",  "Print",     "Printf",
                                             "Error", "CreateDir", "Plugin"};
  static const std::set<std::string> reading{
      "Include", "Merge", "MergeWithBoundingBox", "ShapeFromFile", "ListFromFile", "FileName"};
  if (kind == Deed::Kind::writing) return writing;
  return kind == Deed::Kind::reading ? reading : programs;
}

/// " (SystemCall in line 3)", or nothing where the script has no such word.
std::string command_behind(Deed::Kind kind, const std::string& source) {
  for (const GeoCommand& command : far_reaching_commands(content_of(source)))
    if (commands_for(kind).contains(command.name))
      return fmt::format(" ({} in line {})", command.name, command.line);
  return {};
}

std::string forbidden_text(const Deed& deed, const std::string& source) {
  std::string what = "tried to open a network connection";
  if (deed.kind == Deed::Kind::program) what = "tried to start a program";
  if (deed.kind == Deed::Kind::writing) what = "tried to write " + deed.path;
  if (deed.kind == Deed::Kind::reading)
    what = fmt::format("tried to read {}, which is not in its folder", deed.path);
  return fmt::format("{}{}: {}", what, command_behind(deed.kind, source), advice);
}

std::string why_nothing_came(const ChildResult& result, const ChildLimits& limits, bool is_geo,
                             const std::string& source) {
  if (result.forbidden.kind != Deed::Kind::none) return forbidden_text(result.forbidden, source);
  if (!result.confined) return fmt::format("this system did not let Gmsh be confined: {}", advice);
  if (result.out_of_time)
    return fmt::format(
        "Gmsh was still at work after {:g} s; if it needs longer, raise "
        "mesh.time_limit",
        limits.wall_seconds);
  if (result.signal == SIGXCPU || (result.signal == SIGKILL && limits.seconds > 0))
    return fmt::format("Gmsh was still reading it after {} s; the file is damaged", limits.seconds);
  const std::string how =
      result.signal == 0 ? "ended" : fmt::format("ended ({})", strsignal(result.signal));
  if (result.signal != 0 && 2 * result.most_bytes > limits.bytes)
    return fmt::format(
        "Gmsh {}, most likely for want of memory: mesh.memory_limit gives it {:.0f} MB", how,
        static_cast<double>(limits.bytes) / 1e6);
  if (!is_geo) return fmt::format("Gmsh {} while reading it; the file is damaged", how);
  return fmt::format("Gmsh {} before there was a mesh; the script must not call Exit or Abort",
                     how);
}

/// Without a sandbox Gmsh would do whatever a script says, and obey an option file beside it.
void require_harmless(const std::string& source, bool is_geo, bool trust,
                      const std::set<std::filesystem::path>& named) {
  std::set<std::filesystem::path> read = named;
  read.insert(source);
  for (const std::filesystem::path& file : read)
    if (std::filesystem::exists(file.string() + ".opt"))
      throw MeshError(
          fmt::format("{}.opt: Gmsh would obey this file, which only its sandbox hides; "
                      "rename or remove it",
                      file.string()));
  const std::vector<GeoCommand> commands =
      is_geo && !trust ? far_reaching_commands(content_of(source)) : std::vector<GeoCommand>{};
  if (!commands.empty())
    throw MeshError(
        fmt::format("{}: line {}: {}: this system has no sandbox for Gmsh (Landlock and "
                    "seccomp): {}",
                    source, commands.front().line, commands.front().name, advice));
}

/// A process and its pipes may not be had.
ChildResult run_child(const std::string& source, const std::function<std::string()>& work,
                      const ChildLimits& limits,
                      const std::optional<std::filesystem::path>& confined_to) {
  try {
    return run_in_child(work, limits, confined_to);
  } catch (const std::system_error& error) {
    throw MeshError(
        fmt::format("{}: Gmsh could not be started: {} (see `ulimit -a`)", source, error.what()));
  }
}

}  // namespace

GmshModel run_gmsh(const std::filesystem::path& file, std::optional<double> size,
                   const GmshRules& rules) {
  const std::string source = file.string();
  const bool is_geo = file.extension() == ".geo";
  const bool confined = rules.can_confine && !rules.trust;
  std::set<std::filesystem::path> included;
  if (!confined && is_geo) included = named_files(file);
  if (!confined) require_harmless(source, is_geo, rules.trust, included);
  const ChildLimits limits = limits_for(file, is_geo, rules);
  const ChildResult result = run_child(
      source, [&] { return packed_model(source, is_geo, size); }, limits,
      confined ? std::optional(file) : std::nullopt);
  if (!result.output)
    throw MeshError(
        fmt::format("{}: {}", source, why_nothing_came(result, limits, is_geo, source)));
  GmshModel model;
  Unpacker unpacker(*result.output);
  exchange(unpacker, model);
  if (!model.error.empty()) throw MeshError(model.error);
  if (!is_consistent(model)) throw MeshError(source + ": Gmsh could not read it: damaged lists");
  for (const std::filesystem::path& other : confined ? result.opened : included)
    model.included.push_back(other.string());
  return model;
}

}  // namespace slipwave::fem
