#include "contact/solvers/proximal_newton.hpp"

#include "tests/support/bodies.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

namespace slipwave::contact {

namespace {

template <class Operator, int d>
SolverReport solved(const ProblemOn<Operator>& problem, int most, Solution& solution) {
  NewtonMatrix<Operator, d> matrix(problem.W);
  ProximalNewton<Operator, d> proximal(problem.W, matrix);
  const SolverReport report =
      proximal.solve(problem, {Method::proximal_newton, 1e-10, most, 1.0}, solution);
  CHECK(report.finished_by == Method::proximal_newton);
  Solution judged = solution;
  CHECK(report.residual.worst() == certify(problem, 1e-10, judged).worst());
  CHECK(report.converged == (report.residual.worst() <= 1e-10));
  return report;
}

template <int d>
void check_walls() {
  std::mt19937_64 generator(1);
  for (const double mu : {0.0, 0.3, 0.8}) {
    const tests::Bodies wall = tests::brick_wall(d, 4, 3);
    const BodyProblem problem = tests::on_bodies(wall, tests::falling(wall, 0.1, generator), mu);
    Solution solution(wall.contact_count(), d), on_W = solution;
    const SolverReport cold = solved<BodyDelassus, d>(problem, 500, solution);
    CHECK(cold.converged);
    CHECK(solved<BlockSparse, d>(tests::on_W(wall, problem), 500, on_W).converged);
    const SolverReport again = solved<BodyDelassus, d>(problem, 500, solution);
    CHECK(again.converged);
    CHECK(again.iterations < cold.iterations);
  }
}

}  // namespace

TEST_CASE("contact/proximal_newton: a wall, with and without friction; from its solution sooner") {
  check_walls<2>();
  check_walls<3>();
}

TEST_CASE("contact/proximal_newton: W that is not symmetric") {
  std::mt19937_64 generator(2);
  for (int trial = 0; trial < 20; ++trial) {
    const tests::Bodies bodies = tests::random_bodies(3, 5, 12, 0.3, generator);
    const BodyProblem problem =
        tests::on_bodies(bodies, tests::random_vector(bodies.motion_size(), 0.0, generator), 0.3);
    Solution solution(12, 3), on_W(12, 3);
    CHECK(solved<BodyDelassus, 3>(problem, 500, solution).converged);
    CHECK(solved<BlockSparse, 3>(tests::on_W(bodies, problem), 500, on_W).converged);
  }
}

TEST_CASE("contact/proximal_newton: out of steps it says how far it came, not that it arrived") {
  std::mt19937_64 generator(3);
  const tests::Bodies wall = tests::brick_wall(3, 4, 3);
  BodyProblem problem = tests::on_bodies(wall, tests::falling(wall, 0.1, generator), 0.5);
  Solution solution(wall.contact_count(), 3);
  const SolverReport report = solved<BodyDelassus, 3>(problem, 1, solution);
  CHECK_FALSE(report.converged);
  CHECK(report.residual.worst() > 1e-10);
  problem.b[0] = std::numeric_limits<double>::quiet_NaN();
  NewtonMatrix<BodyDelassus, 3> matrix(problem.W);
  ProximalNewton<BodyDelassus, 3> proximal(problem.W, matrix);
  const SolverReport bad = proximal.solve(problem, {}, solution);
  CHECK_FALSE(bad.converged);
  CHECK(std::isnan(bad.residual.worst()));
}

}  // namespace slipwave::contact
