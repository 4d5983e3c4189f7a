#include "app/plot/warp.hpp"

#include <algorithm>
#include <cmath>

namespace slipwave::app {

namespace {

using Eigen::Matrix2Xd;
using Eigen::Vector2d;
using Eigen::VectorXd;

/// What a picture shows as deformation, of the body's diagonal.
constexpr double shown_share = 0.06;
/// Turning is a rigid motion to be spared where it is so many times the deformation.
constexpr double turns_from = 10.0;

Eigen::Map<const Matrix2Xd> columns(const VectorXd& q) { return {q.data(), 2, q.size() / 2}; }

/// The nearest of 1, 2, 5, 10, 20, ...
double round_factor(double wanted) {
  double best = 1.0;
  const auto miss = [&](double factor) { return std::abs(std::log(factor / wanted)); };
  for (double power = 1.0; power <= 1e6; power *= 10.0)
    for (const double digit : {1.0, 2.0, 5.0})
      if (miss(digit * power) < miss(best)) best = digit * power;
  return best;
}

}  // namespace

RigidMotion best_fit(const Matrix2Xd& nodes, const VectorXd& q) {
  const auto u = columns(q);
  RigidMotion motion{nodes.rowwise().mean(), u.rowwise().mean(), 0.0};
  double moment = 0.0, inertia = 0.0;
  for (Eigen::Index i = 0; i < nodes.cols(); ++i) {
    const Vector2d r = nodes.col(i) - motion.centre, v = u.col(i) - motion.translation;
    moment += r[0] * v[1] - r[1] * v[0];
    inertia += r.squaredNorm();
  }
  if (inertia > 0.0) motion.rotation = moment / inertia;
  return motion;
}

RigidMotion Warp::spared(RigidMotion motion) const {
  if (!spares_rotation) motion.rotation = 0.0;
  return motion;
}

void WarpFinder::add(const Matrix2Xd& nodes, const VectorXd& q) {
  const RigidMotion motion = best_fit(nodes, q);
  size_ = std::max(size_, (nodes.rowwise().maxCoeff() - nodes.rowwise().minCoeff()).norm());
  const auto u = columns(q);
  for (Eigen::Index i = 0; i < nodes.cols(); ++i) {
    const Vector2d left = u.col(i) - motion.translation;
    const Vector2d turned = motion.at(nodes.col(i)) - motion.translation;
    turning_ = std::max(turning_, turned.norm());
    deformation_ = std::max(deformation_, (left - turned).norm());
    without_translation_ = std::max(without_translation_, left.norm());
  }
}

Warp WarpFinder::result() const {
  Warp warp;
  warp.spares_rotation = turning_ > turns_from * deformation_;
  const double largest = warp.spares_rotation ? deformation_ : without_translation_;
  // Below, a rigid motion leaves nothing but round-off.
  if (largest > 1e-9 * std::max(size_, turning_))
    warp.factor = round_factor(shown_share * size_ / largest);
  return warp;
}

Matrix2Xd warped(const Matrix2Xd& nodes, const VectorXd& q, const Warp& warp) {
  const RigidMotion rigid = warp.spared(best_fit(nodes, q));
  Matrix2Xd places = nodes;
  for (Eigen::Index i = 0; i < nodes.cols(); ++i) {
    const Vector2d u = rigid.at(nodes.col(i));
    places.col(i) += u + warp.factor * (columns(q).col(i) - u);
  }
  return places;
}

}  // namespace slipwave::app
