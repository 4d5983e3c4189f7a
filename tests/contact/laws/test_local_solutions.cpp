#include "contact/laws/local_solutions.hpp"

#include "contact/residual.hpp"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace slipwave::contact {

namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct LocalProblem {
  Matrix2d W;
  Vector2d c;
  double mu;
};

Matrix2d matrix(double W_NN, double W_NT, double W_TN, double W_TT) {
  return (Matrix2d() << W_NN, W_NT, W_TN, W_TT).finished();
}

double between(std::mt19937_64& generator, double lower, double upper) {
  return std::uniform_real_distribution<double>(lower, upper)(generator);
}

/// A symmetric block with one eigenvalue 1 and the other down to 1/100 of it.
Matrix2d random_block(std::mt19937_64& generator) {
  const double angle = between(generator, 0.0, std::numbers::pi);
  const Vector2d x(std::cos(angle), std::sin(angle)), y(-x[1], x[0]);
  const Matrix2d W =
      x * x.transpose() + std::pow(10.0, between(generator, -2.0, 0.0)) * y * y.transpose();
  return 0.5 * (W + W.transpose());
}

/// The same with an antisymmetric part: x·Wx > 0 all the same.
Matrix2d random_unsymmetric_block(std::mt19937_64& generator) {
  const double a = between(generator, -1.0, 1.0);
  return random_block(generator) + matrix(0.0, a, -a, 0.0);
}

Vector2d random_offset(std::mt19937_64& generator) {
  return {between(generator, -1.0, 1.0), between(generator, -1.0, 1.0)};
}

/// μ from 0 to 4 times the value beyond which uniqueness is lost, at most 20.
double random_friction(std::mt19937_64& generator, const Matrix2d& W, double lower, double upper) {
  return std::min(20.0, between(generator, lower, upper) * W(0, 0) / std::abs(W(0, 1)));
}

Vector2d natural_map_at(const LocalProblem& problem, const Vector2d& p) {
  const double rho = 1.0 / problem.W.norm();
  return natural_map(p, rho * (problem.W * p + problem.c), problem.mu);
}

/// The residual relative to the terms that enter it.
double law_error(const LocalProblem& problem, const Vector2d& p) {
  const double terms = p.norm() + problem.c.norm() / problem.W.norm();
  return natural_map_at(problem, p).norm() / ((2.0 + problem.mu) * terms);
}

double distance_to(const LocalBranch& branch, const Vector2d& p) {
  const double along = std::clamp(branch.direction.dot(p - branch.p), 0.0, branch.extent);
  return (p - branch.p - along * branch.direction).norm();
}

double distance_to(const LocalSolutions& all, const Vector2d& p) {
  double nearest = infinity;
  for (const LocalBranch& branch : all) nearest = std::min(nearest, distance_to(branch, p));
  return nearest;
}

/// The zero of the piece of the natural map, which is piecewise linear, to which p belongs.
Vector2d newton_step(const LocalProblem& problem, const Vector2d& p, double scale) {
  const double step = 1e-6 * scale;
  const Vector2d value = natural_map_at(problem, p);
  Matrix2d J;
  for (int i = 0; i < 2; ++i)
    J.col(i) = (natural_map_at(problem, p + step * Vector2d::Unit(i)) - value) / step;
  if (std::abs(J.determinant()) <= 1e-7) return Vector2d::Constant(infinity);
  return p - J.inverse() * value;
}

/// Zeros of the natural map, found from 23 × 18 points all over the cone and just outside.
std::vector<Vector2d> scan(const LocalProblem& problem) {
  std::vector<Vector2d> zeros;
  const double scale = problem.c.norm() / problem.W.norm();
  for (int ray = -11; ray <= 11; ++ray)
    for (int level = -10; level <= 7; ++level) {
      const double p_N = scale * std::pow(10.0, 0.4 * level);
      const Vector2d start(p_N, ray / 10.5 * problem.mu * p_N);
      const Vector2d near = newton_step(problem, start, start.norm());
      if (!near.allFinite() || law_error(problem, near) > 1e-8) continue;
      const Vector2d p = newton_step(problem, near, 1e-3 * (near.norm() + scale));
      if (p.allFinite() && law_error(problem, p) <= 1e-12) zeros.push_back(p);
    }
  return zeros;
}

/// The status says what p and w do.
bool status_is_right(const LocalProblem& problem, const LocalBranch& branch) {
  const Vector2d w = problem.W * branch.p + problem.c;
  const double size = problem.W.norm() * branch.p.norm() + problem.c.norm();
  const double s = branch.status == Status::sliding_forward ? -1.0 : 1.0;
  if (branch.status == Status::open) return branch.p == Vector2d::Zero() && w[0] >= 0.0;
  if (branch.status == Status::sticking) return w.norm() <= 1e-12 * size;
  return std::abs(w[0]) <= 1e-12 * size && s * w[1] <= 1e-12 * size &&
         branch.unstable == (problem.W(0, 0) + s * problem.mu * problem.W(0, 1) < 0.0);
}

