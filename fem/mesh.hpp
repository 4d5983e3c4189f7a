#pragma once

#include "parallel/alignment.hpp"

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace slipwave::fem {

/// A mesh that cannot be used; the message names the file, the entity and the remedy.
class MeshError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The two nodes of a boundary edge.
using Edge = std::array<int, 2>;

/// A plane mesh of three-node triangles, with its named boundary curves and surfaces.
struct Mesh {
  std::string source;                 ///< the file it came from, for messages
  std::vector<std::string> included;  ///< paths of other files that it was made from
  Eigen::Matrix2Xd nodes;      ///< undeformed coordinates, one column per node, in the file's order
  Eigen::Matrix3Xi triangles;  ///< node indices, counter-clockwise, one column per triangle
  std::map<std::string, std::vector<Edge>> curves;   ///< physical curves
  std::map<std::string, std::vector<int>> surfaces;  ///< physical surfaces: triangle indices
  std::vector<std::size_t> node_tags;                ///< the file's node numbers
  std::vector<std::size_t> triangle_tags;            ///< the file's element numbers
  int reoriented = 0;                                ///< triangles that were turned around

  int node_count() const { return static_cast<int>(nodes.cols()); }
  int triangle_count() const { return static_cast<int>(triangles.cols()); }
  int dof_count() const { return 2 * node_count(); }
};

/// The edges of a physical curve. Throws MeshError listing the curves there are.
const std::vector<Edge>& curve(const Mesh& mesh, const std::string& name);

/// The triangles of a physical surface. Throws MeshError listing the surfaces there are.
const std::vector<int>& surface(const Mesh& mesh, const std::string& name);

/// Makes every triangle counter-clockwise (counting those it turned), and throws MeshError for a
/// mesh without triangles, with a triangle of zero area (relative to its longest edge), or with a
/// node that belongs to no triangle.
void check_and_orient(Mesh& mesh);

/// Twice the signed area of a triangle: positive when counter-clockwise.
double doubled_area(const Mesh& mesh, int triangle);

/// For each node the first node of its body: of the triangles connected to it through shared nodes.
std::vector<int> body_of_nodes(const Mesh& mesh);

/// Mean length of the triangles' sides, for time-step advice.
double mean_edge_length(const Mesh& mesh);

}  // namespace slipwave::fem
