#include "fem/material.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace slipwave::fem {

namespace {

/// The root s = (c_R/c_s)^2 in (0, 1) of Rayleigh's equation without its square roots,
///     s^3 - 8 s^2 + (24 - 16 k) s - 16 (1 - k) = 0,   k = (c_s/c_p)^2 < 1.
/// It is -16 (1 - k) at 0 and 1 at 1; where it vanishes between, (2 - s)^4 = 16 (1 - k s)(1 - s)
/// has positive square roots on both sides, so no root is spurious.
double rayleigh_root(double k) {
  double below = 0.0, above = 1.0;
  for (;;) {
    const double s = 0.5 * (below + above);
    if (s == below || s == above) return s;
    const bool low = ((s - 8.0) * s + 24.0 - 16.0 * k) * s < 16.0 * (1.0 - k);
    (low ? below : above) = s;
  }
}

}  // namespace

bool MaterialMap::covers(int triangle_count) const {
  return of_triangle.size() == static_cast<std::size_t>(triangle_count) &&
         std::all_of(of_triangle.begin(), of_triangle.end(), [&](int material) {
           return material >= 0 && static_cast<std::size_t>(material) < materials.size();
         });
}

Eigen::Matrix3d elasticity(const Material& material) {
  assert(material.young_modulus >= 0.0);
  assert(material.poisson_ratio > -1.0 && material.poisson_ratio < 1.0);
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
  const double c_s = std::sqrt(D(2, 2) / material.density);
  return {std::sqrt(D(0, 0) / material.density), c_s,
          c_s * std::sqrt(rayleigh_root(D(2, 2) / D(0, 0)))};
}

}  // namespace slipwave::fem