/// Checks the list of one problem against the law and against the scan; adds to `listed` and
/// `found` how many isolated solutions there are and how many of them the scan sees as well.
void check_against_scan(const LocalProblem& problem, int& listed, int& found) {
  const LocalSolutions all = all_local_solutions(problem.W, problem.c, problem.mu);
  const double scale = problem.c.norm() / problem.W.norm();
  for (const LocalBranch& branch : all) {
    CHECK(law_error(problem, branch.p) <= 1e-12);
    CHECK(status_is_right(problem, branch));
  }
  const std::vector<Vector2d> zeros = scan(problem);
  const bool all_known = std::all_of(zeros.begin(), zeros.end(), [&](const Vector2d& p) {
    return distance_to(all, p) <= 1e-5 * (p.norm() + scale);
  });
  CHECK(all_known);
  for (const LocalBranch& branch : all) {
    ++listed;
    found += std::any_of(zeros.begin(), zeros.end(), [&](const Vector2d& p) {
      return distance_to(branch, p) <= 1e-5 * (p.norm() + scale);
    });
  }
}

/// 10 000 problems; the scan must see nearly all solutions, otherwise it would be no check.
template <class Draw>
void check_many_against_scan(Draw draw) {
  int listed = 0, found = 0;
  for (int trial = 0; trial < 10000; ++trial) check_against_scan(draw(), listed, found);
  CHECK(listed >= 8000);
  CHECK(found >= 0.95 * listed);
}

}  // namespace

TEST_CASE("contact/local_solutions: lists what a scan of the natural map finds, and only that") {
  std::mt19937_64 generator(1);
  check_many_against_scan([&] {
    const Matrix2d W = random_block(generator);
    return LocalProblem{W, random_offset(generator), random_friction(generator, W, 0.0, 4.0)};
  });
}

TEST_CASE("contact/local_solutions: the same for unsymmetric and for indefinite blocks") {
  std::mt19937_64 generator(2);
  check_many_against_scan([&] {
    const Matrix2d W = random_unsymmetric_block(generator);
    return LocalProblem{W, random_offset(generator), random_friction(generator, W, 0.0, 4.0)};
  });
  check_many_against_scan([&] {
    const Matrix2d W = Matrix2d::NullaryExpr([&] { return between(generator, -1.0, 1.0); });
    return LocalProblem{W, random_offset(generator), between(generator, 0.0, 2.0)};
  });
}

TEST_CASE("contact/local_solutions: the answer of solve_local is always among them") {
  std::mt19937_64 generator(3);
  constexpr std::array<Status, 4> statuses = {Status::open, Status::sticking,
                                              Status::sliding_forward, Status::sliding_backward};
  std::array<int, 4> count{};
  for (int trial = 0; trial < 40000; ++trial) {
    const Matrix2d W = random_block(generator);
    const double mu = random_friction(generator, W, 0.0, 4.0);
    const Vector2d c = random_offset(generator);
    const LocalSolutions all = all_local_solutions(W, c, mu);
    const LocalSolution one = solve_local(W, c, mu, statuses[static_cast<std::size_t>(trial % 4)]);
    CHECK(one.solved);
    CHECK(std::any_of(all.begin(), all.end(), [&](const LocalBranch& branch) {
      return branch.status == one.status && (branch.p - one.p).norm() <= 1e-12 * one.p.norm();
    }));
    ++count[static_cast<std::size_t>(one.status)];
  }
  for (const int of_status : count) CHECK(of_status > 1000);
}

TEST_CASE("contact/local_solutions: one where mu |W_NT| < W_NN, else one or three") {
  std::mt19937_64 generator(4);
  std::array<int, 5> count{};
  for (int trial = 0; trial < 40000; ++trial) {
    const bool symmetric = trial % 2 == 0, regular = trial % 4 < 2;
    const Matrix2d W = symmetric ? random_block(generator) : random_unsymmetric_block(generator);
    const double mu = random_friction(generator, W, regular ? 0.0 : 1.001, regular ? 0.999 : 4.0);
    const Vector2d c = random_offset(generator);
    const LocalSolutions all = all_local_solutions(W, c, mu);
    REQUIRE(all.count >= 1);  // never none: W is positive definite
    if (mu * std::abs(W(0, 1)) < W(0, 0)) {
      CHECK(all.solvability() == Solvability::unique);
      continue;
    }
    ++count[static_cast<std::size_t>(all.count)];
    CHECK((all.count == 1 || all.count == 3));
    if (c[0] < 0.0) CHECK(all.count == 1);
    const auto unstable = std::count_if(all.begin(), all.end(),
                                        [](const LocalBranch& branch) { return branch.unstable; });
    CHECK(unstable == (all.count == 3 ? 1 : 0));
  }
  CHECK(count[1] > 1000);
  CHECK(count[3] > 1000);
}

