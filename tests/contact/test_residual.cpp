#include "contact/residual.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace slipwave::contact {

namespace {

using Eigen::Vector2d;

/// The nearest point of the cone |y_T| <= mu y_N: x itself, or the nearest of its two edges'
/// points.
Vector2d project(const Vector2d& x, double mu) {
  if (x[0] >= 0.0 && std::abs(x[1]) <= mu * x[0]) return x;
  Vector2d best = Vector2d::Zero();
  for (const double s : {-1.0, 1.0}) {
    const Vector2d edge = Vector2d(1.0, s * mu).normalized();
    const Vector2d candidate = std::max(0.0, edge.dot(x)) * edge;
    if ((candidate - x).squaredNorm() < (best - x).squaredNorm()) best = candidate;
  }
  return best;
}

/// Two contacts, the first sliding and the second sticking, in numbers without round-off.
struct TwoContacts {
  Problem problem;
  Solution solution{2};

  /// Impulses are multiplied by `impulse` and velocities by `velocity`.
  explicit TwoContacts(double impulse = 1.0, double velocity = 1.0)
      : problem{DenseBand(velocity / impulse * matrix()), {}, Eigen::Vector2d(0.5, 0.25), {0, 1}} {
    solution.p = impulse * Eigen::Vector4d(2.0, -1.0, 4.0, 0.5);
    solution.w = velocity * Eigen::Vector4d(0.0, 3.0, 0.0, 0.0);
    problem.b = solution.w - problem.W.matrix() * solution.p;
  }

  static Eigen::Matrix4d matrix() {
    Eigen::Matrix4d result;
    result << 2.0, 0.5, 0.25, 0.0, 0.5, 4.0, 0.0, 0.5, 0.25, 0.0, 1.0, 0.25, 0.0, 0.5, 0.25, 8.0;
    return result;
  }
};

}  // namespace

TEST_CASE("contact/residual: the natural map is exactly zero at solutions") {
  CHECK(natural_map({0.0, 0.0}, {0.3, 5.0}, 0.5) == Vector2d(0.0, 0.0));   // open
  CHECK(natural_map({0.0, 0.0}, {0.0, -5.0}, 0.5) == Vector2d(0.0, 0.0));  // open, grazing
  CHECK(natural_map({1.0, 0.2}, {0.0, 0.0}, 0.5) == Vector2d(0.0, 0.0));   // sticking
  CHECK(natural_map({2.0, 1.0}, {0.0, 0.0}, 0.5) == Vector2d(0.0, 0.0));   // at the edge, at rest
  CHECK(natural_map({2.0, -1.0}, {0.0, 3.0}, 0.5) == Vector2d(0.0, 0.0));  // sliding forward
  CHECK(natural_map({2.0, 1.0}, {0.0, -3.0}, 0.5) == Vector2d(0.0, 0.0));  // sliding backward
  CHECK(natural_map({2.0, 0.0}, {0.0, -3.0}, 0.0) == Vector2d(0.0, 0.0));  // without friction
}

TEST_CASE("contact/residual: the natural map is not zero where the law is broken") {
  CHECK(natural_map({0.0, 0.0}, {-0.1, 0.0}, 0.5).norm() > 0.01);  // penetrates
  CHECK(natural_map({1.0, 0.0}, {0.1, 0.0}, 0.5).norm() > 0.01);   // pushed while it opens
  CHECK(natural_map({1.0, 0.2}, {0.0, 0.1}, 0.5).norm() > 0.01);   // slides inside the cone
  CHECK(natural_map({2.0, 1.0}, {0.0, 3.0}, 0.5).norm() > 0.01);   // friction along the motion
  CHECK(natural_map({2.0, 1.2}, {0.0, -3.0}, 0.5).norm() > 0.01);  // outside the cone
  CHECK(natural_map({-1.0, 0.0}, {0.0, 0.0}, 0.5).norm() > 0.01);  // sticks like glue
}

TEST_CASE("contact/residual: the natural map is p - proj(p - Phi(w)) for 100 000 random pairs") {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> friction(0.0, 2.0);
  double worst = 0.0;
  for (int trial = 0; trial < 100000; ++trial) {
    const Vector2d p(normal(generator), normal(generator)), w(normal(generator), normal(generator));
    const double mu = friction(generator);
    const Vector2d phi(w[0] + mu * std::abs(w[1]), w[1]);
    const Vector2d expected = p - project(p - phi, mu);
    worst = std::max(worst, (natural_map(p, w, mu) - expected).norm() / (p.norm() + phi.norm()));
  }
  CHECK(worst <= 4.0 * std::numeric_limits<double>::epsilon());
}

TEST_CASE("contact/residual: nothing of w_N is lost beside a sliding velocity 1e12 times larger") {
  for (const double direction : {-1.0, 1.0})
    for (const double w_N : {1e-6, -1e-6}) {
      // On the edge r = (1, s mu) the map is the part of w_N along r, whatever w_T.
      const double mu = 0.3;
      const Vector2d p(1.0, -direction * mu);
      const double expected = std::abs(w_N) / std::sqrt(1.0 + mu * mu);
      CHECK(natural_map(p, {w_N, direction * 1e6}, mu).norm() ==
            doctest::Approx(expected).epsilon(1e-12));
    }
}

