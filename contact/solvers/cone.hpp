#pragma once

#include <Eigen/Core>

namespace slipwave::contact {

/// P_K' at x, K the cone |x_T| <= mu x_N: the identity inside, 0 where x projects to 0, and where
/// it projects onto the edge e eᵀ/(1+μ²) + (μ a/|x_T|) Q with e = (1, μt), t = x_T/|x_T|, a = (x_N
/// + μ|x_T|)/(1+μ²), Q = I − ttᵀ.
template <int d>
Eigen::Matrix<double, d, d> cone_derivative(const Eigen::Matrix<double, d, 1>& x, double mu) {
  using Block = Eigen::Matrix<double, d, d>;
  const double norm_T = x.template tail<d - 1>().norm();
  if (mu > 0.0 && norm_T <= mu * x[0]) return Block::Identity();
  if (mu * norm_T <= -x[0]) return Block::Zero();
  Eigen::Matrix<double, d, 1> e = Eigen::Matrix<double, d, 1>::UnitX();
  if (norm_T == 0.0) return e * e.transpose();
  const Eigen::Matrix<double, d - 1, 1> t = x.template tail<d - 1>() / norm_T;
  e.template tail<d - 1>() = mu * t;
  Block derivative = e * e.transpose() / (1.0 + mu * mu);
  const double bend = mu * (x[0] + mu * norm_T) / ((1.0 + mu * mu) * norm_T);
  derivative.template bottomRightCorner<d - 1, d - 1>() +=
      bend * (Eigen::Matrix<double, d - 1, d - 1>::Identity() - t * t.transpose());
  return derivative;
}

}  // namespace slipwave::contact
