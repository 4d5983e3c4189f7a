#pragma once

#include "fem/mesh.hpp"

#include <string>

namespace slipwave::app {

/// SHA-256 of the mesh as it is used, as 64 hexadecimal digits: coordinates, triangles, node
/// numbers, physical curves and surfaces. The same file read twice gives the same digest; a .geo
/// meshed differently by another Gmsh does not. The file's name takes no part.
std::string mesh_digest(const fem::Mesh& mesh);

}  // namespace slipwave::app
