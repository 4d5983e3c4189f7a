#include "fem/assembly.hpp"
#include "fem/gmsh_reader.hpp"
#include "fem/t3.hpp"
#include "tests/fem/dirichlet.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

#include <algorithm>
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

/// Every triangle in four, by the middles of its sides.
Mesh refined(const Mesh& mesh) {
  std::vector<Eigen::Vector2d> nodes(mesh.nodes.colwise().begin(), mesh.nodes.colwise().end());
  std::vector<Eigen::Vector3i> triangles;
  std::map<Edge, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [place, is_new] =
        middles.try_emplace(Edge{std::min(a, b), std::max(a, b)}, int(nodes.size()));
    if (is_new) nodes.push_back(0.5 * (mesh.nodes.col(a) + mesh.nodes.col(b)));
    return place->second;
  };
  for (const auto& corner : mesh.triangles.colwise()) {
    const int a = corner[0], b = corner[1], c = corner[2];
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    for (const Eigen::Vector3i& part : {Eigen::Vector3i(a, ab, ca), Eigen::Vector3i(ab, b, bc),
                                        Eigen::Vector3i(ca, bc, c), Eigen::Vector3i(ab, bc, ca)})
      triangles.push_back(part);
  }
  return make_mesh(nodes, triangles);
}

Errors solve_on(const Mesh& mesh, Hypothesis hypothesis) {
  const Material material = block_material(hypothesis);
  std::vector<bool> fixed;
  for (const auto& x : mesh.nodes.colwise())
    fixed.push_back(x[0] == 0.0 || x[0] == 40.0 || x[1] == 0.0 || x[1] == 25.0);
  Eigen::VectorXd q = nodal_values(mesh, displacement);
  solve_dirichlet(assemble(mesh, uniform(mesh, material)).K, load(mesh, material), fixed, q);
  return errors(mesh, material, q);
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
