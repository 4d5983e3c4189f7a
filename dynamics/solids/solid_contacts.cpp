#include "dynamics/solids/solid_contacts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <variant>

namespace slipwave::dynamics {

namespace {

constexpr int bits_of_a_feature = 24, bits_of_a_body = 20;

std::vector<collision::Collider> colliders_of(const Solids& solids) {
  std::vector<collision::Collider> colliders;
  for (const Solid& body : solids.bodies) {
    colliders.push_back(body.collider);
    colliders.back().moves = body.kind == Solid::Kind::free;
  }
  return colliders;
}

std::vector<std::vector<char>> who_touches(const Solids& solids) {
  std::vector<std::vector<char>> touches;
  for (const std::vector<int>& row : solids.law_of_groups) {
    std::vector<char>& of_group = touches.emplace_back();
    for (const int law : row) of_group.push_back(law >= 0);
  }
  return touches;
}

/// The points of a half-space are too many to have a largest velocity.
double extent_of(const collision::Shape& shape) {
  const auto* convex = std::get_if<collision::Convex>(&shape);
  return convex ? collision::extent(*convex) : 0.0;
}

/// F [I, −R [r]×] with r = Rᵀ(point − x): F R e_j × … by columns, F R (e_j × r).
SolidContact::Part part_of(const Eigen::Matrix3d& frame, const Eigen::Vector3d& point,
                           const collision::Pose& pose) {
  const Eigen::Vector3d r = pose.R.transpose() * (point - pose.x);
  Eigen::Matrix3d minus_r_cross;
  minus_r_cross << 0.0, r[2], -r[1], -r[2], 0.0, r[0], r[1], -r[0], 0.0;
  SolidContact::Part part;
  part << frame, frame * pose.R * minus_r_cross;
  return part;
}

}  // namespace

Eigen::Matrix3d frame_from(const Eigen::Vector3d& normal) {
  int least = 0;
  normal.cwiseAbs().minCoeff(&least);
  Eigen::Matrix3d frame;
  frame.row(0) = normal.transpose();
  frame.row(1) = normal.cross(Eigen::Vector3d::Unit(least)).normalized().transpose();
  frame.row(2) = normal.cross(Eigen::Vector3d(frame.row(1))).transpose();
  return frame;
}

contact::Key key_of(int A, int B, std::uint32_t feature) {
  assert(A >= 0 && A < B && B < 1 << bits_of_a_body && feature < 1U << bits_of_a_feature);
  return (static_cast<contact::Key>(A) << (bits_of_a_body + bits_of_a_feature)) |
         (static_cast<contact::Key>(B) << bits_of_a_feature) | feature;
}

SolidContacts::SolidContacts(const Solids& solids)
    : solids_(solids),
      detection_(colliders_of(solids), who_touches(solids)),
      poses_(solids.bodies.size()),
      alert_(solids.bodies.size()) {
  assert(fault_of(solids).empty());
  for (const Solid& body : solids.bodies) extents_.push_back(extent_of(body.collider.shape));
}

const std::vector<SolidContact>& SolidContacts::find(const Eigen::VectorXd& q,
                                                     const Eigen::VectorXd& v, double h,
                                                     const std::vector<char>& present) {
  for (int i = 0; i < solids_.body_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    poses_[k] = pose_in(q, i);
    const double speed =
        v.segment<3>(v_of(i)).norm() + extents_[k] * v.segment<3>(v_of(i) + 3).norm();
    alert_[k] = std::max(0.5 * solids_.alert, 2.0 * h * speed);
  }
  contacts_.clear();
  for (const collision::Meeting& meeting : detection_.find(poses_, alert_, present)) add(meeting);
  return contacts_;
}

void SolidContacts::add(const collision::Meeting& meeting) {
  const auto a = static_cast<std::size_t>(meeting.A), b = static_cast<std::size_t>(meeting.B);
  const auto group_of = [&](std::size_t body) {
    return static_cast<std::size_t>(solids_.bodies[body].collider.group);
  };
  SolidContact contact;
  contact.A = meeting.A;
  contact.B = meeting.B;
  contact.law = solids_.law_of_groups[group_of(a)][group_of(b)];
  contact.frame = frame_from(meeting.patch.normal);
  for (const collision::PatchPoint& point : meeting.patch.points) {
    contact.key = key_of(meeting.A, meeting.B, point.id);
    contact.gap = point.gap;
    contact.point = point.point;
    contact.H_A = part_of(contact.frame, point.point, poses_[a]);
    contact.H_B = -part_of(contact.frame, point.point, poses_[b]);
    contacts_.push_back(contact);
  }
}

}  // namespace slipwave::dynamics