TEST_CASE("contact/local_solutions: of three, open and sticking are stable, sliding is not") {
  // W_NN - mu W_NT = -0.8: w_N = 0.1 - 0.8 p_N = 0 at p_N = 1/8, w_T = -1 + 1.1/8.
  const LocalSolutions all =
      all_local_solutions(matrix(1.0, -0.9, -0.9, 1.0), Vector2d(0.1, -1.0), 2.0);
  REQUIRE(all.count == 3);
  CHECK(all.solvability() == Solvability::several);
  CHECK(all.branches[0].status == Status::open);
  CHECK(all.branches[1].status == Status::sticking);
  CHECK((all.branches[1].p - Vector2d(80.0, 91.0) / 19.0).norm() <= 1e-14);
  CHECK(all.branches[2].status == Status::sliding_backward);
  CHECK((all.branches[2].p - Vector2d(0.125, 0.25)).norm() <= 1e-15);
  CHECK_FALSE(all.branches[1].unstable);
  CHECK(all.branches[2].unstable);
}

TEST_CASE("contact/local_solutions: a p reached by two statuses is listed once") {
  const Matrix2d W = matrix(2.0, 1.0, 1.0, 2.0);
  std::mt19937_64 generator(5);
  for (int trial = 0; trial < 10000; ++trial) {
    const double p_N = between(generator, 0.0, 1.0), s = trial % 2 == 0 ? 1.0 : -1.0;
    const Vector2d c = -W * Vector2d(p_N, 0.7 * s * p_N);  // sticks at the edge of the cone
    CHECK(all_local_solutions(W, c, 0.7).solvability() == Solvability::unique);
  }
  for (const double c_T : {-1.0, 0.0, 1.0})  // p = 0 opens, slides, and for c = 0 sticks
    CHECK(all_local_solutions(W, {0.0, c_T}, 0.7).count == 1);
  CHECK(all_local_solutions(W, {-1.0, 5.0}, 0.0).count == 1);
}

TEST_CASE("contact/local_solutions: where the edge of the cone keeps w_N = 0, a continuum") {
  const Matrix2d W = matrix(1.0, -0.5, -0.5, 1.0);  // w_N = 0 on p_T = 2 p_N
  const LocalSolutions segment = all_local_solutions(W, {0.0, -3.0}, 2.0);
  REQUIRE(segment.count == 1);  // from open, p = 0, to sticking, p = (2, 4)
  CHECK(segment.solvability() == Solvability::continuum);
  CHECK(segment.branches[0].p == Vector2d::Zero());
  CHECK(distance_to(segment.branches[0], {2.0, 4.0}) <= 1e-15);
  CHECK(segment.branches[0].extent == doctest::Approx(std::sqrt(20.0)).epsilon(1e-15));
  CHECK(all_local_solutions(W, {0.0, 3.0}, 2.0).solvability() == Solvability::unique);
  CHECK(all_local_solutions(W, {0.1, -3.0}, 2.0).count == 1);   // open
  CHECK(all_local_solutions(W, {-0.1, -3.0}, 2.0).count == 1);  // sticking
  CHECK(all_local_solutions(W, {0.0, 0.0}, 2.0).solvability() == Solvability::unique);
  // Without anything to stop it, a ray.
  const LocalSolutions ray = all_local_solutions(matrix(1.0, -0.5, -2.0, 1.0), {0.0, -3.0}, 2.0);
  REQUIRE(ray.count == 1);
  CHECK(ray.branches[0].extent == infinity);
  // The same, but friction opposes the sliding only from p_N = 1.5 on, where it stops.
  const LocalSolutions far = all_local_solutions(matrix(1.0, -0.5, -4.0, 1.0), {0.0, 3.0}, 2.0);
  REQUIRE(far.count == 2);
  CHECK(far.branches[0].p == Vector2d(1.5, 3.0));
  CHECK(far.branches[0].extent == infinity);
  CHECK(far.branches[1].status == Status::open);
}

