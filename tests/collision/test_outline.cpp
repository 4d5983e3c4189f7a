#include "collision/outline.hpp"

#include "tests/collision/pairs.hpp"

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <algorithm>

using namespace slipwave;
using namespace slipwave::collision;
using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

/// What a shape turned by an angle about x shows along +z, or -z.
Outline outline_along_z(const Shape& shape, double angle, double sense) {
  const Solid solid(shape);
  Placed placed;
  placed.place(solid, {Vector3d::Zero(), Eigen::AngleAxisd(angle, Vector3d::UnitX()).matrix()});
  Outline outline;
  outline_of(placed, Vector3d(0.0, 0.0, 10.0), sense, View(Vector3d::UnitZ()), 1.0, outline);
  return outline;
}

double area(const Outline& outline) {
  double sum = 0.0;
  for (std::size_t i = 0; i < outline.rim.size(); ++i) {
    const Vector2d &a = outline.rim[i].at, &b = outline.rim[outline.after(i)].at;
    sum += 0.5 * (a[0] * b[1] - a[1] * b[0]);
  }
  return sum;
}

}  // namespace

TEST_CASE("collision/outline: a view is right-handed") {
  for (const Vector3d& v : {Vector3d(0, 0, 1), Vector3d(1, 2, 2), Vector3d(-3, 0, 4)}) {
    const View view(v.normalized());
    CHECK((view.first.cross(view.second) - view.n).norm() <= 1e-15);
    CHECK((view.in_space(view.flat(v), view.n.dot(v)) - v).norm() <= 1e-14);
  }
}

TEST_CASE("collision/outline: the near face, anticlockwise from both sides, its edges by name") {
  const Convex shape = box({1.0, 2.0, 3.0});
  const Solid solid(shape);
  for (const double sense : {1.0, -1.0}) {
    const Outline outline = outline_along_z(shape, 0.1, sense);
    REQUIRE(outline.rim.size() == 4);
    CHECK(area(outline) == doctest::Approx(2.0 * std::cos(0.1)));
    for (std::size_t i = 0; i < 4; ++i) {
      const SolidEdge& edge = solid.edges[static_cast<std::size_t>(outline.rim[i].edge - 1 - 8)];
      const int from = outline.rim[i].vertex - 1, to = outline.rim[outline.after(i)].vertex - 1;
      CHECK(std::min(from, to) == edge.start);
      CHECK(std::max(from, to) == edge.end);
      CHECK(outline.height(outline.rim[i].at) == doctest::Approx(outline.rim[i].height));
    }
    CHECK(outline.highest - outline.lowest == doctest::Approx(2.0 * std::sin(0.1)));
  }
}

TEST_CASE("collision/outline: a face with the near edge goes before a flatter one with its end") {
  const Convex roof =
      hull({{0, 0, 0}, {1, 0, 0}, {1, 0.5, -1}, {1, -0.5, -1}, {-3, 0.5, -1}, {-3, -0.5, -1}});
  const Outline outline = outline_along_z(roof, 0.0, 1.0);
  for (const int ridge : {1, 2}) CHECK(std::ranges::count(outline.rim, ridge, &Rim::vertex) == 1);
}

TEST_CASE("collision/outline: of two faces alike the first, whatever round-off says") {
  const Convex cube = box({1.0, 1.0, 1.0});
  const double quarter = std::atan(1.0);
  const std::vector<int> expected = {outline_along_z(cube, quarter, 1.0).rim[0].vertex,
                                     outline_along_z(cube, quarter, 1.0).rim[2].vertex};
  for (const double off : {-1e-12, -1e-16, 1e-16, 1e-12}) {
    const Outline outline = outline_along_z(cube, quarter + off, 1.0);
    CHECK(outline.rim[0].vertex == expected[0]);
    CHECK(outline.rim[2].vertex == expected[1]);
  }
}

TEST_CASE("collision/outline: the edge of a knife, the tip of a needle, a segment, a point") {
  const Convex knife =
      hull({{-1, 0, 0}, {1, 0, 0}, {-1, 0.05, -1}, {1, 0.05, -1}, {-1, -0.05, -1}, {1, -0.05, -1}});
  CHECK(outline_along_z(knife, 0.0, 1.0).rim.size() == 2);
  CHECK(outline_along_z(knife, 0.0, -1.0).rim.size() == 4);
  const Convex needle = hull({{0, 0, 0}, {0.01, 0, -1}, {-0.01, 0.01, -1}, {-0.01, -0.01, -1}});
  CHECK(outline_along_z(needle, 0.0, 1.0).rim.size() == 1);
  CHECK(outline_along_z(capsule(1.0, 0.1), 0.0, 1.0).rim.size() == 1);
  CHECK(outline_along_z(capsule(1.0, 0.1), 1.5, 1.0).rim.size() == 2);
  CHECK(outline_along_z(sphere(1.0), 0.0, 1.0).rim.size() == 1);
}
