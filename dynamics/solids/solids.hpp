#pragma once

#include "collision/detection.hpp"
#include "dynamics/contact_law.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <functional>
#include <limits>
#include <vector>

namespace slipwave::dynamics {

/// How a driven body moves: the velocity of its origin and its spin, in the frame of space.
struct Twist {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();
};

/// The twist of a driven body at a time.
using Drive = std::function<Twist(double t)>;

/// A rigid body in space. Its frame has its origin at the centre of mass; the frame of a body that
/// nothing can push may have it anywhere.
struct Solid {
  enum class Kind { free, fixed, driven };

  collision::Collider collider;  ///< its shape, in its frame; `moves` follows from the kind
  Kind kind = Kind::free;
  double mass = 1.0;                                             ///< of a free body, positive
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity();         ///< J of a free body, in its frame
  Eigen::Vector3d place = Eigen::Vector3d::Zero();               ///< of the origin at the start
  Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();  ///< at the start, of unit length
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();            ///< at the start
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();  ///< ω at the start, in the body's frame
  /// Until then the body waits as it starts, its energy counted, and nothing meets it.
  double birth = -std::numeric_limits<double>::infinity();
  Drive drive;  ///< of a driven body
};

/// Rigid bodies in space that contacts alone couple, with gravity.
struct Solids {
  std::vector<Solid> bodies;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<ContactLaw> laws;
  /// Of a body of group g with one of group h: an index into `laws`, or -1 where they do not touch.
  std::vector<std::vector<int>> law_of_groups;
  /// Bodies closer than this are looked at, faster ones from farther on. At least the gap tolerance
  /// of every law.
  double alert = 0.0;

  int body_count() const { return static_cast<int>(bodies.size()); }
};

/// What is wrong with a scene of a program's own making, or nothing: names the body and what it
/// needs.
std::string fault_of(const Solids& solids);

// A state has 7 numbers of q per body, place and unit quaternion (w, x, y, z), and 6 of v, the
// velocity of the origin in the frame of space and the spin ω in that of the body.

/// Where a body starts in q, and in v.
constexpr int q_of(int body) { return 7 * body; }
/// The same in v.
constexpr int v_of(int body) { return 6 * body; }

/// Of a body in a state.
inline Eigen::Vector3d place_in(const Eigen::VectorXd& q, int body) {
  return q.segment<3>(q_of(body));
}
/// Of a body in a state.
inline Eigen::Quaterniond attitude_in(const Eigen::VectorXd& q, int body) {
  const auto p = q.segment<4>(q_of(body) + 3);
  return {p[0], p[1], p[2], p[3]};
}
/// Of a body in a state.
inline collision::Pose pose_in(const Eigen::VectorXd& q, int body) {
  return {place_in(q, body), attitude_in(q, body).toRotationMatrix()};
}

}  // namespace slipwave::dynamics
