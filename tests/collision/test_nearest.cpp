#include "collision/nearest.hpp"

#include "tests/collision/pairs.hpp"
#include "tests/collision/random_solids.hpp"
#include "tests/collision/slow_distance.hpp"

#include <doctest/doctest.h>

using namespace slipwave;
using namespace slipwave::collision;
using Eigen::Vector3d;
using tests::at;
using tests::PlacedPair;

TEST_CASE("collision/nearest: corner to corner, corner to edge, point to point") {
  const Convex cube = box({1.0, 1.0, 1.0});
  const PlacedPair corners(cube, at(2.0, 3.0, 3.0), cube, at(0.0, 0.0, 0.0));
  const Axis axis = nearest_axis(corners.pair(), face_axis(corners.pair(), 1e300));
  CHECK(axis.separation == 3.0);
  CHECK((axis.n - Vector3d(1.0, 2.0, 2.0) / 3.0).norm() <= 1e-15);
  CHECK((axis.witness - Vector3d(1.5, 2.5, 2.5)).norm() <= 1e-15);
  const PlacedPair edge(cube, at(4.0, 0.25, 5.0), cube, at(0.0, 0.0, 0.0));
  CHECK(nearest_axis(edge.pair(), face_axis(edge.pair(), 1e300)).separation == 5.0);
  const PlacedPair points(sphere(1.0), at(1.0, 2.0, 2.0), sphere(1.0), at(0.0, 0.0, 0.0));
  CHECK(nearest_axis(points.pair(), {}).separation == 3.0);
}

TEST_CASE("collision/nearest: what touches keeps the axis it has") {
  const Convex cube = box({1.0, 1.0, 1.0});
  const PlacedPair touching(cube, at(1.0, 1.0, 0.0), cube, at(0.0, 0.0, 0.0));
  const Axis start = face_axis(touching.pair(), 1e300);
  CHECK(nearest_axis(touching.pair(), start).n == start.n);
}

TEST_CASE("collision/nearest: the distance from any start, and a direction that shows it") {
  tests::RandomSolids random(12);
  int apart = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Convex &A = random.shape(), &B = random.shape();
    const Pose at_A{1.5 * random.vector(), random.rotation()};
    const Pose at_B{1.5 * random.vector(), random.rotation()};
    const double exact = tests::slow_gap({A, at_A}, {B, at_B});
    if (exact < 1e-6) continue;
    const PlacedPair placed(A, at_A, B, at_B);
    const Axis start = axis_along(placed.pair(), random.vector().normalized());
    const Axis axis = nearest_axis(placed.pair(), start);
    CHECK(std::abs(axis.separation - exact) <= 1e-13);
    CHECK(std::abs(axis_along(placed.pair(), axis.n).separation - exact) <= 1e-13);
    ++apart;
  }
  CHECK(apart > 1000);
}
