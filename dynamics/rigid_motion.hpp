#pragma once

#include "fem/mesh.hpp"

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <vector>

namespace slipwave::dynamics {

/// A body that may turn as a whole. K does not see u = a e_z × X in exact arithmetic; in floating
/// point K u is the round-off of large forces that cancel, which does work and upsets the energy
/// balance of a body that turns and hardly deforms.
struct TurningBody {
  std::vector<int> nodes;   ///< increasing
  Eigen::Matrix2Xd arms;    ///< their places from that of the first
  std::array<int, 2> ends;  ///< of its largest triangle with the first node, as indices of `nodes`

  /// By how much the rotation must exceed the strain before it is taken out: below, K u keeps
  /// thirteen digits with it.
  static constexpr double much_more = 1000.0;

  /// The rotation a, from the displacements d_1, d_2 of the ends relative to the first node,
  ///     ∇u = [d_1 d_2] [X_1 X_2]^-1,   a = ½ (∂v/∂x − ∂u/∂y);
  /// 0 where the body is strained as well. `u` gives the displacement at a node.
  template <class U>
  double rotation(const U& u) const {
    const Eigen::Vector2d X_1 = arms.col(ends[0]), X_2 = arms.col(ends[1]);
    const Eigen::Vector2d u_0 = u(nodes.front());
    const Eigen::Vector2d d_1 = u(nodes[static_cast<std::size_t>(ends[0])]) - u_0;
    const Eigen::Vector2d d_2 = u(nodes[static_cast<std::size_t>(ends[1])]) - u_0;
    const double area2 = X_1[0] * X_2[1] - X_1[1] * X_2[0];
    const Eigen::Vector2d along_x = (d_1 * X_2[1] - d_2 * X_1[1]) / area2;
    const Eigen::Vector2d along_y = (d_2 * X_1[0] - d_1 * X_2[0]) / area2;
    const double a = 0.5 * (along_x[1] - along_y[0]);
    const double shear = 0.5 * (along_x[1] + along_y[0]);
    const double strain = std::abs(along_x[0]) + std::abs(along_y[1]) + std::abs(shear);
    return std::abs(a) > much_more * strain ? a : 0.0;
  }
};

/// The bodies of a mesh, with the largest triangle that is easily found in each.
std::vector<TurningBody> turning_bodies(const fem::Mesh& mesh);

/// Takes the rotations out of a vector: u(node) is its value there, subtract(node, Δu) changes it.
/// Costs next to nothing where no body turns much more than it is strained, and then keeps every
/// bit.
template <class U, class Subtract>
void take_out_rotations(const std::vector<TurningBody>& bodies, const U& u,
                        const Subtract& subtract) {
  for (const TurningBody& body : bodies) {
    const double a = body.rotation(u);
    if (a == 0.0) continue;
    for (std::size_t k = 0; k < body.nodes.size(); ++k) {
      const auto arm = body.arms.col(static_cast<Eigen::Index>(k));
      subtract(body.nodes[k], Eigen::Vector2d(-a * arm[1], a * arm[0]));
    }
  }
}

/// The same for a vector with two numbers a node.
void take_out_rotations(const std::vector<TurningBody>& bodies, Eigen::VectorXd& x);

}  // namespace slipwave::dynamics
