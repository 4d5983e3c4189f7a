#pragma once

#include "fem/gmsh/sandbox.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::fem {

/// The elements of one type on one entity of Gmsh's model.
struct GmshElements {
  int dim = 0;
  int entity = 0;
  int nodes_per_element = 0;
  std::string type;                ///< Gmsh's name of it, such as "Triangle 3"
  std::vector<std::size_t> tags;   ///< of the elements
  std::vector<std::size_t> nodes;  ///< node tags, element by element
};

/// A physical group.
struct GmshGroup {
  int dim = 0;
  std::string name;  ///< its number if it has no name
  std::vector<int> entities;
};

/// What Gmsh makes of a file, as plain arrays.
struct GmshModel {
  std::string error;  ///< why there is nothing else, or empty
  std::vector<std::size_t> node_tags;
  std::vector<double> coordinates;     ///< three per node
  std::vector<int> surfaces;           ///< entities of dimension 2
  std::vector<GmshElements> elements;  ///< of dimension 1 and 2, by dimension and entity
  std::vector<GmshGroup> groups;       ///< of dimension 1 and 2
  std::vector<std::string> included;   ///< other files that it was made from, by their paths
};

/// What Gmsh may do with a file.
struct GmshRules {
  std::optional<double> seconds;          ///< in all; none: by the kind and length of the file
  std::optional<std::size_t> bytes;       ///< of memory; none: the same
  bool trust = false;                     ///< do all that the file says, without a sandbox
  bool can_confine = fem::can_confine();  ///< whether there is a sandbox
};

/// Has Gmsh read a `.msh` file, or mesh a `.geo` file, in a child process that may read the file's
/// folder and the system, and do nothing else (docs/decisions/0010). Where the system has no such
/// sandbox, scripts with commands that could do more are refused. Whatever becomes of that process,
/// a crash, an exit, a loop, a file that asks for all the memory, throws MeshError.
GmshModel run_gmsh(const std::filesystem::path& file, std::optional<double> size,
                   const GmshRules& rules);

}  // namespace slipwave::fem
