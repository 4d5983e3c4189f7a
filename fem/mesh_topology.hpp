#pragma once

#include "fem/mesh.hpp"

#include <string>
#include <vector>

namespace slipwave::fem {

/// Throws MeshError where triangles, all counter-clockwise, cannot lie side by side in a plane: a
/// triangle twice, a side of three triangles, two triangles on the same side of their common one.
/// Nodes that stand twice in one place, as along a crack, are as good as any. O(n log n).
void refuse_folds(const Mesh& mesh);

/// Places of a mesh without folds that are seldom meant, one sentence for each kind with the first
/// place and their number: nodes of a body that lie on the side of one of its triangles without
/// being a node of it (it is open there), triangles that lie on triangles of the same body or of
/// another one. About a query of PointLocator per triangle and node of the boundary.
std::vector<std::string> doubtful_places(const Mesh& mesh);

}  // namespace slipwave::fem
