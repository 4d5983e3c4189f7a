#include "fem/boundary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace slipwave::fem {

namespace {

/// Triangles on each side of the wanted edges: the one that runs along it, and the one that runs
/// against it.
std::map<Edge, std::array<int, 2>> sides_of(const Mesh& mesh, const std::vector<Edge>& edges) {
  std::map<Edge, std::array<int, 2>> sides;
  for (const Edge& edge : edges)
    sides.emplace(Edge{std::min(edge[0], edge[1]), std::max(edge[0], edge[1])},
                  std::array<int, 2>{-1, -1});
  for (int e = 0; e < mesh.triangle_count(); ++e)
    for (int a = 0; a < 3; ++a) {
      const int from = mesh.triangles(a, e);
      const int to = mesh.triangles((a + 1) % 3, e);
      const auto found = sides.find(Edge{std::min(from, to), std::max(from, to)});
      if (found != sides.end()) found->second[from < to ? 0 : 1] = e;
    }
  return sides;
}

/// The first edge of each piece: one that no other edge leads to, or any edge of a closed loop.
std::vector<std::size_t> piece_starts(const std::vector<BoundaryEdge>& edges,
                                      const std::map<int, std::size_t>& from) {
  std::set<int> ends;
  for (const BoundaryEdge& edge : edges) ends.insert(edge.nodes[1]);
  std::vector<std::size_t> starts;
  std::set<std::size_t> reached;
  const auto follow = [&](std::size_t k) {
    starts.push_back(k);
    while (reached.insert(k).second) {
      const auto next = from.find(edges[k].nodes[1]);
      if (next == from.end()) return;
      k = next->second;
    }
  };
  for (std::size_t k = 0; k < edges.size(); ++k)
    if (!ends.contains(edges[k].nodes[0])) follow(k);
  for (std::size_t k = 0; k < edges.size(); ++k)
    if (!reached.contains(k)) follow(k);
  return starts;
}

}  // namespace

std::vector<BoundaryEdge> boundary_edges(const Mesh& mesh, const std::string& curve_name) {
  const std::vector<Edge>& edges = curve(mesh, curve_name);
  const auto sides = sides_of(mesh, edges);
  std::vector<BoundaryEdge> result;
  for (const auto& [nodes, triangles] : sides) {
    const bool one_side = (triangles[0] < 0) != (triangles[1] < 0);
    if (!one_side)
      throw MeshError(fmt::format(
          "{}: physical curve \"{}\": the edge between nodes {} and {} is {}; expected a side of "
          "exactly one",
          mesh.source, curve_name, mesh.node_tags[size_t(nodes[0])],
          mesh.node_tags[size_t(nodes[1])],
          triangles[0] < 0 ? "a side of no triangle" : "inside the body, between two triangles"));
    BoundaryEdge edge;
    const bool forward = triangles[0] >= 0;
    edge.nodes = forward ? nodes : Edge{nodes[1], nodes[0]};
    edge.triangle = forward ? triangles[0] : triangles[1];
    const Eigen::Vector2d along = mesh.nodes.col(edge.nodes[1]) - mesh.nodes.col(edge.nodes[0]);
    edge.length = along.norm();
    edge.normal << along[1] / edge.length, -along[0] / edge.length;
    result.push_back(edge);
  }
  return result;
}

BoundaryLine boundary_line(const Mesh& mesh, const std::string& curve_name) {
  const std::vector<BoundaryEdge> edges = boundary_edges(mesh, curve_name);
  std::map<int, std::size_t> from;
  std::map<int, double> tributary;
  BoundaryLine line;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    from.emplace(edges[k].nodes[0], k);
    for (const int node : edges[k].nodes) tributary[node] += 0.5 * edges[k].length;
    line.mean_edge_length += edges[k].length / double(edges.size());
  }
  std::set<int> seen;
  int piece = 0;
  const auto visit = [&](int node) {
    if (!seen.insert(node).second) return false;
    line.nodes.push_back(node);
    line.tributary.push_back(tributary.at(node));
    line.piece.push_back(piece);
    return true;
  };
  for (const std::size_t start : piece_starts(edges, from)) {
    visit(edges[start].nodes[0]);
    // Not from.find() for the first edge: where a body is pinched, two edges leave the same node.
    for (std::size_t k = start; visit(edges[k].nodes[1]);) {
      const auto next = from.find(edges[k].nodes[1]);
      if (next == from.end()) break;
      k = next->second;
    }
    ++piece;
  }
  return line;
}

std::vector<int> nodes_of_group(const Mesh& mesh, const std::string& name) {
  std::set<int> nodes;
  if (mesh.surfaces.contains(name) && !mesh.curves.contains(name)) {
    for (const int e : surface(mesh, name))
      for (int a = 0; a < 3; ++a) nodes.insert(mesh.triangles(a, e));
  } else {
    for (const Edge& edge : curve(mesh, name)) nodes.insert(edge.begin(), edge.end());
  }
  return {nodes.begin(), nodes.end()};
}

}  // namespace slipwave::fem
