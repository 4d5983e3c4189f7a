#pragma once

#include "fem/gmsh/gmsh_model.hpp"
#include "fem/mesh.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace slipwave::fem {

/// Reads a Gmsh `.msh` file (2.2 or 4.1, ASCII or binary), or meshes a `.geo` file in memory.
/// `size` is for `.geo` files only: it sets the parameter `size` where the file defines one
/// (DefineConstant[ size = {1.0, Name "size"} ]), and otherwise bounds the element size from both
/// sides. Where the model has physical surfaces, only their triangles are kept, as Gmsh does when
/// it saves. The mesh is checked and oriented, see check_and_orient and refuse_folds, and two
/// groups must not have one name; throws MeshError otherwise, also where Gmsh crashes, exits, does
/// not end or would do what `rules` forbid: it runs in a child process.
Mesh read_mesh(const std::filesystem::path& file, std::optional<double> size = std::nullopt,
               const GmshRules& rules = {});

/// Version of the Gmsh library, such as "4.8.4".
std::string gmsh_version();

}  // namespace slipwave::fem
