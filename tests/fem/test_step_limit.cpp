#include "fem/step_limit.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>
#include <Eigen/Eigenvalues>

#include <cmath>
#include <random>

namespace slipwave::fem {

namespace {

using Eigen::MatrixXd;

/// A grid of 4 x 3 squares, moved at random and drawn out, so that its triangles are flat; cut
/// along either diagonal.
Mesh flat_mesh(std::mt19937& random, double flatness) {
  constexpr int nx = 4, ny = 3;
  std::uniform_real_distribution<double> jitter(-0.1, 0.1);
  std::vector<Eigen::Vector2d> nodes;
  std::vector<Eigen::Vector3i> triangles;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i)
      nodes.emplace_back(i + jitter(random), flatness * (j + jitter(random)));
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i, b = a + 1, c = b + nx + 1, d = a + nx + 1;
      const bool rising = random() % 2 == 0;
      triangles.emplace_back(a, b, rising ? c : d);
      triangles.emplace_back(rising ? a : b, c, d);
    }
  return make_mesh(nodes, triangles);
}

Material any_material(std::mt19937& random, bool damped) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Material material{
      .young_modulus = 100.0 + 900.0 * unit(random),
      .poisson_ratio = 0.45 * unit(random),
      .density = 0.5 + unit(random),
      .thickness = 2.0,
      .hypothesis = random() % 2 == 0 ? Hypothesis::plane_stress : Hypothesis::plane_strain};
  if (!damped) return material;
  material.rayleigh_mass = 5.0 * unit(random);
  material.rayleigh_stiffness = 2e-3 * unit(random);
  return material;
}

/// How much a step of moreau-explicit can grow a state: its spectral radius, by
///     q' = q + h v,  v' = v − h M⁻¹(K q' + C v).
double growth(const Matrices& matrices, double h) {
  const MatrixXd K(matrices.K), C(matrices.C);
  const auto M = MatrixXd(matrices.M).llt();
  const MatrixXd M_K = M.solve(K), M_C = M.solve(C), one = MatrixXd::Identity(K.rows(), K.rows());
  MatrixXd step(2 * K.rows(), 2 * K.rows());
  step << one, h * one, -h * M_K, one - h * M_C - h * h * M_K;
  return step.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("fem/step_limit: stable at 0.98 of it on flat meshes, and at most 2.2 times too small") {
  std::mt19937 random(4);
  double loosest = 0.0;
  for (int trial = 0; trial < 60; ++trial) {
    const double flatness = std::pow(10.0, -2.0 * (trial % 20) / 19.0);
    const bool damped = trial % 3 == 0;
    const MassKind mass = trial % 2 == 0 ? MassKind::consistent : MassKind::lumped;
    const Mesh mesh = flat_mesh(random, flatness);
    const MaterialMap materials = uniform(mesh, any_material(random, damped));
    const Matrices matrices = assemble(mesh, materials, mass);
    const double limit = explicit_step_limit(mesh, materials, mass);
    CAPTURE(trial);
    CAPTURE(flatness);
    // Rigid motions have the eigenvalue 1 twice, which round-off moves by its square root.
    CHECK(growth(matrices, 0.98 * limit) <= 1.0 + 1e-5);
    double unstable = 1.0;
    while (unstable < 3.0 && growth(matrices, unstable * limit) <= 1.001) unstable += 0.05;
    loosest = std::max(loosest, unstable);
  }
  MESSAGE("unstable at the latest at " << loosest << " times the limit");
  CHECK(loosest <= 2.2);
}

TEST_CASE("fem/step_limit: of a triangle alone it is sharp") {
  const Mesh mesh = make_mesh({{0, 0}, {3, 0}, {1.7, 0.05}}, {{0, 1, 2}});
  std::mt19937 random(1);
  for (const MassKind mass : {MassKind::consistent, MassKind::lumped})
    for (const bool damped : {false, true}) {
      const MaterialMap materials = uniform(mesh, any_material(random, damped));
      const Matrices matrices = assemble(mesh, materials, mass);
      const double limit = explicit_step_limit(mesh, materials, mass);
      CHECK(growth(matrices, 0.999 * limit) <= 1.0 + 1e-5);
      CHECK(growth(matrices, 1.001 * limit) > 1.001);
    }
}

}  // namespace slipwave::fem
