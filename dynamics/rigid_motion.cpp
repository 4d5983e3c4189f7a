#include "dynamics/rigid_motion.hpp"

#include <map>

namespace slipwave::dynamics {

std::vector<TurningBody> turning_bodies(const fem::Mesh& mesh) {
  const std::vector<int> first = fem::body_of_nodes(mesh);
  std::map<int, std::vector<int>> nodes_of_body;
  for (int node = 0; node < mesh.node_count(); ++node)
    nodes_of_body[first[static_cast<std::size_t>(node)]].push_back(node);
  std::vector<TurningBody> bodies;
  for (auto& [anchor, nodes] : nodes_of_body) {
    Eigen::Matrix2Xd arms = mesh.nodes(Eigen::all, nodes).colwise() - mesh.nodes.col(anchor);
    Eigen::Index far = 0, aside = 0;  // farthest from the first node, and from the line to it
    arms.colwise().squaredNorm().maxCoeff(&far);
    const Eigen::RowVector2d across(-arms(1, far), arms(0, far));
    (across * arms).cwiseAbs().maxCoeff(&aside);
    bodies.push_back(
        {std::move(nodes), std::move(arms), {static_cast<int>(far), static_cast<int>(aside)}});
  }
  return bodies;
}

void take_out_rotations(const std::vector<TurningBody>& bodies, Eigen::VectorXd& x) {
  take_out_rotations(
      bodies, [&](int node) -> Eigen::Vector2d { return x.segment<2>(2 * node); },
      [&](int node, const Eigen::Vector2d& du) { x.segment<2>(2 * node) -= du; });
}

}  // namespace slipwave::dynamics
