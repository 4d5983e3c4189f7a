#include "fem/gmsh/gmsh_reader.hpp"
#include "fem/point_location.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <ctime>
#include <limits>
#include <random>

namespace slipwave::fem {

namespace {

Eigen::Vector2d position(const Eigen::Vector2d& x) { return x; }

/// The unit square without its upper right quarter.
Mesh corner() {
  const Mesh square = rectangle(8, 8);
  std::vector<Eigen::Vector2d> nodes;
  std::vector<int> kept(static_cast<std::size_t>(square.node_count()), -1);
  for (int i = 0; i < square.node_count(); ++i) {
    if (square.nodes.col(i).minCoeff() > 0.5) continue;
    kept[static_cast<std::size_t>(i)] = int(nodes.size());
    nodes.push_back(square.nodes.col(i));
  }
  std::vector<Eigen::Vector3i> triangles;
  for (const auto& node : square.triangles.colwise()) {
    const Eigen::Vector2d middle = square.nodes(Eigen::all, node).rowwise().mean();
    if (middle.minCoeff() > 0.5) continue;
    triangles.push_back(
        node.unaryExpr([&](int i) { return kept[static_cast<std::size_t>(i)]; }).eval());
  }
  return make_mesh(nodes, triangles);
}

double distance_to_box(const Eigen::Array2d& x, const Eigen::Array2d& size) {
  return (-x).max(x - size).max(0.0).matrix().norm();
}

double distance_to_corner(const Eigen::Vector2d& x) {
  return std::min(distance_to_box(x, {1.0, 0.5}), distance_to_box(x, {0.5, 1.0}));
}

/// The same 2000 points at each call, in the square from -margin to 1 + margin.
std::vector<Eigen::Vector2d> points_around_unit_square(double margin) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> coordinate(-margin, 1.0 + margin);
  std::vector<Eigen::Vector2d> points;
  for (int i = 0; i < 2000; ++i) {
    const double x = coordinate(random);
    points.emplace_back(x, coordinate(random));
  }
  return points;
}

}  // namespace

TEST_CASE("fem/point_location: the middle of a triangle is found in it") {
  for (const char* file : {"sliding_block_2mm.msh", "two_parts_41_ascii.msh"}) {
    const Mesh mesh = read_mesh(mesh_file(file));
    const PointLocator locator(mesh);
    for (int e = 0; e < mesh.triangle_count(); ++e) {
      const auto location =
          locator.find(mesh.nodes(Eigen::all, mesh.triangles.col(e)).rowwise().mean());
      REQUIRE(location);
      CHECK(location->triangle == e);
      CHECK((location->barycentric.array() - 1.0 / 3.0).abs().maxCoeff() <= 1e-13);
      CHECK(location->distance == 0.0);
    }
  }
}

TEST_CASE("fem/point_location: nodes and points on sides are found, in a triangle they belong to") {
  const Mesh mesh = read_mesh(mesh_file("sliding_block_2mm.msh"));
  const PointLocator locator(mesh);
  const Eigen::VectorXd q = nodal_values(mesh, position);
  for (int e = 0; e < mesh.triangle_count(); ++e)
    for (int a = 0; a < 3; ++a)
      for (const double part : {0.0, 0.1, 0.5, 0.9}) {
        const Eigen::Vector2d x = (1.0 - part) * mesh.nodes.col(mesh.triangles(a, e)) +
                                  part * mesh.nodes.col(mesh.triangles((a + 1) % 3, e));
        const auto location = locator.find(x);
        REQUIRE(location);
        CHECK(location->barycentric.minCoeff() >= -1e-13);
        CHECK((interpolate(mesh, *location, q) - x).norm() <= 1e-13 * 40.0);
      }
}

TEST_CASE("fem/point_location: points are found inside a body that is not convex and not outside") {
  const Mesh mesh = corner();
  const PointLocator locator(mesh);
  const Eigen::VectorXd q = nodal_values(mesh, position);
  int inside = 0;
  for (const Eigen::Vector2d& x : points_around_unit_square(0.2)) {
    const auto location = locator.find(x);
    CHECK(location.has_value() == (distance_to_corner(x) == 0.0));
    if (!location) continue;
    ++inside;
    CHECK((interpolate(mesh, *location, q) - x).norm() <= 1e-15);
  }
  CHECK(inside > 500);
}

TEST_CASE("fem/point_location: the tolerance is relative to the height, in any unit") {
  for (const double size : {1e-6, 1.0, 1e6}) {
    const Mesh mesh = make_mesh({{0.0, 0.0}, {size, 0.0}, {0.0, 0.1 * size}}, {{0, 1, 2}});
    const PointLocator locator(mesh);
    CHECK(locator.find({0.3 * size, -0.9e-10 * size}));
    CHECK_FALSE(locator.find({0.3 * size, -1.1e-10 * size}));
    CHECK(locator.find({-0.9e-9 * size, 0.03 * size}));
    CHECK_FALSE(locator.find({-1.1e-9 * size, 0.03 * size}));
  }
}

