#include "fem/assembly.hpp"

#include "fem/t3.hpp"
#include "parallel/team.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace slipwave::fem {

namespace {

/// Nodes that one thread does at a time.
constexpr int nodes_per_stretch = 512;

/// For every node its triangles, and its neighbours (itself included) in increasing order.
struct NodeGraph {
  std::vector<int> triangle_start, triangles;
  std::vector<int> neighbour_start, neighbours;

  int degree(int node) const {
    return neighbour_start[size_t(node) + 1] - neighbour_start[size_t(node)];
  }
};

void collect_triangles_of_nodes(const Mesh& mesh, NodeGraph& graph) {
  graph.triangle_start.assign(size_t(mesh.node_count()) + 1, 0);
  for (const int node : mesh.triangles.reshaped()) ++graph.triangle_start[size_t(node) + 1];
  std::partial_sum(graph.triangle_start.begin(), graph.triangle_start.end(),
                   graph.triangle_start.begin());
  graph.triangles.resize(size_t(3 * mesh.triangle_count()));
  std::vector<int> next(graph.triangle_start.begin(), graph.triangle_start.end() - 1);
  for (int e = 0; e < mesh.triangle_count(); ++e)
    for (int a = 0; a < 3; ++a) graph.triangles[size_t(next[size_t(mesh.triangles(a, e))]++)] = e;
}

/// The neighbours of one node, sorted, without repeats; returns their number.
int gather_neighbours(const Mesh& mesh, const NodeGraph& graph, int node, std::vector<int>& found) {
  found.clear();
  for (int k = graph.triangle_start[size_t(node)]; k < graph.triangle_start[size_t(node) + 1]; ++k)
    for (int a = 0; a < 3; ++a) found.push_back(mesh.triangles(a, graph.triangles[size_t(k)]));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return int(found.size());
}

NodeGraph node_graph(const Mesh& mesh) {
  NodeGraph graph;
  collect_triangles_of_nodes(mesh, graph);
  const int n = mesh.node_count();
  graph.neighbour_start.assign(size_t(n) + 1, 0);
  parallel::for_each_stretch(n, nodes_per_stretch, [&](int first, int last) {
    std::vector<int> found;
    for (int i = first; i < last; ++i)
      graph.neighbour_start[size_t(i) + 1] = gather_neighbours(mesh, graph, i, found);
  });
  std::partial_sum(graph.neighbour_start.begin(), graph.neighbour_start.end(),
                   graph.neighbour_start.begin());
  graph.neighbours.resize(size_t(graph.neighbour_start.back()));
  parallel::for_each_stretch(n, nodes_per_stretch, [&](int first, int last) {
    std::vector<int> found;
    for (int i = first; i < last; ++i) {
      gather_neighbours(mesh, graph, i, found);
      std::copy(found.begin(), found.end(),
                graph.neighbours.begin() + graph.neighbour_start[size_t(i)]);
    }
  });
  return graph;
}

/// An all-zero matrix whose rows 2i and 2i+1 couple to `columns_per_neighbour` dofs of each
/// neighbour.
SparseMatrix zero_matrix(const NodeGraph& graph, int columns_per_neighbour) {
  const int n = int(graph.neighbour_start.size()) - 1;
  SparseMatrix A(2 * n, 2 * n);
  const int entries = 2 * columns_per_neighbour * graph.neighbour_start.back();
  A.resizeNonZeros(entries);
  std::fill_n(A.valuePtr(), entries, 0.0);
  int* outer = A.outerIndexPtr();
  const auto fill_rows = [&](int i) {
    const int degree = graph.degree(i);
    for (int component = 0; component < 2; ++component) {
      int place =
          columns_per_neighbour * (2 * graph.neighbour_start[size_t(i)] + component * degree);
      outer[2 * i + component] = place;
      for (int k = 0; k < degree; ++k) {
        const int j = graph.neighbours[size_t(graph.neighbour_start[size_t(i)] + k)];
        if (columns_per_neighbour == 1) A.innerIndexPtr()[place++] = 2 * j + component;
        if (columns_per_neighbour == 2) A.innerIndexPtr()[place++] = 2 * j;
        if (columns_per_neighbour == 2) A.innerIndexPtr()[place++] = 2 * j + 1;
      }
    }
  };
  parallel::for_each_stretch(n, nodes_per_stretch, [&](int first, int last) {
    for (int i = first; i < last; ++i) fill_rows(i);
  });
  outer[2 * n] = entries;
  return A;
}

/// Adds a 2x2 block to rows 2i, 2i+1 of a matrix with full blocks; k is the neighbour's rank.
void add_block(SparseMatrix& A, int i, int k, const Eigen::Matrix2d& block) {
  for (int r = 0; r < 2; ++r) {
    double* row = A.valuePtr() + A.outerIndexPtr()[2 * i + r] + 2 * k;
    row[0] += block(r, 0);
    row[1] += block(r, 1);
  }
}

/// Adds the same scalar to both components of a matrix with diagonal blocks.
void add_scalar(SparseMatrix& A, int i, int k, double value) {
  for (int r = 0; r < 2; ++r) A.valuePtr()[A.outerIndexPtr()[2 * i + r] + k] += value;
}

}  // namespace

