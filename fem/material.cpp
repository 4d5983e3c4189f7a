#include "fem/material.hpp"

#include <cmath>

namespace slipwave::fem {

Eigen::Matrix3d elasticity(const Material& material) {
  // Plane strain is plane stress with E/(1-nu^2) and nu/(1-nu).
  const bool strain = material.hypothesis == Hypothesis::plane_strain;
  const double nu_0 = material.poisson_ratio;
  const double E = strain ? material.young_modulus / (1.0 - nu_0 * nu_0) : material.young_modulus;
  const double nu = strain ? nu_0 / (1.0 - nu_0) : nu_0;
  const double c = E / (1.0 - nu * nu);
  Eigen::Matrix3d D;
  D << c, c * nu, 0.0, c * nu, c, 0.0, 0.0, 0.0, c * (1.0 - nu) / 2.0;
  return D;
}

WaveSpeeds wave_speeds(const Material& material) {
  const Eigen::Matrix3d D = elasticity(material);
  return {std::sqrt(D(0, 0) / material.density), std::sqrt(D(2, 2) / material.density)};
}

}  // namespace slipwave::fem
