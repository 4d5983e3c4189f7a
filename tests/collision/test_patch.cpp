#include "collision/patch.hpp"

#include <doctest/doctest.h>
#include <Eigen/Geometry>

using namespace slipwave::collision;
using Eigen::Vector3d;

namespace {

Patch patch_of(const Shape& A, const Pose& at_A, const Shape& B, const Pose& at_B,
               double alert = 0.1, double skin = 0.0) {
  Patch patch;
  find_patch(A, at_A, B, at_B, skin, alert, patch);
  return patch;
}

Pose at(double x, double y, double z) { return {{x, y, z}, Eigen::Matrix3d::Identity()}; }

Pose turned(const Pose& pose, double angle, const Vector3d& axis) {
  return {pose.x, Eigen::AngleAxisd(angle, axis.normalized()).matrix() * pose.R};
}

double least_gap(const Patch& patch) {
  double least = 1e300;
  for (const PatchPoint& point : patch.points) least = std::min(least, point.gap);
  return least;
}

}  // namespace

TEST_CASE("collision/patch: a box on a box has the corners of what they share") {
  const Shape A = box({1.0, 1.0, 1.0}), B = box({2.0, 2.0, 1.0});
  const Patch patch = patch_of(A, at(0.75, 0.0, 1.25), B, at(0.0, 0.0, 0.0), 0.3);
  REQUIRE(patch.points.size() == 4);
  CHECK(patch.normal == Vector3d::UnitZ());
  for (const PatchPoint& p : patch.points) {
    CHECK(p.gap == 0.25);
    CHECK(p.point[2] == 0.625);
    CHECK((p.point[0] == 0.25 || p.point[0] == 1.0));
    CHECK(std::abs(p.point[1]) == 0.5);
  }
}

TEST_CASE("collision/patch: spheres, capsules and half-spaces") {
  const Patch balls = patch_of(sphere(1.0), at(0.0, 0.0, 2.5), sphere(0.5), at(0.0, 0.0, 0.5), 1.0);
  REQUIRE(balls.points.size() == 1);
  CHECK(balls.normal == Vector3d::UnitZ());
  CHECK(balls.points[0].gap == 0.5);
  CHECK(balls.points[0].point == Vector3d(0.0, 0.0, 1.25));

  const Pose lying = turned(at(0.0, 0.0, 0.5), 1.5707963267948966, Vector3d::UnitX());
  CHECK(patch_of(capsule(1.0, 0.5), lying, HalfSpace{}, at(0, 0, 0)).points.size() == 2);
  const Patch on_box = patch_of(capsule(1.0, 0.5), lying, box({4.0, 4.0, 2.0}), at(0, 0, -1));
  REQUIRE(on_box.points.size() == 2);
  CHECK(std::abs(on_box.points[0].gap) <= 1e-15);
  Pose beside = lying;
  beside.x[0] = 1.0;
  CHECK(patch_of(capsule(1.0, 0.5), lying, capsule(1.0, 0.5), beside).points.size() == 2);
  CHECK(patch_of(HalfSpace{}, at(0, 0, 0), HalfSpace{}, lying).points.empty());
}

TEST_CASE("collision/patch: edge over edge, corner over corner") {
  const Shape cube = box({1.0, 1.0, 1.0});
  const Pose down = turned(at(0.0, 0.0, 0.0), 0.7853981633974483, Vector3d::UnitX());
  Pose up = turned(at(0.0, 0.0, 0.0), 0.7853981633974483, Vector3d::UnitY());
  up.x[2] = std::sqrt(2.0) + 0.01;
  const Patch edges = patch_of(cube, up, cube, down, 0.1);
  CHECK(std::abs(least_gap(edges) - 0.01) <= 1e-15);
  CHECK((edges.normal - Vector3d::UnitZ()).norm() <= 1e-15);
  up.x[2] -= 0.02;
  CHECK(std::abs(least_gap(patch_of(cube, up, cube, down, 0.1)) + 0.01) <= 1e-15);

  const Patch corners = patch_of(cube, at(1.1, 1.1, 1.1), cube, at(0, 0, 0), 0.2);
  CHECK(std::abs(least_gap(corners) - 0.1 * std::sqrt(3.0)) <= 1e-15);
  CHECK((corners.normal - Vector3d::Ones().normalized()).norm() <= 1e-14);
}
