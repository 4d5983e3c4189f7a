#include "collision/mass_properties.hpp"
#include "collision/shape.hpp"
#include "tests/collision/rock.hpp"

#include <doctest/doctest.h>

#include <random>
#include <stdexcept>

using namespace slipwave::collision;
using Eigen::Vector3d;

TEST_CASE("collision/hull: the paper's rock has its twelve triangles") {
  const Convex shape = hull(slipwave::tests::rock, 0.5);
  const std::vector<std::vector<int>> triangles = {{0, 1, 4}, {0, 2, 1}, {0, 4, 6}, {0, 6, 2},
                                                   {1, 2, 3}, {1, 3, 7}, {1, 5, 4}, {1, 7, 5},
                                                   {2, 6, 3}, {3, 6, 7}, {4, 5, 6}, {5, 7, 6}};
  CHECK(shape.faces == triangles);
  CHECK(shape.vertices == slipwave::tests::rock);
  CHECK(shape.edges.size() == 18);
  CHECK(shape.radius == 0.5);
}

TEST_CASE("collision/hull: of a box with points inside, on faces and on edges is the box") {
  const Convex exact = box({1.0, 2.0, 3.0});
  std::vector<Vector3d> points = {{0.1, 0.2, 0.3}, {0.5, 0.3, 0.2}, {0.5, 1.0, 0.1}};
  points.insert(points.end(), exact.vertices.begin(), exact.vertices.end());
  points.insert(points.end(), {{0.0, 0.0, 1.5}, {-0.5, 0.0, 1.5}, {0.5, 1.0, 1.5}});
  const Convex shape = hull(points);
  CHECK(shape.vertices == exact.vertices);
  CHECK(shape.edges == exact.edges);
  CHECK(shape.faces.size() == 6);
  for (const std::vector<int>& face : shape.faces) CHECK(face.size() == 4);
}

TEST_CASE("collision/hull: faces plane to 1e-10 of the size are one, others are not") {
  for (const double height : {1e-11, 1e-6}) {
    std::vector<Vector3d> points = box({2.0, 2.0, 2.0}).vertices;
    points.emplace_back(0.2, 0.1, 1.0 + height);
    const Convex shape = hull(points);
    CHECK(shape.faces.size() == (height < 1e-10 ? 6 : 9));
    CHECK(fault_of(shape).empty());
  }
}

TEST_CASE("collision/hull: of random points holds them all") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Vector3d> points;
    const Vector3d centre = 100.0 * Vector3d(number(random), number(random), number(random));
    points.reserve(54);
    const double flat = std::pow(10.0, -3.0 * (trial % 3));
    for (int i = 0; i < 4 + trial / 4; ++i)
      points.emplace_back(centre + Vector3d(number(random), number(random), flat * number(random)));
    const Convex shape = hull(points);
    REQUIRE(fault_of(shape).empty());
    for (const std::vector<int>& face : shape.faces) {
      const Vector3d n = area_vector(shape, face).normalized();
      const Vector3d& on = shape.vertices[static_cast<std::size_t>(face[0])];
      for (const Vector3d& p : points) CHECK(n.dot(p - on) <= 1e-10);
    }
    CHECK(shape.vertices.size() + shape.faces.size() == shape.edges.size() + 2);
  }
}

TEST_CASE("collision/hull: points without volume are refused") {
  const std::vector<Vector3d> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  CHECK_THROWS_AS((void)hull({square[0], square[1], square[2]}), std::invalid_argument);
  CHECK_THROWS_WITH_AS((void)hull(square), "the 4 points of a hull lie in one plane",
                       std::invalid_argument);
  CHECK_THROWS_AS((void)hull({square[0], square[1], 2.0 * square[1], 3.0 * square[1], square[1]}),
                  std::invalid_argument);
  CHECK_THROWS_AS((void)hull({square[0], square[0], square[0], square[0]}), std::invalid_argument);
}
