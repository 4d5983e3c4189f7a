#include "dynamics/energy_balance.hpp"

namespace slipwave::dynamics {

Energy mechanical_energy(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  const Eigen::VectorXd relative = in_bodies(system, q);
  return {0.5 * v.dot(system.M * v), 0.5 * relative.dot(system.K * relative)};
}

}  // namespace slipwave::dynamics