TEST_CASE("contact/local_solutions: a singular block sticks on the part of a line in the cone") {
  const auto first = [](const Matrix2d& W, const Vector2d& c) {
    return all_local_solutions(W, c, 2.0).branches[0];
  };
  for (const double sign : {1.0, -1.0}) {  // p_T = p_N - 1: from (1/3, -2/3) on
    const LocalBranch ray = first(sign * matrix(-1.0, 1.0, 1.0, -1.0), {sign, -sign});
    CHECK((ray.p - Vector2d(1.0, -2.0) / 3.0).norm() <= 1e-15);
    CHECK((ray.direction - Vector2d(1.0, 1.0) / std::sqrt(2.0)).norm() <= 1e-15);
    CHECK(ray.extent == infinity);
  }
  // p_T = 2 p_N - 1, parallel to an edge and inside, and p_T = 2 p_N + 1, outside.
  const Matrix2d along_edge = matrix(-2.0, 1.0, -2.0, 1.0);
  CHECK((first(along_edge, {1.0, 1.0}).p - Vector2d(0.25, -0.5)).norm() <= 1e-15);
  CHECK(all_local_solutions(along_edge, {-1.0, -1.0}, 2.0).count == 0);
  // p_T = 10 p_N + 10 and p_N = -2 miss the cone.
  CHECK(all_local_solutions(matrix(-10.0, 1.0, -10.0, 1.0), {-10.0, -10.0}, 2.0).count == 0);
  CHECK(all_local_solutions(matrix(2.0, 0.0, 0.0, 0.0), {4.0, 0.0}, 2.0).solvability() ==
        Solvability::unique);
}

TEST_CASE(
    "contact/local_solutions: where the tangential motion is prescribed, p_T is open at rest") {
  const Matrix2d W = matrix(2.0, 0.0, 0.0, 0.0);
  const LocalSolutions rest = all_local_solutions(W, {-4.0, 0.0}, 0.5);
  REQUIRE(rest.count == 1);  // p = (2, -1) to (2, 1)
  CHECK(rest.solvability() == Solvability::continuum);
  CHECK(rest.branches[0].extent == 2.0);
  CHECK(std::abs(rest.branches[0].p[1]) == 1.0);
  CHECK(distance_to(rest, solve_local(W, {-4.0, 0.0}, 0.5, Status::open).p) == 0.0);
  const LocalSolutions slides = all_local_solutions(W, {-4.0, 1.0}, 0.5);
  CHECK(slides.solvability() == Solvability::unique);
  CHECK(slides.branches[0].p == Vector2d(2.0, -1.0));
  const LocalSolutions everything = all_local_solutions(Matrix2d::Zero(), Vector2d::Zero(), 0.5);
  CHECK(everything.solvability() == Solvability::continuum);
  CHECK(everything.count == 3);
}

TEST_CASE("contact/local_solutions: there may be none where the block is not positive definite") {
  const auto solvability = [](const Matrix2d& W, const Vector2d& c, double mu) {
    return all_local_solutions(W, c, mu).solvability();
  };
  // Semidefinite: w_T = c_T - 1 - w_N for every p.
  CHECK(solvability(matrix(1.0, -1.0, -1.0, 1.0), {-1.0, 0.0}, 2.0) == Solvability::none);
  // Prescribed tangential motion that friction feels in the normal direction: Painleve's second
  // paradox, inconsistency.
  const Matrix2d driven = matrix(1.0, -1.0, 0.0, 0.0);
  CHECK(solvability(driven, {-1.0, -1.0}, 2.0) == Solvability::none);
  CHECK(solvability(driven, {-1.0, 1.0}, 2.0) == Solvability::unique);
  CHECK(solvability(driven, {-1.0, -1.0}, 0.9) == Solvability::unique);
  CHECK(solvability(driven, {1.0, -1.0}, 2.0) == Solvability::several);  // open, or unstable
  // Nothing holds a body that yields to the impulse.
  CHECK(solvability(matrix(-1.0, 0.0, 0.0, 1.0), {-1.0, 0.0}, 0.5) == Solvability::none);
}

TEST_CASE("contact/local_solutions: there is none only where the block is not positive definite") {
  std::mt19937_64 generator(6);
  int none = 0, none_regular = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const Matrix2d W = Matrix2d::NullaryExpr([&] { return between(generator, -1.0, 1.0); });
    const double mu = between(generator, 0.0, 3.0);
    if (all_local_solutions(W, random_offset(generator), mu).count > 0) continue;
    ++none;
    const double shear = 0.5 * (W(0, 1) + W(1, 0));
    CHECK_FALSE((W(0, 0) > 0.0 && W(0, 0) * W(1, 1) > shear * shear));
    none_regular += mu * std::abs(W(0, 1)) < W(0, 0) && W.determinant() > 0.0;
  }
  CHECK(none > 1000);
  CHECK(none_regular == 0);  // nor where solve_local does not try every status
}

}  // namespace slipwave::contact
