#include "fem/material.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace slipwave::fem {

TEST_CASE("fem/material: plane stress is E/(1-nu^2) [1 nu 0; nu 1 0; 0 0 (1-nu)/2]") {
  Eigen::Matrix3d D;
  D << 4.0 / 3.0, 2.0 / 3.0, 0.0, 2.0 / 3.0, 4.0 / 3.0, 0.0, 0.0, 0.0, 1.0 / 3.0;
  const Material material{1.0, 0.5, 1.0, 1.0, Hypothesis::plane_stress, 0.0, 0.0};
  CHECK((elasticity(material) - D).norm() <= 1e-15);
}

TEST_CASE("fem/material: plane strain is Hooke's law with Lame's coefficients") {
  const Material material = block_material(Hypothesis::plane_strain);
  const double E = 5750.0, nu = 0.358;
  const double lambda = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
  const double shear_modulus = E / (2.0 * (1.0 + nu));
  Eigen::Matrix3d D;
  D << lambda + 2.0 * shear_modulus, lambda, 0.0, lambda, lambda + 2.0 * shear_modulus, 0.0, 0.0,
      0.0, shear_modulus;
  CHECK((elasticity(material) - D).norm() <= 1e-14 * D.norm());
}

TEST_CASE("fem/material: the hypotheses agree where nu = 0") {
  const Material stress{3.0, 0.0, 1.0, 1.0, Hypothesis::plane_stress, 0.0, 0.0};
  const Material strain{3.0, 0.0, 1.0, 1.0, Hypothesis::plane_strain, 0.0, 0.0};
  CHECK(elasticity(stress) == elasticity(strain));
}

TEST_CASE("fem/material: the paper's block has the known wave speeds in mm/ms") {
  const WaveSpeeds stress = wave_speeds(block_material(Hypothesis::plane_stress));
  const WaveSpeeds strain = wave_speeds(block_material(Hypothesis::plane_strain));
  CHECK(std::abs(stress.shear - 1345.167) <= 5e-4);
  CHECK(std::abs(strain.shear - 1345.167) <= 5e-4);
  CHECK(std::abs(stress.pressure - 2374.234) <= 5e-4);
  CHECK(std::abs(strain.pressure - 2860.220) <= 5e-4);
  CHECK(std::abs(stress.rayleigh - 1239.7) <= 0.05);
}

TEST_CASE("fem/material: c_R solves Rayleigh's equation for every Poisson ratio") {
  for (const Hypothesis hypothesis : {Hypothesis::plane_stress, Hypothesis::plane_strain})
    for (double nu = -0.9; nu < 0.495; nu += 0.01) {
      const WaveSpeeds c = wave_speeds({5750.0, nu, 1.17e-3, 1.0, hypothesis, 0.0, 0.0});
      const double s = std::pow(c.rayleigh / c.shear, 2), r = std::pow(c.rayleigh / c.pressure, 2);
      CAPTURE(nu);
      CHECK((0.0 < s && s < 1.0));
      CHECK(std::abs(std::pow(2.0 - s, 2) - 4.0 * std::sqrt((1.0 - r) * (1.0 - s))) <= 1e-13);
    }
}

TEST_CASE("fem/material: c_R has the closed forms of lambda = mu and of nu = 1/2") {
  // lambda = mu (plane strain, nu = 1/4): (c_R/c_s)^2 = 2 - 2/sqrt(3).
  const WaveSpeeds poisson = wave_speeds({1.0, 0.25, 1.0, 1.0, Hypothesis::plane_strain, 0.0, 0.0});
  CHECK(std::abs(std::pow(poisson.rayleigh / poisson.shear, 2) - (2.0 - 2.0 / std::sqrt(3.0))) <=
        1e-14);
  // Incompressible: s^3 - 8 s^2 + 24 s - 16 = 0, s = 0.9126...
  const WaveSpeeds rubber =
      wave_speeds({1.0, 0.4999999, 1.0, 1.0, Hypothesis::plane_strain, 0.0, 0.0});
  CHECK(std::abs(rubber.rayleigh / rubber.shear - 0.955313) <= 1e-6);
}

}  // namespace slipwave::fem
