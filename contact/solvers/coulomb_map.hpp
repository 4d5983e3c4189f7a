#pragma once

#include <Eigen/Core>
#include <algorithm>

namespace slipwave::contact {

/// Coulomb's law as a map, [AC91]: the normal part of y where it pushes,
/// and the nearest point to y_T of the disc that this allows,
///     C_N = max(0, y_N),   C_T = P(y_T; |·| <= μ C_N).
/// p = C(p − r w) for any r > 0 is the law itself: no |w_T| is needed, which has no derivative
/// where a contact sticks.
template <int d>
Eigen::Matrix<double, d, 1> coulomb_map(const Eigen::Matrix<double, d, 1>& y, double mu) {
  Eigen::Matrix<double, d, 1> C = y;
  C[0] = std::max(0.0, y[0]);
  const double norm_T = y.template tail<d - 1>().norm(), most = mu * C[0];
  if (norm_T > most) C.template tail<d - 1>() *= most / norm_T;
  return C;
}

/// C' at y: where it slips, with t = y_T / |y_T|, C_T' = (μt, μ y_N/|y_T| (I − ttᵀ)).
template <int d>
Eigen::Matrix<double, d, d> coulomb_map_derivative(const Eigen::Matrix<double, d, 1>& y,
                                                   double mu) {
  Eigen::Matrix<double, d, d> derivative = Eigen::Matrix<double, d, d>::Zero();
  if (!(y[0] > 0.0)) return derivative;
  derivative(0, 0) = 1.0;
  if (!(mu > 0.0)) return derivative;
  auto tangential = derivative.template bottomRightCorner<d - 1, d - 1>();
  tangential.setIdentity();
  const double norm_T = y.template tail<d - 1>().norm();
  if (norm_T <= mu * y[0]) return derivative;
  const Eigen::Matrix<double, d - 1, 1> t = y.template tail<d - 1>() / norm_T;
  tangential -= t * t.transpose();
  tangential *= mu * y[0] / norm_T;
  derivative.template bottomLeftCorner<d - 1, 1>() = mu * t;
  return derivative;
}

}  // namespace slipwave::contact
