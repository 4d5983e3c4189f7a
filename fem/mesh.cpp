#include "fem/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

namespace slipwave::fem {

namespace {

template <class Group>
const Group& find_group(const std::map<std::string, Group>& groups, const std::string& name,
                        const std::string& kind, const std::string& source) {
  const auto found = groups.find(name);
  if (found != groups.end()) return found->second;
  std::string known;
  for (const auto& [key, value] : groups)
    known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", key);
  throw MeshError(fmt::format("{}: no physical {} named \"{}\"; the mesh has {}", source, kind,
                              name, known.empty() ? "none" : known));
}

double longest_edge_squared(const Mesh& mesh, int triangle) {
  const Eigen::Vector3i node = mesh.triangles.col(triangle);
  double longest = 0.0;
  for (int a = 0; a < 3; ++a) {
    const Eigen::Vector2d edge = mesh.nodes.col(node[(a + 1) % 3]) - mesh.nodes.col(node[a]);
    longest = std::max(longest, edge.squaredNorm());
  }
  return longest;
}

void refuse_zero_area(const Mesh& mesh, int triangle, double area2) {
  // A relative threshold: a mesh in metres and the same mesh in micrometres are judged alike.
  if (std::abs(area2) > 1e-12 * longest_edge_squared(mesh, triangle)) return;
  const Eigen::Vector3i node = mesh.triangles.col(triangle);
  throw MeshError(fmt::format(
      "{}: triangle {} (nodes {}, {}, {}) has zero area; remove it or move one of its nodes",
      mesh.source, mesh.triangle_tags[static_cast<std::size_t>(triangle)],
      mesh.node_tags[static_cast<std::size_t>(node[0])],
      mesh.node_tags[static_cast<std::size_t>(node[1])],
      mesh.node_tags[static_cast<std::size_t>(node[2])]));
}

void refuse_orphans(const Mesh& mesh) {
  std::vector<bool> used(static_cast<std::size_t>(mesh.node_count()), false);
  for (const int node : mesh.triangles.reshaped()) used[static_cast<std::size_t>(node)] = true;
  const auto orphan = std::find(used.begin(), used.end(), false);
  if (orphan == used.end()) return;
  const auto index = orphan - used.begin();
  throw MeshError(fmt::format(
      "{}: {} node(s) belong to no triangle, the first is node {} at ({:g}, {:g}); remove unused "
      "points from the geometry, or save only the physical groups (Mesh.SaveAll = 0)",
      mesh.source, std::count(used.begin(), used.end(), false),
      mesh.node_tags[static_cast<std::size_t>(index)], mesh.nodes(0, index), mesh.nodes(1, index)));
}

}  // namespace

const std::vector<Edge>& curve(const Mesh& mesh, const std::string& name) {
  return find_group(mesh.curves, name, "curve", mesh.source);
}

const std::vector<int>& surface(const Mesh& mesh, const std::string& name) {
  return find_group(mesh.surfaces, name, "surface", mesh.source);
}

double doubled_area(const Mesh& mesh, int triangle) {
  assert(triangle >= 0 && triangle < mesh.triangle_count());
  const Eigen::Vector3i node = mesh.triangles.col(triangle);
  const Eigen::Vector2d a = mesh.nodes.col(node[1]) - mesh.nodes.col(node[0]);
  const Eigen::Vector2d b = mesh.nodes.col(node[2]) - mesh.nodes.col(node[0]);
  return a[0] * b[1] - a[1] * b[0];
}

void check_and_orient(Mesh& mesh) {
  if (mesh.triangle_count() == 0)
    throw MeshError(mesh.source +
                    ": the mesh has no triangles; mesh the surface (gmsh -2) and put it in a "
                    "physical surface");
  if (!mesh.nodes.allFinite())
    throw MeshError(mesh.source + ": a node coordinate is not a finite number");
  for (int triangle = 0; triangle < mesh.triangle_count(); ++triangle) {
    const double area2 = doubled_area(mesh, triangle);
    refuse_zero_area(mesh, triangle, area2);
    if (area2 > 0.0) continue;
    std::swap(mesh.triangles(1, triangle), mesh.triangles(2, triangle));
    ++mesh.reoriented;
  }
  refuse_orphans(mesh);
}

std::vector<int> body_of_nodes(const Mesh& mesh) {
  // Union-find with the smaller index as the root.
  std::vector<int> parent(static_cast<std::size_t>(mesh.node_count()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int node) {
    while (parent[static_cast<std::size_t>(node)] != node) {
      int& up = parent[static_cast<std::size_t>(node)];
      node = up = parent[static_cast<std::size_t>(up)];
    }
    return node;
  };
  for (int e = 0; e < mesh.triangle_count(); ++e)
    for (int a = 1; a < 3; ++a) {
      const int first = root(mesh.triangles(0, e));
      const int second = root(mesh.triangles(a, e));
      parent[static_cast<std::size_t>(std::max(first, second))] = std::min(first, second);
    }
  std::vector<int> body(parent.size());
  std::transform(parent.begin(), parent.end(), body.begin(), root);
  return body;
}

double mean_edge_length(const Mesh& mesh) {
  double mean = 0.0;
  for (int triangle = 0; triangle < mesh.triangle_count(); ++triangle) {
    const Eigen::Vector3i node = mesh.triangles.col(triangle);
    for (int a = 0; a < 3; ++a) {
      const double length = (mesh.nodes.col(node[(a + 1) % 3]) - mesh.nodes.col(node[a])).norm();
      mean += length / (3.0 * mesh.triangle_count());
    }
  }
  return mean;
}

}  // namespace slipwave::fem
