#include "dynamics/solids/spin.hpp"

#include <Eigen/LU>

#include <limits>

namespace slipwave::dynamics {

namespace {

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d result;
  result << 0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0;
  return result;
}

}  // namespace

Eigen::Vector3d spin_between(const Eigen::Matrix3d& J, const Eigen::Vector3d& spin,
                             const Eigen::Vector3d& L, double theta, double h) {
  constexpr int most_iterations = 30;
  Eigen::Vector3d w = spin;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_iterations; ++k) {
    const Eigen::Vector3d Jw = J * w;
    const Eigen::Vector3d F = J * (w - spin) + theta * (h * w.cross(Jw) - L);
    const Eigen::Matrix3d dF = J + theta * h * (cross_matrix(w) * J - cross_matrix(Jw));
    const Eigen::Vector3d dw = dF.partialPivLu().solve(F);
    const double size = dw.norm();
    if (!(size < last)) break;  // round-off is reached
    w -= dw;
    last = size;
  }
  return w;
}

Eigen::Quaterniond turned_by_cayley(const Eigen::Quaterniond& q, const Eigen::Vector3d& spin,
                                    double h) {
  const Eigen::Vector3d half = 0.5 * h * spin;
  return (q * Eigen::Quaterniond(1.0, half[0], half[1], half[2])).normalized();
}

}  // namespace slipwave::dynamics
