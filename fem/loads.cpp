#include "fem/loads.hpp"

#include "fem/boundary.hpp"

#include <cassert>

namespace slipwave::fem {

namespace {

/// Half of each edge's force goes to each of its nodes: exact for a uniform traction on linear
/// edges.
template <class TractionOf>
Eigen::VectorXd edge_load(const Mesh& mesh, const MaterialMap& materials,
                          const std::string& curve_name, const TractionOf& traction_of) {
  assert(materials.covers(mesh.triangle_count()));
  Eigen::VectorXd load = Eigen::VectorXd::Zero(mesh.dof_count());
  for (const BoundaryEdge& edge : boundary_edges(mesh, curve_name)) {
    const Eigen::Vector2d half =
        0.5 * edge.length * materials.at(edge.triangle).thickness * traction_of(edge);
    for (const int node : edge.nodes) load.segment<2>(2 * node) += half;
  }
  return load;
}

}  // namespace

Eigen::VectorXd gravity_load(const SparseMatrix& M, int component) {
  assert(component == 0 || component == 1);
  Eigen::VectorXd field = Eigen::VectorXd::Zero(M.cols());
  for (Eigen::Index i = component; i < field.size(); i += 2) field[i] = 1.0;
  return M * field;
}

Eigen::VectorXd traction_load(const Mesh& mesh, const MaterialMap& materials,
                              const std::string& curve_name, int component) {
  assert(component == 0 || component == 1);
  return edge_load(mesh, materials, curve_name, [component](const BoundaryEdge&) {
    return Eigen::Vector2d(Eigen::Vector2d::Unit(component));
  });
}

Eigen::VectorXd pressure_load(const Mesh& mesh, const MaterialMap& materials,
                              const std::string& curve_name) {
  return edge_load(mesh, materials, curve_name,
                   [](const BoundaryEdge& edge) { return Eigen::Vector2d(-edge.normal); });
}

}  // namespace slipwave::fem
