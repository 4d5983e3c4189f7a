#include "dynamics/solids/spin.hpp"

#include <doctest/doctest.h>

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

/// The time between the second and the first upward zero of ω_i, to third order in h.
double period(Top top, int i, double h) {
  double first = -1.0;
  double before = top.w[i];
  for (int k = 1;; ++k) {
    top.step(h);
    const double now = top.w[i];
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
    Top top = dzhanibekov(w);
    const double energy = top.energy();
    const Vector3d spatial = top.spatial();
    double worst_energy = 0.0, worst_spatial = 0.0;
    for (int k = 0; k < 10000; ++k) {
      top.step(0.01);
      worst_energy = std::max(worst_energy, std::abs(top.energy() / energy - 1.0));
      worst_spatial = std::max(worst_spatial, (top.spatial() - spatial).norm() / spatial.norm());
    }
    CHECK(worst_energy <= 1e-13);
    CHECK(worst_spatial <= 1e-13);
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
    const double coarse = period(dzhanibekov(w), axis, 0.02) - exact,
                 fine = period(dzhanibekov(w), axis, 0.01) - exact;
    CHECK(std::log2(coarse / fine) == doctest::Approx(2.0).epsilon(0.01));
    CHECK(std::abs(fine) <= 1e-4 * exact);
    CHECK(std::abs((4.0 * fine - coarse) / 3.0) <= 1e-7 * exact);
  };
  check({0.01, 1.0, 0.0}, 1, 41.5092195293);
  check({0.0, 1.0, 0.01}, 1, 37.7020715874);
}

TEST_CASE("dynamics/spin: Cayley turns by 2 atan(h w / 2) about the spin") {
  const Vector3d axis = Vector3d(1.0, -2.0, 0.5).normalized();
  const Quaterniond q = dynamics::turned_by_cayley(Quaterniond::Identity(), 3.0 * axis, 0.1);
  const double angle = 2.0 * std::atan(0.15);
  CHECK((q.vec() - std::sin(0.5 * angle) * axis).norm() <= 1e-15);
  CHECK(std::abs(q.norm() - 1.0) <= 1e-15);
}
