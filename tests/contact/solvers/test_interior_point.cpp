#include "contact/solvers/interior_point.hpp"

#include "tests/support/bodies.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

namespace slipwave::contact {

namespace {

using Eigen::VectorXd;

/// Steps to a certificate, or -1.
template <class Operator, int d>
int steps_for(const ProblemOn<Operator>& problem, double tolerance, Solution& solution) {
  NewtonMatrix<Operator, d> matrix(problem.W);
  InteriorPoint<Operator, d> interior(problem.W, matrix);
  const SolverReport report =
      interior.solve(problem, {Method::interior_point, tolerance, 100, 1.0}, solution);
  CHECK(report.finished_by == Method::interior_point);
  Solution judged = solution;
  CHECK(report.residual.worst() == certify(problem, tolerance, judged).worst());
  CHECK(report.converged == (report.residual.worst() <= tolerance));
  return report.converged ? report.iterations : -1;
}

template <int d>
void check_walls() {
  std::mt19937_64 generator(1);
  for (const double mu : {0.0, 0.3, 0.8}) {
    const tests::Bodies wall = tests::brick_wall(d, 4, 3);
    const BodyProblem problem = tests::on_bodies(wall, tests::falling(wall, 0.1, generator), mu);
    Solution solution(wall.contact_count(), d), on_W = solution, guessed = solution;
    guessed.p.setConstant(3.0);
    const int steps = steps_for<BodyDelassus, d>(problem, 1e-10, solution);
    CHECK(steps > 0);
    CHECK(steps < 40);
    // Where only a singular W is given, round-off stops it sooner.
    CHECK(steps_for<BlockSparse, d>(tests::on_W(wall, problem), 1e-8, on_W) > 0);
    CHECK(steps_for<BodyDelassus, d>(problem, 1e-10, guessed) == steps);  // a guess is of no use
    CHECK(guessed.p == solution.p);
    CHECK((on_W.w - solution.w).norm() <= 1e-7 * problem.b.norm());
  }
}

}  // namespace

TEST_CASE("contact/interior_point: a wall in a few steps, with and without friction") {
  check_walls<2>();
  check_walls<3>();
}

TEST_CASE("contact/interior_point: out of steps it gives the best impulses that it had") {
  std::mt19937_64 generator(2);
  const tests::Bodies wall = tests::brick_wall(3, 3, 2);
  const BodyProblem problem = tests::on_bodies(wall, tests::falling(wall, 0.1, generator), 0.5);
  NewtonMatrix<BodyDelassus, 3> matrix(problem.W);
  InteriorPoint<BodyDelassus, 3> interior(problem.W, matrix);
  double before = 1e300;
  for (const int steps : {1, 2, 4, 8}) {
    Solution solution(wall.contact_count(), 3);
    const SolverReport report =
        interior.solve(problem, {Method::interior_point, 1e-14, steps, 1.0}, solution);
    CHECK(report.iterations == steps);
    CHECK(report.residual.worst() <= before);
    CHECK(report.residual.worst() > 0.0);
    before = report.residual.worst();
  }
}

TEST_CASE("contact/interior_point: a load that is not a number is not certified") {
  const tests::Bodies one{
      3, {Eigen::MatrixXd::Identity(6, 6)}, {{{0, tests::velocity_at(3, {0, 0, 0})}}}};
  BodyProblem problem = tests::on_bodies(one, VectorXd::Zero(6), 0.5);
  problem.b[0] = std::numeric_limits<double>::quiet_NaN();
  Solution solution(1, 3);
  CHECK(steps_for<BodyDelassus, 3>(tests::on_bodies(one, -VectorXd::Ones(6), 0.5), 1e-10,
                                   solution) > 0);
  NewtonMatrix<BodyDelassus, 3> matrix(problem.W);
  InteriorPoint<BodyDelassus, 3> interior(problem.W, matrix);
  CHECK_FALSE(interior.solve(problem, {}, solution).converged);
}

}  // namespace slipwave::contact
