#include "fem/assembly.hpp"
#include "fem/gmsh_reader.hpp"
#include "fem/t3.hpp"
#include "tests/fem/dirichlet.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

#include <array>
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

Eigen::Vector3d strain(const Eigen::Vector2d& x) {
  const double a = k_x * x[0], b = k_y * x[1];
  return {k_x * std::cos(a + 0.3) * std::cos(b), 0.5 * k_y * std::cos(a) * std::cos(b + 0.2),
          -k_y * std::sin(a + 0.3) * std::sin(b) - 0.5 * k_x * std::sin(a) * std::sin(b + 0.2)};
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

/// Visits the points (barycentric coordinates) and weights of the seven-point rule of degree five.
template <class Visit>
void for_each_point(const Visit& visit) {
  const double root = std::sqrt(15.0);
  visit(Eigen::Vector3d::Constant(1.0 / 3.0).eval(), 9.0 / 40.0);
  for (const double sign : {-1.0, 1.0})
    for (int corner = 0; corner < 3; ++corner) {
      Eigen::Vector3d point = Eigen::Vector3d::Constant((6.0 + sign * root) / 21.0);
      point[corner] = (9.0 - sign * 2.0 * root) / 21.0;
      visit(point, (155.0 + sign * root) / 1200.0);
    }
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
    for_each_point([&](const Eigen::Vector3d& point, double weight) {
      const Eigen::Vector2d force = body_force(D, mesh.nodes(Eigen::all, node) * point);
      for (int a = 0; a < 3; ++a) f.segment<2>(2 * node[a]) += weight * volume * point[a] * force;
    });
  }
  return f;
}

Errors errors(const Mesh& mesh, const Material& material, const Eigen::VectorXd& q) {
  const Eigen::Matrix3d D = elasticity(material);
  Errors result;
  for (int e = 0; e < mesh.triangle_count(); ++e) {
    const Eigen::Vector3i node = mesh.triangles.col(e);
    const T3 element = t3(mesh, e);
    Eigen::Matrix<double, 2, 3> values;
    Eigen::Vector3d strain_h = Eigen::Vector3d::Zero();
    for (int a = 0; a < 3; ++a) {
      values.col(a) = q.segment<2>(2 * node[a]);
      strain_h += element.B(a) * values.col(a);
    }
    for_each_point([&](const Eigen::Vector3d& point, double weight) {
      const Eigen::Vector2d x = mesh.nodes(Eigen::all, node) * point;
      const Eigen::Vector3d strain_error = strain(x) - strain_h;
      result.L2 += weight * element.area * (displacement(x) - values * point).squaredNorm();
      result.energy += weight * element.area * strain_error.dot(D * strain_error);
    });
  }
  return {std::sqrt(1000.0 / mesh.triangle_count()), std::sqrt(result.L2),
          std::sqrt(result.energy)};
}

Errors solve_on(double size, Hypothesis hypothesis) {
  const Mesh mesh = read_mesh(std::string(SLIPWAVE_ROOT) + "/meshes/sliding_block.geo", size);
  const Material material = block_material(hypothesis);
  Eigen::VectorXd q = nodal_values(mesh, displacement);
  solve_dirichlet(assemble(mesh, uniform(mesh, material)).K, load(mesh, material),
                  on_block_boundary(mesh), q);
  return errors(mesh, material, q);
}

double order(double error_0, double error_1, double h_0, double h_1) {
  return std::log(error_0 / error_1) / std::log(h_0 / h_1);
}

}  // namespace

TEST_CASE("fem/convergence: the quadrature of this test is exact to degree five") {
  // The integral of L1^a L2^b L3^c is 2 A a! b! c! / (a + b + c + 2)!.
  double one = 0.0, quadratic = 0.0, quintic = 0.0;
  for_each_point([&](const Eigen::Vector3d& L, double weight) {
    one += weight;
    quadratic += weight * L[0] * L[1];
    quintic += weight * L[0] * L[0] * L[1] * L[1] * L[2];
  });
  CHECK(one == doctest::Approx(1.0).epsilon(1e-14));
  CHECK(quadratic == doctest::Approx(1.0 / 12.0).epsilon(1e-14));
  CHECK(quintic == doctest::Approx(8.0 / 5040.0).epsilon(1e-13));
}

TEST_CASE("fem/convergence: second order in L2 and first order in energy, neither less nor more") {
  for (const Hypothesis hypothesis : {Hypothesis::plane_stress, Hypothesis::plane_strain}) {
    Errors coarse = solve_on(8.0, hypothesis);
    for (const double size : {4.0, 2.0, 1.0}) {
      CAPTURE(size);
      const Errors fine = solve_on(size, hypothesis);
      const double order_L2 = order(coarse.L2, fine.L2, coarse.h, fine.h);
      const double order_energy = order(coarse.energy, fine.energy, coarse.h, fine.h);
      MESSAGE(size << " L2 " << order_L2 << " energy " << order_energy);
      CHECK(std::abs(order_L2 - 2.0) <= 0.1);
      CHECK(std::abs(order_energy - 1.0) <= 0.1);
      coarse = fine;
    }
  }
}

}  // namespace slipwave::fem
