#include "contact/laws/coulomb3d.hpp"
#include "contact/residual.hpp"

#include <doctest/doctest.h>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace slipwave::contact {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d random_vector(std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  return {normal(generator), normal(generator), normal(generator)};
}

/// A positive definite block with eigenvalues down to 10^-digits.
Matrix3d random_block(double digits, std::mt19937_64& generator) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Matrix3d G;
  for (int i = 0; i < 3; ++i) G.col(i) = random_vector(generator);
  const Matrix3d Q = Eigen::HouseholderQR<Matrix3d>(G).householderQ();
  const Vector3d eigenvalues(1.0, std::pow(10.0, -digits * unit(generator)),
                             std::pow(10.0, -digits * unit(generator)));
  const Matrix3d W = Q * eigenvalues.asDiagonal() * Q.transpose();
  return 0.5 * (W + W.transpose());
}

double law_error(const Matrix3d& W, const Vector3d& c, double mu, const Vector3d& p) {
  const double rho = 3.0 / W.trace();
  const double size = p.norm() + rho * (W.norm() * p.norm() + c.norm()) * (1.0 + mu);
  return size > 0.0 ? natural_map_3d(p, rho * (W * p + c), mu).norm() / size : 0.0;
}

/// The nearest point of the cone found by trying its surface all around.
Vector3d nearest_by_search(const Vector3d& x, double mu) {
  if (x.tail<2>().norm() <= mu * x[0]) return x;
  const Vector3d edge =
      Vector3d(1.0, mu * x[1] / x.tail<2>().norm(), mu * x[2] / x.tail<2>().norm()).normalized();
  return std::max(0.0, edge.dot(x)) * edge;
}

}  // namespace

TEST_CASE("contact/coulomb3d: satisfies the contact law for 10 000 random blocks") {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> friction(0.0, 1.0);
  double worst = 0.0;
  int sliding = 0;
  for (int trial = 0; trial < 10000; ++trial) {
    const Matrix3d W = random_block(3.0, generator);
    const Vector3d c = random_vector(generator);
    const double mu = friction(generator);
    const LocalSolution3 local = solve_local_3d(W, c, mu);
    REQUIRE(local.solved);
    CHECK(local.p.tail<2>().norm() <= mu * local.p[0] * (1.0 + 1e-15));
    worst = std::max(worst, law_error(W, c, mu, local.p));
    if (local.status == Status::sliding_forward) ++sliding;
  }
  CHECK(worst <= 1e-13);
  CHECK(sliding > 1000);
}

TEST_CASE("contact/coulomb3d: also for nearly singular blocks and much friction") {
  std::mt19937_64 generator(2);
  std::uniform_real_distribution<double> exponent(-6.0, 3.0);
  double worst = 0.0;
  for (int trial = 0; trial < 10000; ++trial) {
    const Matrix3d W = random_block(12.0, generator);
    if (!(W(0, 0) > 1e-6)) continue;
    const Vector3d c = random_vector(generator);
    const double mu = std::pow(10.0, exponent(generator));
    const LocalSolution3 local = solve_local_3d(W, c, mu);
    REQUIRE(local.solved);
    worst = std::max(worst, law_error(W, c, mu, local.p));
  }
  CHECK(worst <= 1e-9);
}

TEST_CASE("contact/coulomb3d: satisfies the contact law for blocks that are not symmetric") {
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> friction(0.0, 2.0), unit(-1.0, 1.0);
  double worst = 0.0;
  int sliding = 0, sticking = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const double skew = std::pow(10.0, -1.0 - trial % 14);
    const Vector3d turn = skew * Vector3d(unit(generator), unit(generator), unit(generator));
    Matrix3d W = random_block(trial % 2 == 0 ? 1.0 : 3.0, generator);
    W += (Matrix3d() << 0.0, turn[0], turn[1], -turn[0], 0.0, turn[2], -turn[1], -turn[2], 0.0)
             .finished();
    const Vector3d c = random_vector(generator);
    const double mu = trial % 10 == 0 ? 0.0 : friction(generator);
    const LocalSolution3 local = solve_local_3d(W, c, mu);
    REQUIRE(local.solved);
    worst = std::max(worst, law_error(W, c, mu, local.p));
    sliding += local.status == Status::sliding_forward ? 1 : 0;
    sticking += local.status == Status::sticking ? 1 : 0;
  }
  CHECK(worst <= 1e-10);
  CHECK(sliding > 500);
  CHECK(sticking > 500);
}

TEST_CASE("contact/coulomb3d: an unsymmetric block without a load across, or without inverse") {
  Matrix3d W = Matrix3d::Identity();
  W(1, 2) = 0.1;
  W(2, 1) = -0.1;
  CHECK(solve_local_3d(W, {-1.0, 0.0, 0.0}, 0.5).p == Vector3d(1.0, 0.0, 0.0));
  CHECK(solve_local_3d(W, {-1.0, 3.0, 4.0}, 0.0).p == Vector3d(1.0, 0.0, 0.0));
  CHECK(solve_local_3d(W, {1.0, 3.0, 4.0}, 0.5).status == Status::open);
  W(1, 1) = W(2, 2) = W(1, 2) = W(2, 1) = 0.0;  // w_T is what it is but for p_N
  W(0, 1) = 0.1;
  for (const double mu : {0.1, 0.5, 2.0}) {
    const Vector3d c(-1.0, 3.0, 4.0), p = solve_local_3d(W, c, mu).p;
    CHECK(law_error(W, c, mu, p) <= 1e-13);
  }
}