TEST_CASE("fem/point_location: within the tolerance of two triangles, the one it is inside of") {
  const Mesh mesh = rectangle(1, 1);
  const PointLocator locator(mesh);
  for (const double distance : {1e-11, -1e-11}) {
    const auto location = locator.find({0.5, 0.5 + distance});
    REQUIRE(location);
    CHECK(location->triangle == (distance > 0.0 ? 1 : 0));
  }
  CHECK(locator.find({0.5, 0.5})->triangle == 0);
}

TEST_CASE("fem/point_location: the tolerance reaches across the cells of the grid") {
  // Ten columns of cells, one of which begins with the vertical side of the missing quarter.
  Mesh mesh = corner();
  mesh.nodes.row(0) = 1.0 - mesh.nodes.row(0).array();
  check_and_orient(mesh);
  const PointLocator locator(mesh);
  CHECK(locator.find({0.5 - 1e-11, 0.7}));
  CHECK_FALSE(locator.find({0.5 - 1e-9, 0.7}));
}

TEST_CASE("fem/point_location: what is far away or not a number is nowhere") {
  const Mesh mesh = corner();
  const PointLocator locator(mesh);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double x : {1e300, -1e300, infinity, -infinity, std::nan("")}) {
    CHECK_FALSE(locator.find({x, 0.25}));
    CHECK_FALSE(locator.find({0.25, x}));
  }
}

TEST_CASE("fem/point_location: the nearest triangle is at the distance of the body") {
  const Mesh mesh = corner();
  const PointLocator locator(mesh);
  for (const double margin : {0.1, 3.0})
    for (const Eigen::Vector2d& x : points_around_unit_square(margin)) {
      const Location location = locator.nearest(x);
      CHECK(location.distance == doctest::Approx(distance_to_corner(x)).epsilon(1e-14));
      CHECK((location.barycentric.minCoeff() < 0.0) == (location.distance > 0.0));
    }
}

TEST_CASE("fem/point_location: the nearest of 100 scattered triangles is the nearest one by one") {
  std::vector<Eigen::Vector2d> nodes;
  std::vector<Eigen::Vector3i> triangles;
  std::vector<Mesh> parts;
  const auto centres = points_around_unit_square(0.0);
  for (int i = 0; i < 100; ++i) {
    const Eigen::Vector2d& x = centres[static_cast<std::size_t>(i)];
    const std::vector<Eigen::Vector2d> part{x, x + Eigen::Vector2d(0.02, 0.01),
                                            x + Eigen::Vector2d(0.0, 0.03)};
    nodes.insert(nodes.end(), part.begin(), part.end());
    triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
    parts.push_back(make_mesh(part, {{0, 1, 2}}));
  }
  const Mesh mesh = make_mesh(nodes, triangles);
  const PointLocator locator(mesh);
  const std::vector<PointLocator> locators(parts.begin(), parts.end());
  for (const Eigen::Vector2d& x : points_around_unit_square(0.1)) {
    double expected = std::numeric_limits<double>::infinity();
    for (const PointLocator& part : locators)
      expected = std::min(expected, part.nearest(x).distance);
    CHECK(locator.nearest(x).distance == expected);
  }
}

TEST_CASE("fem/point_location: a little outside a linear field is continued exactly") {
  const Mesh mesh = corner();
  const PointLocator locator(mesh);
  const auto field = [](const Eigen::Vector2d& x) {
    return Eigen::Vector2d(1.0 + 2.0 * x[0] - 3.0 * x[1], 4.0 - 5.0 * x[0] + 6.0 * x[1]);
  };
  const Eigen::VectorXd q = nodal_values(mesh, field);
  const Eigen::Matrix2d G{{2.0, -3.0}, {-5.0, 6.0}};
  for (const Eigen::Vector2d& x : points_around_unit_square(0.1)) {
    const Location location = locator.nearest(x);
    CHECK((interpolate(mesh, location, q) - field(x)).norm() <= 1e-13);
    CHECK((gradient(mesh, location.triangle, q) - G).norm() <= 1e-12);
  }
}

TEST_CASE("fem/point_location: 100 000 queries in 100 000 triangles take well under a second") {
  const Mesh mesh = rectangle(500, 100, 40.0, 2.0);
  const std::clock_t start = std::clock();
  const PointLocator locator(mesh);
  int found = 0;
  for (int repeat = 0; repeat < 50; ++repeat)
    for (const Eigen::Vector2d& x : points_around_unit_square(0.0))
      found += locator.find({40.0 * x[0], 2.0 * x[1]}).has_value();
  [[maybe_unused]] const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  CHECK(found == 100000);
#ifndef SLIPWAVE_SANITIZED
  CHECK(seconds < 0.5);
#endif
}

}  // namespace slipwave::fem
