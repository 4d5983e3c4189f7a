#include "collision/solid.hpp"

#include "tests/collision/rock.hpp"

#include <doctest/doctest.h>
#include <Eigen/Geometry>

using namespace slipwave;
using namespace slipwave::collision;
using Eigen::Vector3d;

TEST_CASE("collision/solid: every edge between the two faces that have it") {
  const Solid solid(hull(tests::rock));
  for (std::size_t e = 0; e < solid.edges.size(); ++e)
    for (const int face : solid.edges[e].faces) {
      const auto f = static_cast<std::size_t>(face);
      const auto at = std::ranges::find(solid.face_edges[f], static_cast<int>(e));
      REQUIRE(at != solid.face_edges[f].end());
      const int start = solid.faces[f][static_cast<std::size_t>(at - solid.face_edges[f].begin())];
      CHECK((start == solid.edges[e].start || start == solid.edges[e].end));
    }
  for (std::size_t f = 0; f < solid.faces.size(); ++f)
    for (const int i : solid.faces[f])
      CHECK(std::abs(solid.normals[f].dot(solid.vertices[static_cast<std::size_t>(i)]) -
                     solid.offsets[f]) <= 1e-14);
}

TEST_CASE("collision/solid: shapes have an order") {
  const Solid small(box({1, 1, 1})), large(box({2, 1, 1})), ball(sphere(1.0));
  const Solid again(box({1, 1, 1})), round(hull(box({1, 1, 1}).vertices, 0.1));
  CHECK(precedes(ball, small));
  CHECK(precedes(large, small) != precedes(small, large));
  CHECK(precedes(round, small) != precedes(small, round));
  CHECK(!precedes(small, again));
  CHECK(!precedes(again, small));
}

TEST_CASE("collision/solid: is placed by turning, then moving") {
  const Solid solid(box({2, 4, 6}));
  const Eigen::Matrix3d R = Eigen::AngleAxisd(2.0, Vector3d(1, 2, 2) / 3.0).matrix();
  Placed placed;
  placed.place(solid, {{1.0, 2.0, 3.0}, R});
  CHECK(placed.x == Vector3d(1.0, 2.0, 3.0));
  CHECK((placed.vertex(7) - R * Vector3d(1, 2, 3)).norm() <= 1e-15);
  CHECK((placed.normals[1] - R * Vector3d::UnitX()).norm() <= 1e-15);
  CHECK((placed.along(solid.edges[0]) - R * Vector3d(0, 0, 6)).norm() <= 1e-14);
}
