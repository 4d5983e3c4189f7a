#include "fem/rotation.hpp"

#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace slipwave::fem {

namespace {

/// A plate of 4 x 2 with its corner at the origin, and masses that differ from node to node.
const Mesh plate = rectangle(8, 4, 4.0, 2.0);

Eigen::VectorXd uneven_mass(const Mesh& mesh) {
  return Eigen::VectorXd::LinSpaced(mesh.node_count(), 1.0, 3.0);
}

/// u = R(angle) X + c − X.
Eigen::VectorXd rigid_motion(const Mesh& mesh, double angle, const Eigen::Vector2d& c) {
  Eigen::Matrix2d R;
  R << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  return nodal_values(mesh,
                      [&](const Eigen::Vector2d& X) -> Eigen::Vector2d { return R * X + c - X; });
}

}  // namespace

TEST_CASE("fem/rotation: a rigid motion by any angle is found, wherever it takes the body") {
  const Rotations rotations(plate, uneven_mass(plate));
  for (const double angle : {1e-6, 0.1, -0.2, 0.5 * std::numbers::pi, -2.0, 3.1})
    for (const double far : {0.0, 1e3}) {
      CAPTURE(angle);
      const Eigen::VectorXd q = rigid_motion(plate, angle, {far, -2.0 * far});
      CHECK(std::abs(rotations.largest_of_bodies(q).angle - std::abs(angle)) <= 1e-12);
      CHECK(std::abs(rotations.largest_of_triangles(q).angle - std::abs(angle)) <= 2e-12);
    }
}

TEST_CASE("fem/rotation: what linear elasticity takes for a rotation by a turns a body by atan a") {
  const Rotations rotations(plate, uneven_mass(plate));
  for (const double a : {0.2, -10.0}) {
    const Eigen::VectorXd q = nodal_values(
        plate, [&](const Eigen::Vector2d& X) { return Eigen::Vector2d(-a * X[1], a * X[0]); });
    CHECK(rotations.largest_of_bodies(q).angle ==
          doctest::Approx(std::atan(std::abs(a))).epsilon(1e-14));
    CHECK(rotations.largest_of_triangles(q).angle ==
          doctest::Approx(std::atan(std::abs(a))).epsilon(1e-14));
  }
}

TEST_CASE("fem/rotation: stretch and symmetric shear turn no triangle, however large") {
  const Rotations rotations(plate, uneven_mass(plate));
  const Eigen::VectorXd q = nodal_values(plate, [](const Eigen::Vector2d& X) {
    return Eigen::Vector2d(0.5 * X[0] + 0.25 * X[1], 0.25 * X[0] - 0.5 * X[1]);
  });
  CHECK(rotations.largest_of_triangles(q).angle <= 1e-15);
  CHECK(rotations.largest_of_bodies(Eigen::VectorXd::Zero(plate.dof_count())).part == -1);
}

TEST_CASE("fem/rotation: a bent beam turns at its ends and not as a whole") {
  const double curvature = 0.1;
  const Eigen::VectorXd q = nodal_values(plate, [&](const Eigen::Vector2d& X) {
    const double x = X[0] - 2.0, y = X[1] - 1.0;
    return Eigen::Vector2d(-curvature * x * y, 0.5 * curvature * x * x);
  });
  const Rotations rotations(plate, Eigen::VectorXd::Ones(plate.node_count()));
  CHECK(rotations.largest_of_bodies(q).angle <= 1e-15);
  const Turn local = rotations.largest_of_triangles(q);
  CHECK(local.angle == doctest::Approx(0.2).epsilon(0.2));
  const double x = plate.nodes(0, plate.triangles(0, local.part));
  CHECK(std::min(x, 4.0 - x) <= 0.5);
}

TEST_CASE("fem/rotation: names the body and the triangle that have turned most") {
  const Mesh two =
      make_mesh({{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {5.0, 0.0}, {6.0, 0.0}, {5.0, 1.0}},
                {{0, 1, 2}, {3, 4, 5}});
  const Rotations rotations(two, Eigen::VectorXd::Ones(two.node_count()));
  Eigen::VectorXd q = Eigen::VectorXd::Zero(two.dof_count());
  q.head(6) = rigid_motion(two, 0.1, {0.0, 0.0}).head(6);
  q.tail(6) = rigid_motion(two, -0.3, {0.0, 0.0}).tail(6);
  CHECK(rotations.largest_of_bodies(q).part == 3);
  CHECK(rotations.largest_of_bodies(q).angle == doctest::Approx(0.3).epsilon(1e-13));
  CHECK(rotations.largest_of_triangles(q).part == 1);
  q.tail(6) *= 0.0;
  CHECK(rotations.largest_of_bodies(q).part == 0);
}

}  // namespace slipwave::fem
