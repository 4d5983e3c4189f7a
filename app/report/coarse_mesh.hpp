#pragma once

#include "fem/mesh.hpp"

#include <array>
#include <vector>

namespace slipwave::app {

/// Some nodes of a mesh, and triangles between them that cover about the same body.
struct CoarseMesh {
  std::vector<int> nodes;                     ///< numbers in the mesh
  std::vector<std::array<int, 3>> triangles;  ///< of positions in `nodes`
};

/// The whole mesh where it has at most `most` nodes. Else the nodes are gathered in squares, one of
/// each square is kept (of the boundary where there is one, so that the outline stays), and the
/// triangles are those whose corners lie in three squares. For pictures, not for computing.
CoarseMesh coarsen(const fem::Mesh& mesh, int most);

}  // namespace slipwave::app
