#include "app/report/coarse_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace slipwave::app {

namespace {

using Square = std::pair<long, long>;

/// Whether each node is at an edge that only one triangle has.
std::vector<bool> on_boundary(const fem::Mesh& mesh) {
  std::map<std::pair<int, int>, int> triangles_at;
  for (int e = 0; e < mesh.triangle_count(); ++e)
    for (int k = 0; k < 3; ++k)
      ++triangles_at[std::minmax({mesh.triangles(k, e), mesh.triangles((k + 1) % 3, e)})];
  std::vector<bool> boundary(static_cast<std::size_t>(mesh.node_count()), false);
  for (const auto& [edge, count] : triangles_at)
    if (count == 1)
      boundary[static_cast<std::size_t>(edge.first)] =
          boundary[static_cast<std::size_t>(edge.second)] = true;
  return boundary;
}

std::vector<Square> squares_of(const fem::Mesh& mesh, double side) {
  std::vector<Square> squares;
  for (const auto& place : mesh.nodes.colwise())
    squares.emplace_back(std::lround(place[0] / side), std::lround(place[1] / side));
  return squares;
}

/// Squares as small as leaves at most so many of them with a node.
std::vector<Square> gather(const fem::Mesh& mesh, int most) {
  const Eigen::Vector2d extent = mesh.nodes.rowwise().maxCoeff() - mesh.nodes.rowwise().minCoeff();
  for (double side = 0.5 * std::sqrt(extent.prod() / most);; side *= 1.1) {
    std::vector<Square> squares = squares_of(mesh, side);
    if (std::set<Square>(squares.begin(), squares.end()).size() <= static_cast<std::size_t>(most))
      return squares;
  }
}

CoarseMesh whole(const fem::Mesh& mesh) {
  CoarseMesh all;
  all.nodes.resize(static_cast<std::size_t>(mesh.node_count()));
  std::iota(all.nodes.begin(), all.nodes.end(), 0);
  for (const auto& corners : mesh.triangles.colwise())
    all.triangles.push_back({corners[0], corners[1], corners[2]});
  return all;
}

}  // namespace

CoarseMesh coarsen(const fem::Mesh& mesh, int most) {
  if (mesh.node_count() <= most) return whole(mesh);
  const std::vector<Square> squares = gather(mesh, most);
  const std::vector<bool> boundary = on_boundary(mesh);
  std::map<Square, int> kept;  // node of each square
  for (int i = 0; i < mesh.node_count(); ++i) {
    const auto [entry, is_new] = kept.try_emplace(squares[static_cast<std::size_t>(i)], i);
    if (!is_new && boundary[static_cast<std::size_t>(i)] &&
        !boundary[static_cast<std::size_t>(entry->second)])
      entry->second = i;
  }
  CoarseMesh coarse;
  std::map<Square, int> position;
  for (const auto& [square, node] : kept) {
    position[square] = static_cast<int>(coarse.nodes.size());
    coarse.nodes.push_back(node);
  }
  std::set<std::array<int, 3>> triangles;
  for (const auto& corners : mesh.triangles.colwise()) {
    std::array<int, 3> t{};
    for (int k = 0; k < 3; ++k)
      t[static_cast<std::size_t>(k)] = position[squares[static_cast<std::size_t>(corners[k])]];
    std::sort(t.begin(), t.end());
    if (t[0] != t[1] && t[1] != t[2]) triangles.insert(t);
  }
  coarse.triangles.assign(triangles.begin(), triangles.end());
  return coarse;
}

}  // namespace slipwave::app
