#pragma once

#include "dynamics/few_dofs_system.hpp"

#include <functional>

namespace slipwave::dynamics {

/// What a plane rigid body is made of. Positions are in the frame that moves with the body; its
/// origin is the point whose place, with the angle, is q.
struct RigidBodyData {
  double mass = 1.0;
  double inertia = 1.0;                            ///< about the centre of mass
  Eigen::Vector2d centre{0.0, 0.0};                ///< the centre of mass
  Eigen::Vector2d gravity{0.0, 0.0};               ///< acceleration
  std::vector<Eigen::Vector2d> contact_positions;  ///< one per contact
  std::vector<Eigen::Vector2d> outline;            ///< for pictures: corners of the body
  std::vector<ContactLaw> laws;                    ///< one per contact
  /// μ(q) of every contact instead of that of its law; or empty.
  std::function<double(const Eigen::VectorXd& q)> friction;
};

/// A plane rigid body above the rigid ground y = 0, q = (x, y, γ) with γ anticlockwise. At a
/// material point r the frame is n = (0, 1), t = (−1, 0), as in [AC24, section 5.1]:
///     g = y + (R r)_y,   H = [0, 1, (R r)_x; −1, 0, (R r)_y],   R the rotation by γ.
/// With the centre of mass at c in the body's frame,
///     M = [m 1, m J R c; ., I + m |c|²],   f = (m γ'² R c, 0),   J the rotation by 90°,
/// so that M is constant if q is the place of the centre of mass.
class RigidBody : public FewDofsSystem {
 public:
  /// Throws std::invalid_argument if there is not one law per contact.
  explicit RigidBody(RigidBodyData data);

  const RigidBodyData& data() const { return data_; }
  /// Where a material point is.
  static Eigen::Vector2d place(const Eigen::VectorXd& q, const Eigen::Vector2d& r);
  /// −m g · (place of the centre of mass).
  double potential_energy(const Eigen::VectorXd& q) const;

  int dof_count() const override { return 3; }
  const std::vector<ContactLaw>& contacts() const override { return data_.laws; }
  void inertia(const Eigen::VectorXd& q, Eigen::MatrixXd& M) const override;
  void applied_force(double t, const Eigen::VectorXd& q, Eigen::VectorXd& F) const override;
  void inertial_force(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                      Eigen::VectorXd& f) const override;
  void gaps(const Eigen::VectorXd& q, Eigen::VectorXd& g) const override;
  void directions(const Eigen::VectorXd& q, Eigen::MatrixXd& H) const override;
  double friction(int contact, const Eigen::VectorXd& q) const override;

 private:
  RigidBodyData data_;
};

/// A stick of a length l that touches with its lower end r = (0, −l/2): [AC24, section 5.1], and
/// Painlevé's rod. The place of the body is that of its centre of mass, or of that end.
RigidBodyData stick(double mass, double length, bool placed_by_end = false);

/// A rectangle b × l that touches with its two lower corners, [AC24, section 5.2]. The published
/// trajectories have the inertia m b l / 12 instead of m (b² + l²) / 12, which is set here.
RigidBodyData block(double mass, double width, double height);

}  // namespace slipwave::dynamics
