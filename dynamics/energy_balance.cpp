#include "dynamics/energy_balance.hpp"

#include <cmath>

namespace slipwave::dynamics {

double Works::sum() const {
  return external + damping + prescribed + numerical + contact_normal + contact_tangential +
         projection;
}

double Works::sum_of_magnitudes() const {
  return std::abs(external) + std::abs(damping) + std::abs(prescribed) + std::abs(numerical) +
         std::abs(contact_normal) + std::abs(contact_tangential) + std::abs(projection);
}

Works& Works::operator+=(const Works& other) {
  external += other.external;
  damping += other.damping;
  prescribed += other.prescribed;
  numerical += other.numerical;
  contact_normal += other.contact_normal;
  contact_tangential += other.contact_tangential;
  projection += other.projection;
  return *this;
}

Energy mechanical_energy(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  const Eigen::VectorXd relative = in_bodies(system, q);
  return {0.5 * v.dot(system.M * v), 0.5 * relative.dot(system.K * relative)};
}

}  // namespace slipwave::dynamics
