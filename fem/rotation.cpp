#include "fem/rotation.hpp"

#include <cassert>
#include <cmath>
#include <map>

namespace slipwave::fem {

namespace {

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a[0] * b[1] - a[1] * b[0];
}

/// The direction of largest angle from 0 to π among those it is shown, of any lengths.
struct LargestAngle {
  double x = 1.0, y = 0.0;
  int part = -1;

  void show(double new_x, double new_y, int new_part) {
    new_y = std::abs(new_y);
    if (!(x * new_y - y * new_x > 0.0)) return;
    x = new_x;
    y = new_y;
    part = new_part;
  }
  Turn turn() const { return {std::atan2(y, x), part}; }
};

}  // namespace

Rotations::Rotations(const Mesh& mesh, const Eigen::VectorXd& mass) {
  assert(mass.size() == mesh.node_count());
  const std::vector<int> first = body_of_nodes(mesh);
  std::map<int, std::vector<int>> nodes_of_body;
  for (int node = 0; node < mesh.node_count(); ++node)
    nodes_of_body[first[static_cast<std::size_t>(node)]].push_back(node);
  for (auto& [_, nodes] : nodes_of_body) {
    Body body{std::move(nodes), {}, 0.0};
    const Eigen::VectorXd m = mass(body.nodes);
    Eigen::Matrix2Xd X = mesh.nodes(Eigen::all, body.nodes);
    X.colwise() -= Eigen::Vector2d(X * m / m.sum());
    body.m_X = X * m.asDiagonal();
    body.m_X_X = body.m_X.cwiseProduct(X).sum();
    bodies_.push_back(std::move(body));
  }
  for (int e = 0; e < mesh.triangle_count(); ++e) {
    const Eigen::Vector3i nodes = mesh.triangles.col(e);
    triangles_.push_back({nodes, mesh.nodes.col(nodes[1]) - mesh.nodes.col(nodes[0]),
                          mesh.nodes.col(nodes[2]) - mesh.nodes.col(nodes[0])});
  }
}

Turn Rotations::largest_of_bodies(const Eigen::VectorXd& q) const {
  LargestAngle largest;
  for (const Body& body : bodies_) {
    const int anchor = body.nodes.front();
    const Eigen::Vector2d moved = q.segment<2>(2 * anchor);  // keeps the digits of a body far away
    double along = body.m_X_X, across = 0.0;
    for (std::size_t k = 0; k < body.nodes.size(); ++k) {
      const Eigen::Vector2d u = q.segment<2>(2 * body.nodes[k]) - moved;
      const Eigen::Vector2d m_X = body.m_X.col(static_cast<Eigen::Index>(k));
      along += m_X.dot(u);
      across += cross(m_X, u);
    }
    largest.show(along, across, anchor);
  }
  return largest.turn();
}

/// With the undeformed edges E and their displacements d, twice the area A times ∇u is
/// [d_1 d_2] [E_1 E_2]^-1 2A, and
///     2A (∂v/∂x − ∂u/∂y) = d_1·E_2 − d_2·E_1,   2A (∂u/∂x + ∂v/∂y) = d_1×E_2 + E_1×d_2.
Turn Rotations::largest_of_triangles(const Eigen::VectorXd& q) const {
  LargestAngle largest;
  for (std::size_t e = 0; e < triangles_.size(); ++e) {
    const auto& [nodes, E_1, E_2] = triangles_[e];
    const Eigen::Vector2d u = q.segment<2>(2 * nodes[0]);
    const Eigen::Vector2d d_1 = q.segment<2>(2 * nodes[1]) - u;
    const Eigen::Vector2d d_2 = q.segment<2>(2 * nodes[2]) - u;
    largest.show(2.0 * cross(E_1, E_2) + cross(d_1, E_2) + cross(E_1, d_2),
                 d_1.dot(E_2) - d_2.dot(E_1), static_cast<int>(e));
  }
  return largest.turn();
}

}  // namespace slipwave::fem
