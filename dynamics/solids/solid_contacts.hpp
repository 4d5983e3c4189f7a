#pragma once

#include "collision/detection.hpp"
#include "contact/key.hpp"
#include "dynamics/solids/solids.hpp"

#include <Eigen/Core>

#include <vector>

namespace slipwave::dynamics {

/// A contact between two rigid bodies A and B, with u = H_A v_A + H_B v_B in its frame: at a point
/// r of a body's frame the velocity of space is ẋ + R(ω × r), so that
///     H_A = F [I, −R_A [r_A]×],   H_B = −F [I, −R_B [r_B]×].
/// One point serves both bodies: equal and opposite impulses there keep momentum and spin of the
/// pair to round-off.
struct SolidContact {
  using Part = Eigen::Matrix<double, 3, 6>;

  int A = 0, B = 0;  ///< A < B
  int law = 0;       ///< an index into Solids::laws
  contact::Key key = 0;
  double gap = 0.0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();  ///< F: rows normal, out of B, and tangents
  Part H_A, H_B;

  /// H v.
  Eigen::Vector3d velocity(const Eigen::VectorXd& v) const {
    return H_A * v.segment<6>(v_of(A)) + H_B * v.segment<6>(v_of(B));
  }
};

/// The frame of a contact, from its normal alone: rows n, t, n × t.
Eigen::Matrix3d frame_from(const Eigen::Vector3d& normal);

/// A contact's key: its bodies, and which of their features meet.
contact::Key key_of(int A, int B, std::uint32_t feature);

/// Finds the contacts of rigid bodies anew in every configuration.
class SolidContacts {
 public:
  /// The scene must outlive this.
  explicit SolidContacts(const Solids& solids);

  /// All of them within the alert distance, by increasing keys: max(the scene's, 2h|u|) with |u|
  /// the largest velocity of a body's points. `present` says which bodies there are.
  const std::vector<SolidContact>& find(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                        double h, const std::vector<char>& present);
  const std::vector<SolidContact>& list() const { return contacts_; }   ///< of the last find()
  const std::vector<collision::Pose>& poses() const { return poses_; }  ///< the same

 private:
  void add(const collision::Meeting& meeting);

  const Solids& solids_;
  collision::Detection detection_;
  std::vector<collision::Pose> poses_;
  std::vector<double> extents_, alert_;
  std::vector<SolidContact> contacts_;
};

}  // namespace slipwave::dynamics
