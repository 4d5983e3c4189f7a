#include "collision/separation.hpp"

#include "tests/collision/pairs.hpp"
#include "tests/collision/random_solids.hpp"
#include "tests/collision/slow_distance.hpp"

#include <doctest/doctest.h>

using namespace slipwave;
using namespace slipwave::collision;
using Eigen::Vector3d;
using tests::at;
using tests::PlacedPair;

TEST_CASE("collision/separation: the normal of the face that is nearest, or least deep") {
  const Convex cube = box({1.0, 1.0, 1.0});
  const PlacedPair apart(cube, at(1.25, 0.25, 3.0), cube, at(0.0, 0.0, 0.0));
  const Axis axis = face_axis(apart.pair(), 1e300);
  CHECK(axis.separation == 2.0);
  CHECK(axis.n == Vector3d::UnitZ());
  CHECK(axis.witness[2] == 0.5);
  const PlacedPair inside(cube, at(0.25, -0.75, 0.5), cube, at(0.0, 0.0, 0.0));
  CHECK(face_axis(inside.pair(), 1e300).separation == -0.25);
  CHECK(face_axis(inside.pair(), 1e300).n == -Vector3d::UnitY());
}

TEST_CASE("collision/separation: no need to go on once cores are far enough apart") {
  const Convex cube = box({1.0, 1.0, 1.0});
  const PlacedPair apart(cube, at(2.0, 0.0, 9.0), cube, at(0.0, 0.0, 0.0));
  CHECK(face_axis(apart.pair(), 0.5).separation == 1.0);
  CHECK(face_axis(apart.pair(), 1.5).separation == 8.0);
}

TEST_CASE("collision/separation: crossed edges, and crossed segments from either side") {
  const double s = std::sqrt(0.5);
  Pose up = at(0.0, 0.0, 1.75), down = at(0.0, 0.0, 0.0);
  up.R = Eigen::AngleAxisd(std::acos(s), Vector3d::UnitY()).matrix();
  down.R = Eigen::AngleAxisd(std::acos(s), Vector3d::UnitX()).matrix();
  const Convex cube = box({1.0, 1.0, 1.0});
  const PlacedPair cubes(cube, up, cube, down);
  const Axis axis = edge_axis(cubes.pair(), face_axis(cubes.pair(), 1e300));
  CHECK(std::abs(axis.separation - (1.75 - 2.0 * s)) <= 1e-15);
  CHECK((axis.n - Vector3d::UnitZ()).norm() <= 1e-15);
  CHECK((axis.witness - Vector3d(0.0, 0.0, 1.75 - s)).norm() <= 1e-15);

  Pose lying = at(0.0, 0.0, 0.0);
  lying.R = up.R * up.R;
  for (const double y : {0.5, -0.5}) {
    const PlacedPair segments(capsule(2.0, 0.1), at(0.0, y, 0.0), capsule(2.0, 0.1), lying);
    const Axis across = edge_axis(segments.pair(), face_axis(segments.pair(), 1e300));
    CHECK(across.separation == 0.5);
    CHECK(across.n == Vector3d(0.0, 2.0 * y, 0.0));
  }
}

TEST_CASE("collision/separation: none is better than the best of all axes, and it is found") {
  tests::RandomSolids random(11);
  for (int trial = 0; trial < 3000; ++trial) {
    const Convex &A = random.shape(), &B = random.shape();
    const Pose at_A{random.vector(), random.rotation()}, at_B{random.vector(), random.rotation()};
    const PlacedPair placed(A, at_A, B, at_B);
    const double exact = tests::slow_separation({A, at_A}, {B, at_B});
    const Axis axis = edge_axis(placed.pair(), face_axis(placed.pair(), 1e300));
    CHECK(axis.separation <= exact + 1e-14);
    if (exact < 0.0) CHECK(axis.separation >= exact - 1e-12);
  }
}