Matrices assemble(const Mesh& mesh, const MaterialMap& materials, MassKind mass) {
  assert(materials.covers(mesh.triangle_count()));
  const NodeGraph graph = node_graph(mesh);
  const bool damped = std::any_of(
      materials.materials.begin(), materials.materials.end(),
      [](const Material& m) { return m.rayleigh_mass != 0.0 || m.rayleigh_stiffness != 0.0; });
  std::vector<Eigen::Matrix3d> D;
  for (const Material& material : materials.materials) D.push_back(elasticity(material));
  Matrices matrices{zero_matrix(graph, 1), zero_matrix(graph, 2),
                    SparseMatrix(mesh.dof_count(), mesh.dof_count())};
  if (damped) matrices.C = zero_matrix(graph, 2);

  const auto add_rows = [&](int i) {
    const auto first = graph.neighbours.begin() + graph.neighbour_start[size_t(i)];
    const auto last = graph.neighbours.begin() + graph.neighbour_start[size_t(i) + 1];
    for (int k = graph.triangle_start[size_t(i)]; k < graph.triangle_start[size_t(i) + 1]; ++k) {
      const int e = graph.triangles[size_t(k)];
      const Eigen::Vector3i node = mesh.triangles.col(e);
      const int a = node[0] == i ? 0 : node[1] == i ? 1 : 2;
      const T3 element = t3(mesh, e);
      const Material& material = materials.at(e);
      for (int b = 0; b < 3; ++b) {
        const int column = int(std::lower_bound(first, last, node[b]) - first);
        const int mass_column =
            mass == MassKind::consistent ? column : int(std::lower_bound(first, last, i) - first);
        const Eigen::Matrix2d K_ab = stiffness_block(
            element, a, b, D[size_t(materials.of_triangle[size_t(e)])], material.thickness);
        const double M_ab = consistent_mass(element, a, b, material.density, material.thickness);
        add_block(matrices.K, i, column, K_ab);
        add_scalar(matrices.M, i, mass_column, M_ab);
        if (!damped) continue;
        add_block(matrices.C, i, column, material.rayleigh_stiffness * K_ab);
        add_block(matrices.C, i, mass_column,
                  material.rayleigh_mass * M_ab * Eigen::Matrix2d::Identity());
      }
    }
  };
  parallel::for_each_stretch(mesh.node_count(), nodes_per_stretch, [&](int first, int last) {
    for (int i = first; i < last; ++i) add_rows(i);
  });
  if (mass == MassKind::lumped)
    matrices.M.prune([](int row, int column, double) { return row == column; });
  return matrices;
}

}  // namespace slipwave::fem
