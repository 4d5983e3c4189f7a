#pragma once

#include <Eigen/Core>

namespace slipwave::app {

/// The small rigid motion that is nearest to displacements, all nodes weighing the same:
///     u(x) = a + ω J (x − c),   J = [0 −1; 1 0],   c the mean of the nodes.
struct RigidMotion {
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();       ///< c, a length
  Eigen::Vector2d translation = Eigen::Vector2d::Zero();  ///< a, a length
  double rotation = 0.0;                                  ///< ω, in radians

  Eigen::Vector2d at(const Eigen::Vector2d& x) const {
    const Eigen::Vector2d r = x - centre;
    return translation + rotation * Eigen::Vector2d(-r[1], r[0]);
  }
};

/// Nodes are columns, displacements x and y of each node in turn. At least one node.
RigidMotion best_fit(const Eigen::Matrix2Xd& nodes, const Eigen::VectorXd& q);

/// How a picture draws a body: its rigid motion as it is, the rest so many times as large.
struct Warp {
  double factor = 1.0;
  /// Whether its rotation is drawn as it is. A body that is held or lies on the ground turns a
  /// little as it shears or bends: that is part of the shape that a picture shows.
  bool spares_rotation = false;

  /// Of a best fit, what is not magnified.
  RigidMotion spared(RigidMotion motion) const;
};

/// Finds the warp that suits some frames of a body.
class WarpFinder {
 public:
  void add(const Eigen::Matrix2Xd& nodes, const Eigen::VectorXd& q);
  /// Rotations are spared where they move the nodes ten times as far as the deformation does. The
  /// factor is 1, 2 or 5 times a power of ten, at least 1, and makes the largest displacement
  /// without what is spared about 6 % of the body's diagonal.
  Warp result() const;

 private:
  double size_ = 0.0, turning_ = 0.0, deformation_ = 0.0, without_translation_ = 0.0;
};

/// x + u_rigid + factor (q − u_rigid), one column per node.
Eigen::Matrix2Xd warped(const Eigen::Matrix2Xd& nodes, const Eigen::VectorXd& q, const Warp& warp);

}  // namespace slipwave::app
