#pragma once

#include <Eigen/Core>

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::app {

/// The vertices of a group of an OBJ file, or of a whole STL file.
struct VertexPart {
  std::string name;
  std::vector<Eigen::Vector3d> vertices;
};

/// Reads Wavefront OBJ, where `g` and `o` begin parts, and STL of both kinds. A part has the
/// vertices of its faces, each once; a file without faces is one part. Throws UserError with the
/// line of an OBJ file that cannot be read.
std::vector<VertexPart> read_vertex_file(const std::filesystem::path& file);

}  // namespace slipwave::app
