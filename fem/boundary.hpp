#pragma once

#include "fem/mesh.hpp"

#include <string>
#include <vector>

namespace slipwave::fem {

/// A physical curve as the nodes one meets when walking along it, material on the left.
/// A curve in several pieces gives the pieces one after the other.
struct BoundaryLine {
  std::vector<int> nodes;         ///< each node once, in order
  std::vector<double> tributary;  ///< half the length of the edges at each node
  std::vector<int> piece;         ///< which connected piece each node belongs to, from 0
  double mean_edge_length = 0.0;
};

/// One edge of a curve with the triangle behind it.
struct BoundaryEdge {
  Edge nodes;  ///< in the direction that has the material on its left
  int triangle = 0;
  double length = 0.0;
  Eigen::Vector2d normal;  ///< unit, outward
};

/// The edges of a physical curve with their triangles.
/// Throws MeshError where an edge is not a side of exactly one triangle (a curve inside the body).
std::vector<BoundaryEdge> boundary_edges(const Mesh& mesh, const std::string& curve_name);

/// The curve sorted along the boundary.
BoundaryLine boundary_line(const Mesh& mesh, const std::string& curve_name);

/// The nodes of a physical curve or, if there is no such curve, of a physical surface; increasing,
/// each once. Throws MeshError listing the groups there are.
std::vector<int> nodes_of_group(const Mesh& mesh, const std::string& name);

}  // namespace slipwave::fem