TEST_CASE("contact/coulomb3d: in a plane it is the 2D solution") {
  std::mt19937_64 generator(3);
  for (int trial = 0; trial < 1000; ++trial) {
    Matrix3d W = random_block(2.0, generator);
    W(0, 2) = W(2, 0) = W(1, 2) = W(2, 1) = 0.0;
    const Vector3d c(random_vector(generator)[0], random_vector(generator)[0], 0.0);
    const double mu = 0.9 * W(0, 0) / (W(0, 0) + std::abs(W(0, 1)));
    const Eigen::Matrix2d W2 = W.topLeftCorner<2, 2>();
    const LocalSolution plane = solve_local(W2, c.head<2>(), mu, Status::open);
    const LocalSolution3 space = solve_local_3d(W, c, mu);
    CHECK((space.p.head<2>() - plane.p).norm() <= 1e-12 * (1.0 + plane.p.norm()));
    CHECK(std::abs(space.p[2]) <= 1e-13 * (1.0 + plane.p.norm()));
    CHECK((space.status == Status::open) == (plane.status == Status::open));
  }
}

TEST_CASE("contact/coulomb3d: a load without direction, without friction, or prescribed") {
  const Matrix3d I = Matrix3d::Identity();
  CHECK(solve_local_3d(I, {-1.0, 0.0, 0.0}, 0.5).p == Vector3d(1.0, 0.0, 0.0));
  CHECK(solve_local_3d(I, {-1.0, 3.0, 4.0}, 0.0).p == Vector3d(1.0, 0.0, 0.0));
  CHECK(solve_local_3d(I, {1.0, 3.0, 4.0}, 0.5).status == Status::open);
  CHECK((solve_local_3d(I, {-1.0, 3.0, 4.0}, 0.5).p - Vector3d(1.0, -0.3, -0.4)).norm() <= 1e-15);
  const Matrix3d prescribed = Vector3d(1.0, 0.0, 0.0).asDiagonal();  // w_T is what it is
  CHECK((solve_local_3d(prescribed, {-1.0, 3.0, 4.0}, 0.5).p - Vector3d(1.0, -0.3, -0.4)).norm() <=
        1e-15);
  CHECK(solve_local_3d(prescribed, {-1.0, 0.0, 0.0}, 0.5).p == Vector3d(1.0, 0.0, 0.0));
  CHECK_FALSE(solve_local_3d(I, {-1.0, std::numeric_limits<double>::quiet_NaN(), 0.0}, 0.5).solved);
}

TEST_CASE("contact/coulomb3d: where the solution may not be unique it says so") {
  Matrix3d W = Matrix3d::Identity();
  W(0, 1) = W(1, 0) = 0.6;
  CHECK(solve_local_3d(W, {-1.0, 0.0, 1.0}, 1.6).unique);
  CHECK_FALSE(solve_local_3d(W, {-1.0, 0.0, 1.0}, 1.7).unique);
}

TEST_CASE("contact/residual: the 3D natural map is p - proj(p - Phi(w)) for 100 000 random pairs") {
  std::mt19937_64 generator(4);
  std::uniform_real_distribution<double> friction(0.0, 2.0);
  double worst = 0.0;
  for (int trial = 0; trial < 100000; ++trial) {
    const Vector3d p = random_vector(generator), w = random_vector(generator);
    const double mu = friction(generator);
    const Vector3d phi(w[0] + mu * w.tail<2>().norm(), w[1], w[2]);
    const Vector3d expected = p - nearest_by_search(p - phi, mu);
    worst = std::max(worst, (natural_map_3d(p, w, mu) - expected).norm() / (p.norm() + phi.norm()));
    CHECK((project_on_cone<3>(p - phi, mu) - nearest_by_search(p - phi, mu)).norm() <=
          1e-14 * (1.0 + phi.norm() + p.norm()));
  }
  CHECK(worst <= 1e-14);
}

TEST_CASE("contact/residual: the 3D natural map keeps w_N beside a sliding velocity 1e12 larger") {
  const double mu = 0.75, w_N = 1e-6;
  const Vector3d p(5.0, -3.75 * 0.6, -3.75 * 0.8), w(w_N, 0.6e6, 0.8e6);
  CHECK(natural_map_3d(p, w, mu).norm() == doctest::Approx(w_N / 1.25).epsilon(1e-6));
  CHECK(natural_map_3d({0.0, 0.0, 0.0}, {1e-20, 1.0, 2.0}, mu) == Vector3d(0.0, 0.0, 0.0));
}

}  // namespace slipwave::contact
