#include "fem/t3.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>
#include <Eigen/Eigenvalues>

#include <limits>
#include <random>

namespace slipwave::fem {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A counter-clockwise triangle of any shape but slivers, near the origin.
Mesh random_triangle(std::mt19937_64& generator) {
  std::uniform_real_distribution<double> coordinate(-1.0, 1.0);
  while (true) {
    std::vector<Eigen::Vector2d> nodes;
    for (int a = 0; a < 3; ++a) nodes.emplace_back(coordinate(generator), coordinate(generator));
    const Mesh mesh = make_mesh(nodes, {{0, 1, 2}});
    if (doubled_area(mesh, 0) > 0.1) return mesh;
  }
}

Eigen::Vector3d strain(const Mesh& mesh, const Eigen::VectorXd& q) {
  Eigen::Vector3d result = Eigen::Vector3d::Zero();
  for (int a = 0; a < 3; ++a) result += t3(mesh, 0).B(a) * q.segment<2>(2 * mesh.triangles(a, 0));
  return result;
}

Eigen::Matrix<double, 6, 6> stiffness(const T3& element, const Material& material) {
  Eigen::Matrix<double, 6, 6> K;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      K.block<2, 2>(2 * a, 2 * b) =
          stiffness_block(element, a, b, elasticity(material), material.thickness);
  return K;
}

}  // namespace

TEST_CASE("fem/t3: rigid motions are free of strain, linear ones have theirs") {
  std::mt19937_64 generator(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const Mesh mesh = random_triangle(generator);
    const double round_off = 32.0 * epsilon * t3(mesh, 0).gradients.norm();
    for (const Eigen::Vector2d& direction : {Eigen::Vector2d(1.0, 0.0), Eigen::Vector2d(0.0, 1.0)})
      CHECK(strain(mesh, nodal_values(mesh, [&](const auto&) { return direction; })).norm() <=
            round_off);
    const auto rotation = [](const Eigen::Vector2d& x) { return Eigen::Vector2d(-x[1], x[0]); };
    CHECK(strain(mesh, nodal_values(mesh, rotation)).norm() <= round_off);
    const auto linear = [](const Eigen::Vector2d& x) {
      return Eigen::Vector2d(2.0 * x[0] + 3.0 * x[1], 5.0 * x[0] - 7.0 * x[1]);
    };
    const Eigen::Vector3d expected(2.0, -7.0, 8.0);
    CHECK((strain(mesh, nodal_values(mesh, linear)) - expected).norm() <= 10.0 * round_off);
  }
}

TEST_CASE("fem/t3: the gradients are those of functions that are 1 at their node and 0 at others") {
  std::mt19937_64 generator(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const Mesh mesh = random_triangle(generator);
    const T3 element = t3(mesh, 0);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const Eigen::Vector2d from_a =
            mesh.nodes.col(mesh.triangles(b, 0)) - mesh.nodes.col(mesh.triangles(a, 0));
        CHECK(1.0 + element.gradients.col(a).dot(from_a) ==
              doctest::Approx(a == b ? 1.0 : 0.0).epsilon(1e-13));
      }
  }
}

TEST_CASE("fem/t3: the mass of an element is rho A t per component") {
  std::mt19937_64 generator(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const T3 element = t3(random_triangle(generator), 0);
    double total = 0.0;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) total += consistent_mass(element, a, b, 7.0, 3.0);
    CHECK(std::abs(total - 21.0 * element.area) <= 8.0 * epsilon * total);
  }
}

TEST_CASE("fem/t3: the stiffness is symmetric, positive semi-definite and of rank 3") {
  std::mt19937_64 generator(4);
  for (const Hypothesis hypothesis : {Hypothesis::plane_stress, Hypothesis::plane_strain})
    for (int trial = 0; trial < 1000; ++trial) {
      const T3 element = t3(random_triangle(generator), 0);
      const Eigen::Matrix<double, 6, 6> K = stiffness(element, block_material(hypothesis));
      CHECK((K - K.transpose()).norm() <= 4.0 * epsilon * K.norm());
      const Eigen::Matrix<double, 6, 1> eigenvalues =
          Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>>(K).eigenvalues();
      CHECK(eigenvalues.head<3>().cwiseAbs().maxCoeff() <= 1e-14 * eigenvalues[5]);
      CHECK(eigenvalues[3] >= 1e-4 * eigenvalues[5]);
    }
}

TEST_CASE("fem/t3: the right triangle has its hand-computed matrices, exactly") {
  const T3 element = t3(make_mesh({{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}}, {{0, 1, 2}}), 0);
  CHECK(element.area == 0.5);
  const Material material{1.0, 0.0, 24.0, 1.0, Hypothesis::plane_stress, 0.0, 0.0};
  Eigen::Matrix<double, 6, 6> K;
  K << 0.75, 0.25, -0.5, -0.25, -0.25, 0.0,  //
      0.25, 0.75, 0.0, -0.25, -0.25, -0.5,   //
      -0.5, 0.0, 0.5, 0.0, 0.0, 0.0,         //
      -0.25, -0.25, 0.0, 0.25, 0.25, 0.0,    //
      -0.25, -0.25, 0.0, 0.25, 0.25, 0.0,    //
      0.0, -0.5, 0.0, 0.0, 0.0, 0.5;
  CHECK(stiffness(element, material) == K);
  CHECK(consistent_mass(element, 0, 0, material.density, material.thickness) == 2.0);
  CHECK(consistent_mass(element, 0, 1, material.density, material.thickness) == 1.0);
}

}  // namespace slipwave::fem
