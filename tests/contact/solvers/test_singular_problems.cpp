#include "contact/solvers/solver_on.hpp"
#include "tests/support/bodies.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <random>

namespace slipwave::contact {

namespace {

using Eigen::VectorXd;
using tests::Bodies;

constexpr double tolerance = 1e-10;

/// How a solver left the bodies: v = v_free + M⁻¹Hᵀp.
struct Motion {
  bool certified = false;
  VectorXd v;
};

/// What all problems of a property came to.
struct Tally {
  int problems = 0, unsolved = 0, several = 0;
  int given_up = 0;             // by interior_point or proximal_newton alone
  double greatest_ratio = 0.0;  // of impulses to velocities
  double least_apart = 1e300;   // of motions that differ, relative
};

template <int d>
Motion moved_by(Method method, const BodyProblem& problem, const VectorXd& v_free) {
  Solution solution(problem.W.contact_count(), d);
  const int most = method == Method::nsgs ? 3000 : 20000;
  const SolverReport report =
      SolverOn<BodyDelassus>(problem.W, {method, tolerance, most, 1.0}).solve(problem, solution);
  Motion motion{report.converged, v_free};
  for (int a = 0; a < problem.W.contact_count(); ++a)
    problem.W.template add_motion<d>(a, solution.p.segment<d>(d * a), motion.v.data());
  return motion;
}

/// Bodies with `ratio` times as many impulses as velocities.
Bodies draw_bodies(int d, int ratio, std::mt19937_64& generator) {
  const int count = *rc::gen::inRange(1, 4);
  return tests::random_bodies(d, count, std::max(1, ratio * count * (d == 3 ? 6 : 3) / d), 0.0,
                              generator);
}

/// How far apart the motions are that solvers leave who certify theirs, relative.
template <int d>
double apart(const BodyProblem& problem, const VectorXd& v_free, const VectorXd& v, Tally& tally) {
  double most = 0.0;
  for (const Method method : {Method::nsgs, Method::interior_point, Method::proximal_newton}) {
    const Motion other = moved_by<d>(method, problem, v_free);
    if (other.certified)
      most = std::max(most, (other.v - v).norm() / v_free.norm());
    else if (method != Method::nsgs)
      ++tally.given_up;
  }
  return most;
}

template <int d>
void solve_one(double mu, Tally& tally) {
  std::mt19937_64 generator(*rc::gen::arbitrary<unsigned>());
  const int ratio = *rc::gen::inRange(1, 9);
  const Bodies bodies = draw_bodies(d, ratio, generator);
  const VectorXd v_free = tests::random_vector(bodies.motion_size(), 0.0, generator);
  const BodyProblem problem = tests::on_bodies(bodies, v_free, mu);
  const Motion motion = moved_by<d>(Method::automatic, problem, v_free);
  ++tally.problems;
  tally.greatest_ratio = std::max(tally.greatest_ratio, static_cast<double>(problem.b.size()) /
                                                            static_cast<double>(v_free.size()));
  if (!motion.certified) {
    ++tally.unsolved;
    return;
  }
  const double distance = apart<d>(problem, v_free, motion.v, tally);
  if (distance <= 1e-7) return;
  ++tally.several;
  tally.least_apart = std::min(tally.least_apart, distance);
}

}  // namespace

TEST_CASE("contact/singular_problems: without friction all solvers leave the same motion") {
  Tally tally;
  CHECK(rc::check([&] {
    solve_one<3>(0.0, tally);
    solve_one<2>(0.0, tally);
  }));
  CHECK(tally.problems >= 200);
  CHECK(tally.greatest_ratio >= 7.0);
  CHECK(tally.unsolved == 0);
  CHECK(tally.given_up == 0);
  CHECK(tally.several == 0);
}

TEST_CASE("contact/singular_problems: with friction all are certified; several motions are said") {
  for (const double mu : {0.1, 0.3, 1.0, 2.0}) {
    Tally tally;
    CHECK(rc::check([&] {
      solve_one<3>(mu, tally);
      solve_one<2>(mu, tally);
    }));
    MESSAGE(
        fmt::format("mu = {}: {} problems of up to {:.1f} impulses per velocity, {} with "
                    "several motions, at least {:.1e} apart; {} times a single solver gave up",
                    mu, tally.problems, tally.greatest_ratio, tally.several,
                    tally.several > 0 ? tally.least_apart : 0.0, tally.given_up));
    CHECK(tally.problems >= 200);
    CHECK(tally.greatest_ratio >= 7.0);
    CHECK(tally.unsolved == 0);
    CHECK(tally.least_apart > 1e-4);  // other solutions, and not the same one less exactly
  }
}

}  // namespace slipwave::contact
