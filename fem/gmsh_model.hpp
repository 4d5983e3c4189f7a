#pragma once

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
};

/// Has Gmsh read a `.msh` file, or mesh a `.geo` file, in a child process. Whatever becomes of that
/// process, a crash, an exit, a loop, a file that asks for all the memory, throws MeshError.
GmshModel run_gmsh(const std::filesystem::path& file, std::optional<double> size);

}  // namespace slipwave::fem
