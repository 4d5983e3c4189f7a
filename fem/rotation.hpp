#pragma once

#include "fem/mesh.hpp"

#include <Eigen/Core>
#include <vector>

namespace slipwave::fem {

/// How far a part of a mesh has turned.
struct Turn {
  double angle = 0.0;  ///< rad, from 0 to pi, either way round
  int part = -1;       ///< the first node of the body, or the triangle; -1 where nothing has turned
};

/// Finds the rotations in displacements of a mesh: what linear elasticity takes for small. One pass
/// over the nodes, another over the triangles; nothing is allocated after it is made.
class Rotations {
 public:
  /// With a mass for every node.
  Rotations(const Mesh& mesh, const Eigen::VectorXd& mass);

  /// The body that has turned most. Its rotation φ is that of the rigid motion nearest to the
  /// deformed body, the least of Σ m |R(φ) X + c − X − u|² over φ and c. With X from the centre of
  /// mass, c drops out and
  ///     φ = atan2(Σ m X × u, Σ m |X|² + Σ m X · u),
  /// which is exact for a rigid motion by any angle below π. Linear elasticity turns a body by
  /// u = a e_z × X, which gives tan φ = a and makes all its lengths 1/cos φ times as long.
  Turn largest_of_bodies(const Eigen::VectorXd& q) const;
  /// The triangle that has turned most: R(φ) of the polar decomposition of F = I + ∇u,
  ///     φ = atan2(∂v/∂x − ∂u/∂y, 2 + ∂u/∂x + ∂v/∂y).
  Turn largest_of_triangles(const Eigen::VectorXd& q) const;

 private:
  struct Body {
    std::vector<int> nodes;  // increasing
    Eigen::Matrix2Xd m_X;    // mass times place from the centre of mass, in the order of `nodes`
    double m_X_X = 0.0;
  };
  struct Triangle {
    Eigen::Vector3i nodes;
    Eigen::Vector2d first, second;  // edges from the first node, undeformed
  };

  std::vector<Body> bodies_;
  std::vector<Triangle> triangles_;
};

}  // namespace slipwave::fem
