#include "contact/frames.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace slipwave::contact {

TEST_CASE("contact/frames: a floor has its normal along +y and its tangent along +x") {
  const HalfPlane floor;
  CHECK(local_frame(floor) * Eigen::Vector2d(3.0, 5.0) == Eigen::Vector2d(5.0, 3.0));
}

TEST_CASE("contact/frames: a wall on the left has its tangent along -y") {
  const HalfPlane wall{Eigen::Vector2d::Zero(), Eigen::Vector2d::UnitX()};
  CHECK(local_frame(wall) * Eigen::Vector2d(3.0, 5.0) == Eigen::Vector2d(3.0, -5.0));
}

TEST_CASE(
    "contact/frames: any frame is orthogonal, and its tangent is the normal turned clockwise") {
  for (int k = 0; k < 100; ++k) {
    const HalfPlane plane{Eigen::Vector2d::Zero(), {std::cos(0.1 * k), std::sin(0.1 * k)}};
    const Eigen::Matrix2d frame = local_frame(plane);
    CHECK((frame * frame.transpose() - Eigen::Matrix2d::Identity()).norm() <= 1e-15);
    CHECK(frame.row(0).transpose() == plane.normal);
    // The cross product normal x tangent is -1.
    CHECK(frame(0, 0) * frame(1, 1) - frame(0, 1) * frame(1, 0) == doctest::Approx(-1.0));
  }
}

TEST_CASE("contact/frames: the gap is the distance to the surface, negative inside") {
  const HalfPlane slope{{1.0, 2.0}, {0.6, 0.8}};
  CHECK(gap(slope, slope.point) == 0.0);
  CHECK(gap(slope, {1.0 + 3.0 * 0.6, 2.0 + 3.0 * 0.8}) == doctest::Approx(3.0).epsilon(1e-15));
  CHECK(gap(slope, {1.0 - 0.6, 2.0 - 0.8}) == doctest::Approx(-1.0).epsilon(1e-15));
  CHECK(std::abs(gap(slope, {1.0 + 0.8, 2.0 - 0.6})) <= 1e-15);  // along the surface
}

TEST_CASE("contact/frames: the normal velocity is the rate of the gap") {
  const HalfPlane slope{{1.0, 2.0}, {0.6, 0.8}};
  const Eigen::Vector2d x(4.0, 4.0), v(0.25, -2.0);
  const double rate = gap(slope, x + v) - gap(slope, x);
  CHECK((local_frame(slope) * v)[0] == doctest::Approx(rate).epsilon(1e-14));
}

TEST_CASE("contact/frames: of a circle a point sees the tangent at distance |x - c| - R") {
  const Circle circle{{1.0, -2.0}, 5.0};
  for (int k = 0; k < 100; ++k) {
    const Eigen::Vector2d n(std::cos(0.1 * k), std::sin(0.1 * k));
    const double distance = 0.2 * (k + 1);  // from inside to outside
    const Eigen::Vector2d x = circle.centre + distance * n;
    const HalfPlane tangent = tangent_plane(circle, x);
    CHECK((tangent.normal - n).norm() <= 1e-14);
    CHECK(std::abs(gap(tangent, x) - (distance - 5.0)) <= 1e-14);
    CHECK(std::abs((tangent.point - circle.centre).norm() - 5.0) <= 1e-14);
  }
}

TEST_CASE("contact/frames: a half-plane is the same for every point") {
  const HalfPlane slope{{1.0, 2.0}, {0.6, 0.8}};
  const HalfPlane seen = tangent_plane(slope, {-7.0, 3.0});
  CHECK(seen.point == slope.point);
  CHECK(seen.normal == slope.normal);
}

}  // namespace slipwave::contact
