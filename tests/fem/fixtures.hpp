#pragma once

#include "fem/boundary.hpp"
#include "fem/material.hpp"
#include "fem/mesh.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace slipwave::fem {

/// A mesh of tests/data/meshes.
inline std::string mesh_file(const std::string& name) {
  return std::string(SLIPWAVE_TEST_DATA) + "/meshes/" + name;
}

/// A file that exists as long as this object; its name ends with `name`.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content)
      : path_(std::filesystem::temp_directory_path() /
              ("slipwave_" + std::to_string(getpid()) + "_" + name)) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A checked mesh from its nodes, triangles and curves.
inline Mesh make_mesh(const std::vector<Eigen::Vector2d>& nodes,
                      const std::vector<Eigen::Vector3i>& triangles,
                      std::map<std::string, std::vector<Edge>> curves = {}) {
  Mesh mesh;
  mesh.source = "made by hand";
  mesh.nodes.resize(2, static_cast<Eigen::Index>(nodes.size()));
  mesh.triangles.resize(3, static_cast<Eigen::Index>(triangles.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    mesh.nodes.col(static_cast<Eigen::Index>(i)) = nodes[i];
    mesh.node_tags.push_back(i + 1);
  }
  for (std::size_t e = 0; e < triangles.size(); ++e) {
    mesh.triangles.col(static_cast<Eigen::Index>(e)) = triangles[e];
    mesh.triangle_tags.push_back(e + 1);
  }
  mesh.curves = std::move(curves);
  check_and_orient(mesh);
  return mesh;
}

/// A rectangle with a corner at the origin, of columns x rows cells of two triangles.
inline Mesh rectangle(int columns, int rows, double width = 1.0, double height = 1.0) {
  std::vector<Eigen::Vector2d> nodes;
  std::vector<Eigen::Vector3i> triangles;
  const auto node = [&](int column, int row) { return row * (columns + 1) + column; };
  for (int row = 0; row <= rows; ++row)
    for (int column = 0; column <= columns; ++column)
      nodes.emplace_back(column * width / columns, row * height / rows);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int a = node(column, row), b = node(column + 1, row + 1);
      triangles.emplace_back(a, node(column + 1, row), b);
      triangles.emplace_back(a, b, node(column, row + 1));
    }
  return make_mesh(nodes, triangles);
}

/// Every triangle in four, by the middles of its sides.
inline Mesh refined(const Mesh& mesh) {
  std::vector<Eigen::Vector2d> nodes(mesh.nodes.colwise().begin(), mesh.nodes.colwise().end());
  std::vector<Eigen::Vector3i> triangles;
  std::map<Edge, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [place, is_new] =
        middles.try_emplace(Edge{std::min(a, b), std::max(a, b)}, int(nodes.size()));
    if (is_new) nodes.push_back(0.5 * (mesh.nodes.col(a) + mesh.nodes.col(b)));
    return place->second;
  };
  for (const auto& corner : mesh.triangles.colwise()) {
    const int a = corner[0], b = corner[1], c = corner[2];
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    for (const Eigen::Vector3i& part : {Eigen::Vector3i(a, ab, ca), Eigen::Vector3i(ab, b, bc),
                                        Eigen::Vector3i(ca, bc, c), Eigen::Vector3i(ab, bc, ca)})
      triangles.push_back(part);
  }
  return make_mesh(nodes, triangles);
}

/// The material of the paper's sliding block, in MPa, g/mm^3, mm.
inline Material block_material(Hypothesis hypothesis = Hypothesis::plane_stress) {
  return {5750.0, 0.358, 1.17e-3, 15.0, hypothesis, 0.0, 0.0};
}

/// The same material everywhere.
inline MaterialMap uniform(const Mesh& mesh, const Material& material) {
  return {{material}, std::vector<int>(static_cast<std::size_t>(mesh.triangle_count()), 0)};
}

/// Material 0 everywhere and material 1 on the physical surface `second`.
inline MaterialMap two_materials(const Mesh& mesh, const Material& material_0,
                                 const Material& material_1, const std::string& second) {
  MaterialMap map = uniform(mesh, material_0);
  map.materials.push_back(material_1);
  for (const int e : surface(mesh, second)) map.of_triangle[static_cast<std::size_t>(e)] = 1;
  return map;
}

/// Whether each node of the block is on its boundary.
inline std::vector<bool> on_block_boundary(const Mesh& mesh) {
  std::vector<bool> result(static_cast<std::size_t>(mesh.node_count()), false);
  for (const char* name : {"bottom", "right", "top", "left"})
    for (const int node : nodes_of_group(mesh, name)) result[static_cast<std::size_t>(node)] = true;
  return result;
}

/// The nodal values of a displacement field.
template <class Field>
Eigen::VectorXd nodal_values(const Mesh& mesh, const Field& field) {
  Eigen::VectorXd q(mesh.dof_count());
  for (int i = 0; i < mesh.node_count(); ++i)
    q.segment<2>(2 * i) = field(Eigen::Vector2d(mesh.nodes.col(i)));
  return q;
}

}  // namespace slipwave::fem
