#include "fem/assembly.hpp"
#include "fem/gmsh/gmsh_reader.hpp"
#include "fem/stress.hpp"
#include "tests/fem/dirichlet.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

namespace slipwave::fem {

namespace {

Eigen::Vector2d linear_field(const Eigen::Vector2d& x) {
  return {0.3 + 1e-3 * x[0] - 2e-3 * x[1], -0.1 + 3e-3 * x[0] + 5e-4 * x[1]};
}

/// Stress of the linear field by Hooke's law in three dimensions: xx, yy, zz, xy.
Eigen::Vector4d hooke(const Material& material) {
  const double E = material.young_modulus, nu = material.poisson_ratio;
  const double lambda = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
  const double shear_modulus = E / (2.0 * (1.0 + nu));
  const double e_xx = 1e-3, e_yy = 5e-4, gamma_xy = 1e-3;
  const bool plane_strain = material.hypothesis == Hypothesis::plane_strain;
  const double e_zz = plane_strain ? 0.0 : -lambda / (lambda + 2.0 * shear_modulus) * (e_xx + e_yy);
  const double pressure = lambda * (e_xx + e_yy + e_zz);
  return {pressure + 2.0 * shear_modulus * e_xx, pressure + 2.0 * shear_modulus * e_yy,
          pressure + 2.0 * shear_modulus * e_zz, shear_modulus * gamma_xy};
}

}  // namespace

TEST_CASE(
    "fem/patch: a linear displacement of the boundary spreads linearly, with uniform stress") {
  const Mesh mesh = read_mesh(mesh_file("sliding_block_4mm.msh"));
  const std::vector<bool> fixed = on_block_boundary(mesh);
  const Eigen::VectorXd expected = nodal_values(mesh, linear_field);
  for (const Hypothesis hypothesis : {Hypothesis::plane_stress, Hypothesis::plane_strain}) {
    const MaterialMap materials = uniform(mesh, block_material(hypothesis));
    Eigen::VectorXd q = expected;
    for (int i = 0; i < mesh.node_count(); ++i)
      if (!fixed[static_cast<std::size_t>(i)]) q.segment<2>(2 * i).setConstant(1e3);  // forgotten
    solve_dirichlet(assemble(mesh, materials).K, Eigen::VectorXd::Zero(mesh.dof_count()), fixed, q);
    CHECK((q - expected).cwiseAbs().maxCoeff() <= 1e-12 * expected.cwiseAbs().maxCoeff());

    const Eigen::Vector4d sigma = hooke(materials.materials[0]);
    const StressField field = stress(mesh, materials, q);
    const auto difference = field.stress.topRows<4>().colwise() - sigma;
    CHECK(difference.cwiseAbs().maxCoeff() <= 1e-12 * sigma.cwiseAbs().maxCoeff());
  }
}

}  // namespace slipwave::fem