TEST_CASE("contact/residual: no sliding velocity hides a penetration or fakes an opening") {
  // Without impulse, w_N = -1e-20 beside w_T = 1: the map is the part of w_N along the edge.
  CHECK(natural_map({0.0, 0.0}, {-1e-20, 1.0}, 0.75).norm() == doctest::Approx(1e-20 / 1.25));
  CHECK(natural_map({0.0, 0.0}, {1e-20, 1.0}, 0.75) == Vector2d(0.0, 0.0));
  // A solution that slides 1e20 times faster than its impulse.
  CHECK(natural_map({1.0, -0.75}, {0.0, 1e20}, 0.75) == Vector2d(0.0, 0.0));
  CHECK(natural_map({1.0, 0.75}, {0.0, -1e20}, 0.75) == Vector2d(0.0, 0.0));
}

TEST_CASE("contact/residual: both residuals are exactly zero at a solution") {
  const TwoContacts exact;
  const Residual certificate = residual(exact.problem, exact.solution);
  CHECK(certificate.raw == 0.0);
  CHECK(certificate.scaled == 0.0);
}

TEST_CASE("contact/residual: both residuals see any perturbed component of p or w") {
  for (int i = 0; i < 4; ++i)
    for (const double size : {-1e-6, 1e-6}) {
      CAPTURE(i);
      TwoContacts p_off, w_off;
      p_off.solution.p[i] += size;
      p_off.solution.w = p_off.problem.W.matrix() * p_off.solution.p + p_off.problem.b;
      const Residual of_p = residual(p_off.problem, p_off.solution);
      CHECK(std::min(of_p.raw, of_p.scaled) > 1e-8);
      CHECK(of_p.worst() < 1e-5);
      if (i == 1) continue;  // the speed of sliding is free
      w_off.solution.w[i] += size;
      const Residual of_w = residual(w_off.problem, w_off.solution);
      CHECK(std::min(of_w.raw, of_w.scaled) > 1e-8);
    }
}

TEST_CASE("contact/residual: an inactive contact is not judged") {
  TwoContacts contacts;
  contacts.solution.w[2] = -5.0;
  contacts.problem.active = {0};
  CHECK(residual(contacts.problem, contacts.solution).worst() == 0.0);
}

TEST_CASE("contact/residual: the scaled residual does not depend on the units, to the last bit") {
  const auto perturbed = [](double impulse, double velocity) {
    TwoContacts contacts(impulse, velocity);
    contacts.solution.p *= 1.0 + 1e-3;
    contacts.solution.w = contacts.problem.W.matrix() * contacts.solution.p + contacts.problem.b;
    return residual(contacts.problem, contacts.solution);
  };
  const Residual reference = perturbed(1.0, 1.0);
  CHECK(reference.scaled > 1e-5);
  // Powers of two: changing the units rounds nothing.
  for (const double impulse : {0x1p-40, 1.0, 0x1p40})
    for (const double velocity : {0x1p-30, 1.0, 0x1p30})
      CHECK(perturbed(impulse, velocity).scaled == reference.scaled);
  CHECK(perturbed(1.0, 0x1p-30).raw < 1e-6 * reference.raw);
}

TEST_CASE("contact/residual: impulses of zero are judged by the velocity they leave") {
  Solution solution(1);
  solution.w << 1e-30, 2.0;
  Problem problem{DenseBand(Eigen::MatrixXd::Identity(2, 2)),
                  solution.w,
                  Eigen::VectorXd::Constant(1, 0.5),
                  {0}};
  CHECK(residual(problem, solution).worst() == 0.0);
  solution.w << -1e-30, 2.0;
  problem.b = solution.w;
  CHECK(residual(problem, solution).scaled == std::numeric_limits<double>::infinity());
}

TEST_CASE("contact/residual: what is not a number is not a solution") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 4; ++i) {
    TwoContacts p_nan, w_nan, b_nan;
    p_nan.solution.p[i] = nan;
    w_nan.solution.w[i] = nan;
    b_nan.problem.b[i] = nan;
    CHECK_FALSE(residual(p_nan.problem, p_nan.solution).worst() <= 1e300);
    CHECK_FALSE(residual(w_nan.problem, w_nan.solution).worst() <= 1e300);
    CHECK_FALSE(residual(b_nan.problem, b_nan.solution).worst() <= 1e300);
  }
}

TEST_CASE("contact/residual: numbers whose squares leave the range of a double") {
  for (const int exponent : {-1000, -515, -400, 0, 400, 515, 1000}) {
    CAPTURE(exponent);
    const double size = std::ldexp(1.0, exponent);
    for (const double velocity : {size, 1.0}) {
      TwoContacts right(size, velocity);
      CHECK(residual(right.problem, right.solution).worst() == 0.0);
      // Impulses that are wrong by a quarter: with the same digits as for numbers near 1.
      right.solution.p[2] *= 1.25;
      right.solution.w = right.problem.W.matrix() * right.solution.p + right.problem.b;
      TwoContacts near_one(1.0, velocity / size);
      near_one.solution.p[2] *= 1.25;
      near_one.solution.w = near_one.problem.W.matrix() * near_one.solution.p + near_one.problem.b;
      const double scaled = residual(right.problem, right.solution).scaled;
      CHECK(scaled > 0.01);
      if (velocity == size) CHECK(scaled == residual(near_one.problem, near_one.solution).scaled);
    }
  }
}

}  // namespace slipwave::contact
