#include "collision/mass_properties.hpp"

#include "tests/collision/rock.hpp"

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <numbers>

using namespace slipwave::collision;
using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// What becomes of them when the shape is turned and then moved.
MassProperties moved(const MassProperties& of, const Matrix3d& R, const Vector3d& x) {
  return {of.volume, R * of.centre + x, R * of.inertia * R.transpose()};
}

void check_same(const MassProperties& a, const MassProperties& b, double tolerance) {
  CHECK(std::abs(a.volume - b.volume) <= tolerance);
  CHECK((a.centre - b.centre).norm() <= tolerance);
  CHECK((a.inertia - b.inertia).norm() <= tolerance);
}

}  // namespace

TEST_CASE("collision/mass_properties: of the paper's rock") {
  const MassProperties rock = mass_properties(hull(slipwave::tests::rock));
  CHECK(std::abs(rock.volume - 31.3260121) <= 1e-7);
  CHECK(rock.centre.norm() <= 1e-12);
  Matrix3d inertia;
  inertia << 136844.3495, -9121.347782, 3144.907444, -9121.347782, 147071.1894, -18336.503,
      3144.907444, -18336.503, 98845.50989;
  CHECK((2300.0 * rock.inertia - inertia).cwiseAbs().maxCoeff() <= 1e-4);
}

TEST_CASE("collision/mass_properties: of a box, wherever it is and however turned") {
  const Vector3d size(1.0, 2.0, 3.0);
  Convex shape = box(size);
  const MassProperties exact{6.0, Vector3d::Zero(), Vector3d(6.5, 5.0, 2.5).asDiagonal()};
  check_same(mass_properties(shape), exact, 1e-14);
  const Matrix3d R = Eigen::AngleAxisd(0.7, Vector3d(1.0, 2.0, 2.0) / 3.0).matrix();
  const Vector3d x(10.0, -20.0, 5.0);
  for (Vector3d& v : shape.vertices) v = R * v + x;
  check_same(mass_properties(shape), moved(exact, R, x), 1e-12);
}

TEST_CASE("collision/mass_properties: of a sphere, and of a capsule about any segment") {
  const double pi = std::numbers::pi;
  check_same(mass_properties(sphere(2.0)),
             {32.0 / 3.0 * pi, Vector3d::Zero(), 256.0 / 15.0 * pi * Matrix3d::Identity()}, 1e-12);
  // A cylinder and, by Steiner's rule, two halves of a sphere, centres 3/8 r from their planes.
  const double r = 0.5, L = 3.0;
  const double cylinder = pi * r * r * L, half = 2.0 / 3.0 * pi * r * r * r;
  const double half_across = half * (0.4 - 9.0 / 64.0) * r * r;
  const double arm = 0.5 * L + 0.375 * r;
  const double across =
      cylinder * (r * r / 4.0 + L * L / 12.0) + 2.0 * (half_across + half * arm * arm);
  const double along = cylinder * r * r / 2.0 + 2.0 * half * 0.4 * r * r;
  const MassProperties exact{cylinder + 2.0 * half, Vector3d::Zero(),
                             Vector3d(across, across, along).asDiagonal()};
  Convex shape = capsule(L, r);
  check_same(mass_properties(shape), exact, 1e-13);
  const Matrix3d R = Eigen::AngleAxisd(1.1, Vector3d(2.0, 1.0, 2.0) / 3.0).matrix();
  for (Vector3d& v : shape.vertices) v = R * v + Vector3d(1.0, 2.0, 3.0);
  check_same(mass_properties(shape), moved(exact, R, {1.0, 2.0, 3.0}), 1e-12);
}
