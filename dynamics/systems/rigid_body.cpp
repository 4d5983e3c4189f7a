#include "dynamics/systems/rigid_body.hpp"

#include <Eigen/Geometry>
#include <stdexcept>
#include <utility>

namespace slipwave::dynamics {

namespace {

Eigen::Vector2d turned(double angle, const Eigen::Vector2d& r) {
  return Eigen::Rotation2Dd(angle) * r;
}

Eigen::Vector2d quarter_turned(const Eigen::Vector2d& r) { return {-r[1], r[0]}; }

}  // namespace

RigidBody::RigidBody(RigidBodyData data) : data_(std::move(data)) {
  if (data_.laws.size() != data_.contact_positions.size())
    throw std::invalid_argument("a rigid body needs one law per contact");
}

Eigen::Vector2d RigidBody::place(const Eigen::VectorXd& q, const Eigen::Vector2d& r) {
  return q.head<2>() + turned(q[2], r);
}

double RigidBody::potential_energy(const Eigen::VectorXd& q) const {
  return -data_.mass * data_.gravity.dot(place(q, data_.centre));
}

void RigidBody::inertia(const Eigen::VectorXd& q, Eigen::MatrixXd& M) const {
  const Eigen::Vector2d first_moment = data_.mass * quarter_turned(turned(q[2], data_.centre));
  M.setZero();
  M(0, 0) = M(1, 1) = data_.mass;
  M.col(2).head<2>() = first_moment;
  M.row(2).head<2>() = first_moment.transpose();
  M(2, 2) = data_.inertia + data_.mass * data_.centre.squaredNorm();
}

void RigidBody::applied_force(double /*t*/, const Eigen::VectorXd& q, Eigen::VectorXd& F) const {
  F.head<2>() = data_.mass * data_.gravity;
  F[2] = F.head<2>().dot(quarter_turned(turned(q[2], data_.centre)));
}

void RigidBody::inertial_force(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                               Eigen::VectorXd& f) const {
  f.head<2>() = data_.mass * v[2] * v[2] * turned(q[2], data_.centre);
  f[2] = 0.0;
}

void RigidBody::gaps(const Eigen::VectorXd& q, Eigen::VectorXd& g) const {
  for (int a = 0; a < contact_count(); ++a)
    g[a] = place(q, data_.contact_positions[static_cast<std::size_t>(a)])[1];
}

void RigidBody::directions(const Eigen::VectorXd& q, Eigen::MatrixXd& H) const {
  for (int a = 0; a < contact_count(); ++a) {
    const Eigen::Vector2d arm = turned(q[2], data_.contact_positions[static_cast<std::size_t>(a)]);
    H.row(2 * a) << 0.0, 1.0, arm[0];
    H.row(2 * a + 1) << -1.0, 0.0, arm[1];
  }
}

double RigidBody::friction(int contact, const Eigen::VectorXd& q) const {
  if (data_.friction) return data_.friction(q);
  return largest_friction(data_.laws[static_cast<std::size_t>(contact)].friction);
}

RigidBodyData stick(double mass, double length, bool placed_by_end) {
  const Eigen::Vector2d half(0.0, 0.5 * length);
  RigidBodyData data;
  data.mass = mass;
  data.inertia = mass * length * length / 12.0;
  data.centre = placed_by_end ? half : Eigen::Vector2d::Zero();
  data.contact_positions = {data.centre - half};
  data.outline = {data.centre - half, data.centre + half};
  return data;
}

RigidBodyData block(double mass, double width, double height) {
  const double b = 0.5 * width, l = 0.5 * height;
  RigidBodyData data;
  data.mass = mass;
  data.inertia = mass * (width * width + height * height) / 12.0;
  data.contact_positions = {{-b, -l}, {b, -l}};
  data.outline = {{-b, -l}, {b, -l}, {b, l}, {-b, l}};
  return data;
}

}  // namespace slipwave::dynamics
