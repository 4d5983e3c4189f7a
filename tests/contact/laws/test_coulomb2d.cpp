#include "contact/laws/coulomb2d.hpp"
#include "contact/residual.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace slipwave::contact {

namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr std::array<Status, 4> all_statuses = {Status::open, Status::sticking,
                                                Status::sliding_forward, Status::sliding_backward};

/// A positive definite block with a condition number up to 1000.
Matrix2d random_block(std::mt19937_64& generator) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const double angle = std::numbers::pi * unit(generator);
  const Matrix2d R =
      (Matrix2d() << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle))
          .finished();
  const Vector2d eigenvalues(1.0, std::pow(10.0, -3.0 * unit(generator)));
  Matrix2d W = R * eigenvalues.asDiagonal() * R.transpose();
  W(1, 0) = W(0, 1);
  return W;
}

Vector2d random_vector(std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  return {normal(generator), normal(generator)};
}

/// How far p is from solving the law, relative to the terms that enter it.
double law_error(const Matrix2d& W, const Vector2d& c, double mu, const Vector2d& p) {
  const Vector2d w = W * p + c;
  const double rho = 2.0 / W.trace();
  const double size = p.norm() + rho * (W.norm() * p.norm() + c.norm()) * (1.0 + mu);
  return size > 0.0 ? natural_map(p, rho * w, mu).norm() / size : 0.0;
}

/// The status says what the impulse and the velocity do.
bool status_is_right(const Matrix2d& W, const Vector2d& c, double mu, const LocalSolution& local) {
  const Vector2d& p = local.p;
  const Vector2d w = W * p + c;
  const double zero = 1e-12 * (W.norm() * p.norm() + c.norm());
  switch (local.status) {
    case Status::open:
      return p == Vector2d::Zero() && w[0] >= 0.0;
    case Status::sticking:
      return w.norm() <= zero && std::abs(p[1]) <= mu * p[0];
    case Status::sliding_forward:
      return std::abs(w[0]) <= zero && w[1] >= -zero && p[0] >= 0.0 && p[1] == -mu * p[0];
    case Status::sliding_backward:
      return std::abs(w[0]) <= zero && w[1] <= zero && p[0] >= 0.0 && p[1] == mu * p[0];
  }
  return false;
}

}  // namespace

TEST_CASE("contact/coulomb2d: satisfies the contact law for 10 000 random blocks") {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::array<int, 4> count{};
  double worst = 0.0;
  for (int trial = 0; trial < 10000; ++trial) {
    const Matrix2d W = random_block(generator);
    const double mu = std::min(2.0, 0.999 * W(0, 0) / std::abs(W(0, 1))) * unit(generator);
    const Vector2d c = random_vector(generator);
    const LocalSolution local = solve_local(W, c, mu, Status::open);
    CHECK(local.unique);
    CHECK(local.solved);
    CHECK(status_is_right(W, c, mu, local));
    worst = std::max(worst, law_error(W, c, mu, local.p));
    ++count[static_cast<std::size_t>(local.status)];
    // A unique solution does not depend on the past.
    CHECK(solve_local(W, c, mu, Status::sliding_forward).p == local.p);
  }
  CHECK(worst <= 1e-13);
  for (const int of_status : count) CHECK(of_status > 500);
}

TEST_CASE("contact/coulomb2d: has its hand-computed solutions, exactly") {
  const Matrix2d W = (Matrix2d() << 2.0, 1.0, 1.0, 2.0).finished();
  const auto solve = [&](double c_N, double c_T) {
    return solve_local(W, {c_N, c_T}, 0.5, Status::open);
  };
  CHECK(solve(1.0, 3.0).status == Status::open);
  CHECK(solve(0.0, 3.0).status == Status::open);
  CHECK(solve(-2.0, -1.0).status == Status::sticking);
  CHECK(solve(-2.0, -1.0).p == Vector2d(1.0, 0.0));
  CHECK(solve(-3.0, 4.0).status == Status::sliding_forward);  // -3 + 2 p_N - p_N/2 = 0
  CHECK(solve(-3.0, 4.0).p == Vector2d(2.0, -1.0));
  CHECK(solve(-5.0, -9.0).status == Status::sliding_backward);  // -5 + 2 p_N + p_N/2 = 0
  CHECK(solve(-5.0, -9.0).p == Vector2d(2.0, 1.0));
}

