#include "app/case/solids_pattern.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slipwave::app {

namespace {

using Eigen::Vector3d;

double length_of(const PlacedBlock& block, const Vector3d& size) {
  return block.half ? 0.5 * size[1] : size[1];
}

/// The blocks whose centres are at a height, by increasing y.
std::vector<PlacedBlock> course_at(std::vector<PlacedBlock> blocks, double z) {
  std::erase_if(blocks, [&](const PlacedBlock& b) { return std::abs(b.place[2] - z) > 1e-12; });
  std::ranges::sort(blocks, {}, [](const PlacedBlock& b) { return b.place[1]; });
  return blocks;
}

/// Where a course begins and ends, when its neighbours are so far apart.
std::pair<double, double> ends_of(const std::vector<PlacedBlock>& course, const Vector3d& size,
                                  double gap) {
  for (std::size_t i = 1; i < course.size(); ++i)
    CHECK(course[i].place[1] - course[i - 1].place[1] ==
          doctest::Approx(0.5 * (length_of(course[i], size) + length_of(course[i - 1], size)) + gap)
              .epsilon(1e-14));
  return {course.front().place[1] - 0.5 * length_of(course.front(), size),
          course.back().place[1] + 0.5 * length_of(course.back(), size)};
}

}  // namespace

TEST_CASE("app/case/solids_pattern: the published wall, block by block") {
  const auto wall = running_bond({{1.0, 2.0, 1.0}, 10, 20, 0.01}, true);
  REQUIRE(wall.size() == 155);
  std::size_t at = 0;
  for (int k = 0; k < 10; ++k) {
    const int M = 20 - k;
    for (int j = 0; j < M; ++j, ++at) {
      CHECK_FALSE(wall[at].half);
      CHECK(wall[at].place[1] - 1.005 == doctest::Approx((j - 0.5 * M) * 2.01).epsilon(1e-12));
      CHECK(wall[at].place[2] == doctest::Approx(0.5 + 1.01 * k).epsilon(1e-14));
    }
  }
}

TEST_CASE("app/case/solids_pattern: the published buttress, block by block") {
  const auto pier = buttress({{1.0, 2.0, 1.0}, 5, 4, 0.01});
  REQUIRE(pier.size() == 20);
  const std::vector<double> even{-7.525, -6.015, -4.005, -1.995},
      odd{-7.020, -5.010, -3.000, -1.490};
  for (int k = 0; k < 5; ++k) {
    const auto course = course_at(pier, 0.5 + 1.01 * k);
    REQUIRE(course.size() == 4);
    for (std::size_t j = 0; j < 4; ++j) {
      CHECK(course[j].place[1] - 0.995 ==
            doctest::Approx((k % 2 == 0 ? even : odd)[j]).epsilon(1e-12));
      CHECK(course[j].half == (j == (k % 2 == 0 ? 0 : 3)));
    }
  }
}

TEST_CASE("app/case/solids_pattern: half blocks close the ends of a wall that does not taper") {
  const Vector3d size(0.2, 0.5, 0.25);
  const auto wall = running_bond({size, 4, 5, 0.0}, false);
  CHECK(wall.size() == 5 + 6 + 5 + 6);
  for (int k = 0; k < 4; ++k) {
    const auto course = course_at(wall, 0.125 + 0.25 * k);
    const auto [low, high] = ends_of(course, size, 0.0);
    CHECK(low == -1.25);
    CHECK(high == 1.25);
    CHECK(course.front().half == (k % 2 == 1));
  }
}

TEST_CASE("app/case/solids_pattern: without gaps a buttress is flush at both ends") {
  const Vector3d size(1.0, 2.0, 1.0);
  const auto pier = buttress({size, 3, 4, 0.0});
  for (int k = 0; k < 3; ++k) {
    const auto [low, high] = ends_of(course_at(pier, 0.5 + k), size, 0.0);
    CHECK(low == -7.0);
    CHECK(high == 0.0);
  }
}

TEST_CASE(
    "app/case/solids_pattern: a stack leans by its offsets, and goes straight up after them") {
  const auto blocks = stack({1.0, 1.0, 0.5}, 4, 0.0, {0.25, 0.5});
  REQUIRE(blocks.size() == 4);
  const double y[] = {0.0, 0.25, 0.75, 0.75};
  for (int k = 0; k < 4; ++k) {
    CHECK(blocks[static_cast<std::size_t>(k)].place == Vector3d(0.0, y[k], 0.25 + 0.5 * k));
  }
}

TEST_CASE(
    "app/case/solids_pattern: the joints of an arch are radial and its voussoirs meet there") {
  const Arch arch{10, 2.0, 0.3, 0.5};
  const auto blocks = voussoirs(arch);
  const collision::Convex shape = voussoir(arch);
  REQUIRE(blocks.size() == 10);
  REQUIRE(shape.vertices.size() == 8);
  std::vector<Vector3d> corners;
  for (const PlacedBlock& block : blocks)
    for (const Vector3d& vertex : shape.vertices)
      corners.push_back(block.place + block.attitude * vertex);
  for (const Vector3d& corner : corners) {
    const double radius = std::hypot(corner[0], corner[2]);
    CHECK(std::min(std::abs(radius - 1.85), std::abs(radius - 2.15)) < 1e-14);
    const double joint = std::atan2(corner[2], corner[0]) * 10.0 / std::numbers::pi;
    CHECK(std::abs(joint - std::round(joint)) < 1e-13);
    const auto twins = std::ranges::count_if(
        corners, [&](const Vector3d& other) { return (other - corner).norm() < 1e-13; });
    CHECK(twins == (std::abs(corner[2]) < 1e-13 ? 1 : 2));
  }
}

TEST_CASE("app/case/solids_pattern: a voussoir weighs as a sector of the ring") {
  const Arch arch{5, 2.0, 0.3, 0.5};
  const collision::MassProperties found = properties_of_voussoir(arch);
  const double a = 0.1 * std::numbers::pi;
  const int n = 400;
  double volume = 0.0, moment = 0.0;
  Vector3d J = Vector3d::Zero();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double r = 1.85 + 0.3 * (i + 0.5) / n, angle = a * (2.0 * (j + 0.5) / n - 1.0);
      const double dV = 0.5 * r * (0.3 / n) * (2.0 * a / n);
      const double x = r * std::sin(angle), z = r * std::cos(angle) - found.centre[2];
      volume += dV;
      moment += dV * z;
      J += dV * Vector3d(z * z + 0.25 / 12.0, x * x + z * z, x * x + 0.25 / 12.0);
    }
  CHECK(found.volume == doctest::Approx(volume).epsilon(1e-5));
  CHECK(std::abs(moment) < 1e-5 * volume);
  CHECK((found.inertia.diagonal() - J).norm() < 1e-4 * J.norm());
  CHECK(found.inertia.isDiagonal(1e-14));
}

}  // namespace slipwave::app
