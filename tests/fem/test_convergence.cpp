#include "fem/assembly.hpp"
#include "fem/error_norms.hpp"
#include "fem/gmsh/gmsh_reader.hpp"
#include "fem/quadrature.hpp"
#include "fem/t3.hpp"
#include "tests/fem/dirichlet.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace slipwave::fem {

namespace {

constexpr double k_x = std::numbers::pi / 40.0, k_y = std::numbers::pi / 25.0;

/// u = (sin(k_x x + 0.3) cos(k_y y), 0.5 cos(k_x x) sin(k_y y + 0.2)).
Eigen::Vector2d displacement(const Eigen::Vector2d& x) {
  return {std::sin(k_x * x[0] + 0.3) * std::cos(k_y * x[1]),
          0.5 * std::cos(k_x * x[0]) * std::sin(k_y * x[1] + 0.2)};
}

Eigen::Matrix2d displacement_gradient(const Eigen::Vector2d& x) {
  const double a = k_x * x[0], b = k_y * x[1];
  Eigen::Matrix2d G;
  G << k_x * std::cos(a + 0.3) * std::cos(b), -k_y * std::sin(a + 0.3) * std::sin(b),
      -0.5 * k_x * std::sin(a) * std::sin(b + 0.2), 0.5 * k_y * std::cos(a) * std::cos(b + 0.2);
  return G;
}

/// f = -div(D strain), with the second derivatives of u and v written out.
Eigen::Vector2d body_force(const Eigen::Matrix3d& D, const Eigen::Vector2d& x) {
  const double a = k_x * x[0], b = k_y * x[1];
  const double u = std::sin(a + 0.3) * std::cos(b), v = 0.5 * std::cos(a) * std::sin(b + 0.2);
  const double u_xx = -k_x * k_x * u, u_yy = -k_y * k_y * u;
  const double u_xy = -k_x * k_y * std::cos(a + 0.3) * std::sin(b);
  const double v_xx = -k_x * k_x * v, v_yy = -k_y * k_y * v;
  const double v_xy = -0.5 * k_x * k_y * std::sin(a) * std::cos(b + 0.2);
  return {-(D(0, 0) * u_xx + D(0, 1) * v_xy + D(2, 2) * (u_yy + v_xy)),
          -(D(2, 2) * (u_xy + v_xx) + D(1, 0) * u_xy + D(1, 1) * v_yy)};
}

struct Errors {
  double h = 0.0;
  double L2 = 0.0;
  double energy = 0.0;
};

Eigen::VectorXd load(const Mesh& mesh, const Material& material) {
  const Eigen::Matrix3d D = elasticity(material);
  Eigen::VectorXd f = Eigen::VectorXd::Zero(mesh.dof_count());
  for (int e = 0; e < mesh.triangle_count(); ++e) {
    const Eigen::Vector3i node = mesh.triangles.col(e);
    const double volume = t3(mesh, e).area * material.thickness;
    for (const auto& [point, weight] : triangle_rule(5)) {
      const Eigen::Vector2d force = body_force(D, mesh.nodes(Eigen::all, node) * point);
      for (int a = 0; a < 3; ++a) f.segment<2>(2 * node[a]) += weight * volume * point[a] * force;
    }
  }
  return f;
}

Errors solve_on(const Mesh& mesh, Hypothesis hypothesis) {
  const Material material = block_material(hypothesis);
  std::vector<bool> fixed;
  for (const auto& x : mesh.nodes.colwise())
    fixed.push_back(x[0] == 0.0 || x[0] == 40.0 || x[1] == 0.0 || x[1] == 25.0);
  Eigen::VectorXd q = nodal_values(mesh, displacement);
  solve_dirichlet(assemble(mesh, uniform(mesh, material)).K, load(mesh, material), fixed, q);
  const Norms error =
      error_norms(mesh, uniform(mesh, material), q, {displacement, displacement_gradient}, 5).error;
  return {std::sqrt(1000.0 / mesh.triangle_count()), error.L2, error.energy};
}

struct Orders {
  double L2 = 0.0;
  double energy = 0.0;
};

Orders orders(const Errors& coarse, const Errors& fine) {
  const double refinement = std::log(coarse.h / fine.h);
  return {std::log(coarse.L2 / fine.L2) / refinement,
          std::log(coarse.energy / fine.energy) / refinement};
}

}  // namespace

TEST_CASE("fem/convergence: second order in L2 and first order in energy, neither less nor more") {
  for (const Hypothesis hypothesis : {Hypothesis::plane_stress, Hypothesis::plane_strain}) {
    Mesh mesh = read_mesh(mesh_file("sliding_block_4mm.msh"));
    Errors coarse = solve_on(mesh, hypothesis);
    for (int refinement = 1; refinement <= 3; ++refinement) {
      CAPTURE(refinement);
      mesh = refined(mesh);
      const Errors fine = solve_on(mesh, hypothesis);
      CHECK(std::abs(orders(coarse, fine).L2 - 2.0) <= 0.1);
      CHECK(std::abs(orders(coarse, fine).energy - 1.0) <= 0.1);
      coarse = fine;
    }
  }
}

TEST_CASE(
    "fem/convergence: first order in energy from 8 mm to 1 mm on meshes that Gmsh makes anew") {
  // No such statement in L2: between meshes that are not nested the constant of the error jumps by
  // a fifth, so that the order is 1.7 from 2 mm to 1 mm and 2.4 from 0.5 mm to 0.25 mm.
  const std::string geo = std::string(SLIPWAVE_ROOT) + "/meshes/sliding_block.geo";
  for (const Hypothesis hypothesis : {Hypothesis::plane_stress, Hypothesis::plane_strain}) {
    Errors coarse = solve_on(read_mesh(geo, 8.0), hypothesis);
    for (const double size : {4.0, 2.0, 1.0}) {
      CAPTURE(size);
      const Errors fine = solve_on(read_mesh(geo, size), hypothesis);
      CHECK(std::abs(orders(coarse, fine).energy - 1.0) <= 0.1);
      coarse = fine;
    }
  }
}

}  // namespace slipwave::fem