TEST_CASE("contact/coulomb2d: outside the range of uniqueness says so, and still obeys the law") {
  std::mt19937_64 generator(2);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::array<int, 4> count{};
  double worst = 0.0;
  for (int trial = 0; trial < 10000; ++trial) {
    const Matrix2d W = random_block(generator);
    const double mu = W(0, 0) / std::abs(W(0, 1)) * (1.0 + 3.0 * unit(generator));
    if (mu > 100.0) continue;
    const Vector2d c = random_vector(generator);
    const Status previous = all_statuses[static_cast<std::size_t>(trial % 4)];
    const LocalSolution local = solve_local(W, c, mu, previous);
    CHECK_FALSE(local.unique);
    CHECK(local.solved);  // there is a solution for every positive definite block
    CHECK(status_is_right(W, c, mu, local));
    worst = std::max(worst, law_error(W, c, mu, local.p));
    ++count[static_cast<std::size_t>(local.status)];
  }
  CHECK(worst <= 1e-13);
  for (const int of_status : count) CHECK(of_status > 100);
}

TEST_CASE("contact/coulomb2d: no impulse at the edge of the cone falls between stick and slide") {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  double worst = 0.0;
  for (int trial = 0; trial < 20000; ++trial) {
    const Matrix2d W = random_block(generator);
    const double mu = W(0, 0) / std::abs(W(0, 1)) * 4.0 * unit(generator);  // both sides of range
    if (mu > 100.0) continue;
    const double p_N = unit(generator);
    for (const double s : {-1.0, 1.0}) {
      const Vector2d c = -W * Vector2d(p_N, s * mu * p_N);
      const LocalSolution local = solve_local(W, c, mu, Status::open);
      CHECK(local.solved);
      worst = std::max(worst, law_error(W, c, mu, local.p));
    }
  }
  CHECK(worst <= 1e-12);
}

TEST_CASE("contact/coulomb2d: of open and sticking, both solutions, the previous one continues") {
  // p = (80, 91)/19 sticks inside the cone of mu = 2, and p = 0 leaves w_N = 0.1 > 0.
  const Matrix2d W = (Matrix2d() << 1.0, -0.9, -0.9, 1.0).finished();
  const Vector2d c(0.1, -1.0);
  const LocalSolution stuck = solve_local(W, c, 2.0, Status::sticking);
  CHECK(stuck.status == Status::sticking);
  CHECK((stuck.p - Vector2d(80.0, 91.0) / 19.0).norm() <= 1e-14);
  CHECK_FALSE(stuck.unique);
  for (const Status previous : {Status::open, Status::sliding_forward, Status::sliding_backward}) {
    const LocalSolution open = solve_local(W, c, 2.0, previous);
    CHECK(open.status == Status::open);
    CHECK(open.p == Vector2d::Zero());
    CHECK_FALSE(open.unique);
  }
}

TEST_CASE("contact/coulomb2d: a problem without solution is reported, not answered") {
  // w_T = c_T - 1 - w_N for every p: sticking needs c_T = 1; sliding backward, p_N < 0 (Painleve).
  const Matrix2d W = (Matrix2d() << 1.0, -1.0, -1.0, 1.0).finished();
  for (const Status previous : all_statuses) {
    const LocalSolution none = solve_local(W, {-1.0, 0.0}, 2.0, previous);
    CHECK_FALSE(none.solved);
    CHECK_FALSE(none.unique);
    CHECK(none.p == Vector2d::Zero());
  }
  const LocalSolution slides = solve_local(W, {-1.0, 2.0}, 2.0, Status::open);
  CHECK(slides.solved);
  CHECK(slides.status == Status::sliding_forward);
  CHECK(law_error(W, {-1.0, 2.0}, 2.0, slides.p) <= 4.0 * epsilon);
}

TEST_CASE("contact/coulomb2d: where the tangential motion is prescribed, friction opposes it") {
  const Matrix2d W = (Matrix2d() << 2.0, 0.0, 0.0, 0.0).finished();
  for (const Status previous : all_statuses) {
    const LocalSolution forward = solve_local(W, {-4.0, 1.0}, 0.5, previous);
    CHECK(forward.p == Vector2d(2.0, -1.0));
    CHECK(forward.status == Status::sliding_forward);
    const LocalSolution backward = solve_local(W, {-4.0, -1.0}, 0.5, previous);
    CHECK(backward.p == Vector2d(2.0, 1.0));
    CHECK(backward.status == Status::sliding_backward);
    const LocalSolution rest = solve_local(W, {-4.0, 0.0}, 0.5, previous);
    CHECK(rest.p == Vector2d(2.0, 0.0));
    CHECK(rest.status == Status::sticking);
    CHECK(solve_local(W, {4.0, 1.0}, 0.5, previous).p == Vector2d::Zero());
  }
}

TEST_CASE("contact/coulomb2d: without friction there is no tangential impulse") {
  std::mt19937_64 generator(4);
  for (int trial = 0; trial < 1000; ++trial) {
    const Matrix2d W = random_block(generator);
    const Vector2d c = random_vector(generator);
    const LocalSolution local = solve_local(W, c, 0.0, Status::sticking);
    CHECK(local.solved);
    CHECK(local.unique);
    CHECK(local.p[1] == 0.0);
    CHECK(local.p[0] == std::max(0.0, -c[0] / W(0, 0)));
  }
}

}  // namespace slipwave::contact
