#include "collision/mass_properties.hpp"
#include "dynamics/solids/spin.hpp"
#include "tests/collision/rock.hpp"

#include <doctest/doctest.h>
#include <Eigen/Eigenvalues>

#include <algorithm>

#include <cmath>
#include <numbers>

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using namespace slipwave;

namespace {

/// A free body that spins.
struct Top {
  Matrix3d J;
  Vector3d w;
  Quaterniond q = Quaterniond::Identity();

  void step(double h) {
    const Vector3d between = dynamics::spin_between(J, w, Vector3d::Zero(), 0.5, h);
    q = dynamics::turned_by_cayley(q, between, h);
    w = 2.0 * between - w;
  }
  double energy() const { return 0.5 * w.dot(J * w); }
  Vector3d spatial() const { return q * (J * w); }
};

Top dzhanibekov(const Vector3d& w) { return {Vector3d(1.0, 2.0, 3.0).asDiagonal(), w}; }

/// The largest relative errors of energy and spin in space.
struct Kept {
  double energy = 0.0, spatial = 0.0;
};

Kept kept_over(Top top, int steps, double h) {
  const double energy = top.energy();
  const Vector3d spatial = top.spatial();
  Kept kept;
  for (int k = 0; k < steps; ++k) {
    top.step(h);
    kept.energy = std::max(kept.energy, std::abs(top.energy() / energy - 1.0));
    kept.spatial = std::max(kept.spatial, (top.spatial() - spatial).norm() / spatial.norm());
  }
  return kept;
}

/// The time between the second and the first upward zero of ω along a principal axis, to third
/// order in h.
double period(Top top, const Vector3d& axis, double h) {
  double first = -1.0;
  double before = top.w.dot(axis);
  for (int k = 1;; ++k) {
    top.step(h);
    const double now = top.w.dot(axis);
    if (before < 0.0 && now >= 0.0) {
      const double t = (k - now / (now - before)) * h;
      if (first >= 0.0) return t - first;
      first = t;
    }
    before = now;
  }
}

}  // namespace

TEST_CASE("dynamics/spin: energy and spin in space of a free body to 1e-13 over 10 000 steps") {
  for (const Vector3d& w : {Vector3d(0.01, 1.0, 0.01), Vector3d(2.0, -3.0, 1.0)}) {
    const Kept kept = kept_over(dzhanibekov(w), 10000, 0.01);
    CHECK(kept.energy <= 1e-13);
    CHECK(kept.spatial <= 1e-13);
  }
}

TEST_CASE("dynamics/spin: the gyroscopic term does no work for any theta") {
  Matrix3d J;
  J << 2.0, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 3.0;
  const Vector3d w(3.0, -1.0, 2.0), L(0.1, 0.7, -0.4);
  for (const double theta : {0.5, 0.7, 1.0})
    for (const double h : {1e-3, 0.1, 0.5}) {
      const Vector3d between = dynamics::spin_between(J, w, L, theta, h);
      const Vector3d next = w + (between - w) / theta;
      const Vector3d missing = J * (next - w) + h * between.cross(J * between) - L;
      CHECK(missing.norm() <= 1e-14 * (J * w).norm());
      CHECK(std::abs(between.dot(between.cross(J * between))) <=
            1e-15 * between.squaredNorm() * J.norm() * between.norm());
    }
}

TEST_CASE("dynamics/spin: the periods of the intermediate axis, with order two in the step") {
  // From Jacobi's elliptic functions: docs/rigid-bodies.md.
  const auto check = [](const Vector3d& w, int axis, double exact) {
    const Top top = dzhanibekov(w);
    const double coarse = period(top, Vector3d::Unit(axis), 0.02) - exact,
                 fine = period(top, Vector3d::Unit(axis), 0.01) - exact;
    CHECK(std::log2(coarse / fine) == doctest::Approx(2.0).epsilon(0.01));
    CHECK(std::abs(fine) <= 1e-4 * exact);
    CHECK(std::abs((4.0 * fine - coarse) / 3.0) <= 1e-7 * exact);
  };
  check({0.01, 1.0, 0.0}, 1, 41.5092195293);
  check({0.0, 1.0, 0.01}, 1, 37.7020715874);
}

TEST_CASE(
    "dynamics/spin: the rock turns over in the published time, and keeps what a free body keeps") {
  const Matrix3d J = 2300.0 * collision::mass_properties(collision::hull(tests::rock)).inertia;
  const Top rock{J, {0.5, 10.0, 0.1}};
  const Vector3d axis = Eigen::SelfAdjointEigenSolver<Matrix3d>(J).eigenvectors().col(0);
  const double coarse = period(rock, axis, 1e-3), fine = period(rock, axis, 5e-4);
  CHECK(std::abs((4.0 * fine - coarse) / 3.0 - 2.05791) < 1e-5);
  const Kept kept = kept_over(rock, 8000, 5e-4);
  CHECK(kept.energy <= 1e-13);
  CHECK(kept.spatial <= 1e-13);
}

TEST_CASE("dynamics/spin: Cayley turns by 2 atan(h w / 2) about the spin") {
  const Vector3d axis = Vector3d(1.0, -2.0, 0.5).normalized();
  const Quaterniond q = dynamics::turned_by_cayley(Quaterniond::Identity(), 3.0 * axis, 0.1);
  const double angle = 2.0 * std::atan(0.15);
  CHECK((q.vec() - std::sin(0.5 * angle) * axis).norm() <= 1e-15);
  CHECK(std::abs(q.norm() - 1.0) <= 1e-15);
}
