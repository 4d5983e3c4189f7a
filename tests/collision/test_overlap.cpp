#include "collision/overlap.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace slipwave::collision;
using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

constexpr Exactness exactness{1e-13, 1e-7};

/// Corners are named 1, 2, ..., edges 101, 102, ...
Outline outline(const std::vector<Vector2d>& corners, const Vector3d& normal = Vector3d::UnitZ()) {
  Outline result;
  for (const Vector2d& at : corners) {
    const auto k = static_cast<int>(result.rim.size());
    const double height = -normal.head<2>().dot(at) / normal[2];
    result.rim.push_back({at, height, 1 + k, 101 + k});
  }
  corners.size() > 2 ? result.close(normal) : result.close();
  return result;
}

Outline square(double side, const Vector2d& centre = Vector2d::Zero(), double angle = 0.0) {
  std::vector<Vector2d> corners = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (Vector2d& c : corners)
    c = centre + 0.5 * side *
                     Vector2d(std::cos(angle) * c[0] - std::sin(angle) * c[1],
                              std::sin(angle) * c[0] + std::cos(angle) * c[1]);
  return outline(corners);
}

bool has(const std::vector<SharedCorner>& corners, int name_A, int name_B) {
  return std::ranges::any_of(corners, [&](const SharedCorner& corner) {
    return corner.name_A == name_A && corner.name_B == name_B;
  });
}

}  // namespace

TEST_CASE("collision/overlap: corners inside and crossings, by name") {
  Overlap overlap;
  const auto& corners = overlap.find(square(2.0), square(2.0, {1.0, 0.5}), exactness);
  REQUIRE(corners.size() == 4);
  CHECK(has(corners, 3, 0));      // A's last corner inside B
  CHECK(has(corners, 0, 1));      // B's first inside A
  CHECK(has(corners, 102, 101));  // A's right edge, B's lower one
  CHECK(has(corners, 103, 104));
  CHECK(overlap.width() >= 0.5);
}

TEST_CASE("collision/overlap: two that cross have eight corners, two that are apart none") {
  Overlap overlap;
  CHECK(overlap.find(square(2.0), square(2.0, {0.0, 0.0}, 0.6), exactness).size() == 8);
  CHECK(overlap.find(square(2.0), square(2.0, {2.1, 0.0}), exactness).empty());
  CHECK(overlap.width() == 0.0);
}

TEST_CASE(
    "collision/overlap: flush ones have four corners with the same names however they are off") {
  Overlap overlap;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (const double off : {0.0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-9})
    for (int trial = 0; trial < 200; ++trial) {
      const Vector2d shift = off * Vector2d(number(random), number(random));
      const auto& flush =
          overlap.find(square(1.0), square(1.0, shift, off * number(random)), exactness);
      REQUIRE(flush.size() == 4);
      for (const int k : {1, 2, 3, 4}) CHECK(has(flush, k, k));
      // Half over the next in running bond: A's corners 2 and 3 on edges of B.
      const Outline bond = square(1.0, Vector2d(0.5, 0.0) + shift, off * number(random));
      const auto& half = overlap.find(square(1.0), bond, exactness);
      REQUIRE(half.size() == 4);
      CHECK(has(half, 2, 101));
      CHECK(has(half, 3, 103));
      CHECK(has(half, 101, 1));
      CHECK(has(half, 103, 4));
    }
}

TEST_CASE("collision/overlap: of corners that are one the least gap stays") {
  Overlap overlap;
  for (int k = 0; k < 16; ++k) {
    const Vector2d slope(0.3 * std::cos(0.4 * k), 0.3 * std::sin(0.4 * k));
    const Outline A =
        outline({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}, {slope[0], slope[1], -1.0});
    const Outline B = square(1.0, {0.5, 5e-9});  // corner 2 of A is outside, but by less than 1e-8
    const auto& corners = overlap.find(A, B, {1e-8, 1e-7});
    REQUIRE(corners.size() == 4);
    const auto corner = std::ranges::find(corners, 2, &SharedCorner::name_A);
    const double least = 0.5 * slope[0] + std::min(-0.5 * slope[1], (-0.5 + 5e-9) * slope[1]);
    CHECK(std::abs(corner->gap() - least) <= 1e-13);
  }
}

TEST_CASE("collision/overlap: neighbours that share an edge have no width") {
  Overlap overlap;
  for (const double off : {-1e-9, -1e-16, 0.0, 1e-16}) {
    overlap.find(square(1.0), square(1.0, {1.0 + off, 0.25}), exactness);
    CHECK(overlap.width() <= 1e-7);
  }
  overlap.find(square(1.0), square(1.0, {1.0 - 1e-6, 0.25}), exactness);
  CHECK(overlap.width() >= 5e-7);
}

TEST_CASE("collision/overlap: heights are those of planes and edges, within their bounds") {
  Overlap overlap;
  const Outline A = outline({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {0.1, 0.2, -1.0});
  const Outline B = square(1.0, {1.0, 0.0});
  for (const SharedCorner& corner : overlap.find(A, B, exactness)) {
    CHECK(std::abs(corner.height_A - (0.1 * corner.at[0] + 0.2 * corner.at[1])) <= 1e-15);
    CHECK(corner.height_B == 0.0);
  }
  CHECK(A.height({5.0, 5.0}) == A.highest);
}

TEST_CASE("collision/overlap: of a face, a segment and a point") {
  Overlap overlap;
  const Outline face = square(2.0), segment = outline({{0.0, 0.5}, {3.0, 0.5}});
  const auto& corners = overlap.find(face, segment, exactness);
  REQUIRE(corners.size() == 2);
  CHECK(has(corners, 0, 1));
  CHECK(has(corners, 102, 101));
  CHECK(overlap.find(segment, outline({{2.0, -1.0}, {2.0, 1.0}}), exactness).size() == 1);
  CHECK(overlap.find(segment, outline({{2.0, 0.5}, {9.0, 0.5}}), exactness).size() == 2);
  CHECK(overlap.find(segment, outline({{2.0, 0.6}, {9.0, 0.6}}), exactness).empty());
  CHECK(overlap.find(outline({{0.5, 0.5}}), face, exactness).size() == 1);
  CHECK(overlap.find(outline({{0.5, 1.5}}), face, exactness).empty());
  CHECK(overlap.find(outline({{1.0, 0.5}}), segment, exactness).size() == 1);
  CHECK(overlap.find(outline({{3.1, 0.5}}), segment, exactness).empty());
}
