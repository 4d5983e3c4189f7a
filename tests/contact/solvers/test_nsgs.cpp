#include "bench/random_problems.hpp"
#include "contact/solvers/nsgs.hpp"
#include "contact/solvers/solver.hpp"
#include "parallel/team.hpp"

#include <doctest/doctest.h>

#include <Eigen/LU>

#include <cmath>
#include <limits>
#include <random>

namespace slipwave::contact {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using tests::law_holds;

Problem random_problem(int n, double mu, std::mt19937_64& generator) {
  return tests::problem_with(tests::random_delassus(n, 2, 0.3, generator), 2, mu, generator);
}

SolverReport solve_nsgs(const Problem& problem, Solution& solution, double tolerance = 1e-10,
                        int max_sweeps = 10000) {
  return Solver(problem.W, {Method::nsgs, tolerance, max_sweeps, 1.0}).solve(problem, solution);
}

/// Every solution, by trying open, stick, slide and slide back for each contact.
std::vector<VectorXd> enumerate(const Problem& problem) {
  const int n = problem.W.contact_count();
  const MatrixXd& W = problem.W.matrix();
  std::vector<VectorXd> solutions;
  for (int code = 0; code < (1 << (2 * n)); ++code) {
    MatrixXd A = W;
    VectorXd rhs = -problem.b;
    for (int a = 0; a < n; ++a) {
      const int status = (code >> (2 * a)) & 3;
      if (status == 0)
        A.middleRows<2>(2 * a) = MatrixXd::Identity(2 * n, 2 * n).middleRows<2>(2 * a);
      if (status == 0) rhs.segment<2>(2 * a).setZero();
      if (status < 2) continue;
      A.row(2 * a + 1).setZero();
      A(2 * a + 1, 2 * a + 1) = 1.0;
      A(2 * a + 1, 2 * a) = (status == 2 ? -1.0 : 1.0) * problem.mu[a];
      rhs[2 * a + 1] = 0.0;
    }
    const VectorXd p = A.partialPivLu().solve(rhs);
    if (!law_holds(problem, p, 1e-12)) continue;
    const auto same = [&](const VectorXd& q) { return (p - q).norm() <= 1e-9 * (1.0 + p.norm()); };
    if (std::none_of(solutions.begin(), solutions.end(), same)) solutions.push_back(p);
  }
  return solutions;
}

/// Normal impulses of the frictionless problem: the one set of closed contacts that is consistent.
VectorXd enumerate_frictionless(const Problem& problem) {
  const int n = problem.W.contact_count();
  const auto normal = Eigen::seqN(0, n, 2);
  const MatrixXd W = problem.W.matrix()(normal, normal);
  const VectorXd b = problem.b(normal);
  for (int code = 0; code < (1 << n); ++code) {
    MatrixXd A = W;
    VectorXd rhs = -b;
    for (int a = 0; a < n; ++a) {
      if ((code >> a) & 1) continue;
      A.row(a) = VectorXd::Unit(n, a).transpose();
      rhs[a] = 0.0;
    }
    const VectorXd p = A.partialPivLu().solve(rhs);
    if (p.minCoeff() >= 0.0 && (W * p + b).minCoeff() >= -1e-12) return p;
  }
  return VectorXd::Constant(n, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

TEST_CASE("contact/nsgs: solves random problems of 1 to 40 contacts") {
  std::mt19937_64 generator(1);
  for (int n = 1; n <= 40; ++n)
    for (const double mu : {0.1, 0.5, 0.8}) {
      CAPTURE(n);
      CAPTURE(mu);
      const Problem random = random_problem(n, mu, generator);
      Solution solution(n);
      const SolverReport report = solve_nsgs(random, solution);
      CHECK(report.converged);
      CHECK(report.unsolvable == -1);
      CHECK(report.residual.worst() <= 1e-10);
      CHECK(law_holds(random, solution.p, 1e-8));
      const VectorXd w = random.W.matrix() * solution.p + random.b;
      CHECK((solution.w - w).norm() <= 1e-13 * (1.0 + w.norm()));
    }
}

TEST_CASE("contact/nsgs: finds the solution that trying every status finds") {
  std::mt19937_64 generator(2);
  int compared = 0;
  for (int n = 1; n <= 4; ++n)
    for (int trial = 0; trial < 50; ++trial) {
      const Problem random = random_problem(n, 0.5, generator);
      const std::vector<VectorXd> solutions = enumerate(random);
      CHECK_FALSE(solutions.empty());
      if (solutions.size() != 1) continue;
      Solution solution(n);
      CHECK(solve_nsgs(random, solution).converged);
      CHECK((solution.p - solutions[0]).norm() <= 1e-9 * (1.0 + solutions[0].norm()));
      ++compared;
    }
  CHECK(compared >= 190);
}

TEST_CASE("contact/nsgs: the statuses are those of the solution") {
  std::mt19937_64 generator(3);
  const int n = 40;
  const Problem random = random_problem(n, 0.3, generator);
  Solution solution(n);
  CHECK(solve_nsgs(random, solution, 1e-13, 10000).converged);
  int sliding = 0;
  for (int a = 0; a < n; ++a) {
    const Status status = solution.status[static_cast<std::size_t>(a)];
    const double w_T = solution.w[2 * a + 1];
    CHECK((status == Status::open) == (solution.p[2 * a] == 0.0));
    if (status == Status::sticking) CHECK(std::abs(w_T) <= 1e-11);
    if (status == Status::sliding_forward) CHECK(w_T > 0.0);
    if (status == Status::sliding_backward) CHECK(w_T < 0.0);
    sliding += status == Status::sliding_forward || status == Status::sliding_backward;
  }
  CHECK(sliding > 0);
}

TEST_CASE("contact/nsgs: without friction the impulses solve the complementarity problem") {
  std::mt19937_64 generator(4);
  for (int n = 1; n <= 8; ++n)
    for (int trial = 0; trial < 10; ++trial) {
      const Problem random = random_problem(n, 0.0, generator);
      Solution solution(n);
      CHECK(solve_nsgs(random, solution).converged);
      const VectorXd expected = enumerate_frictionless(random);
      CHECK((solution.p(Eigen::seqN(0, n, 2)) - expected).norm() <= 1e-9 * (1.0 + expected.norm()));
      CHECK(solution.p(Eigen::seqN(1, n, 2)).isZero(0.0));
    }
}

TEST_CASE("contact/nsgs: inactive contacts get no impulse and change no bit of the others") {
  std::mt19937_64 generator(5);
  const int n = 12;
  Problem random = random_problem(n, 0.5, generator);
  random.active = {0, 2, 3, 7, 11};
  Solution solution(n);
  CHECK(solve_nsgs(random, solution).converged);

  MatrixXd other_W = random.W.matrix();
  VectorXd other_b = random.b;
  Solution other(n);
  for (const int a : {1, 4, 5, 6, 8, 9, 10}) {
    CHECK(solution.p.segment<2>(2 * a).isZero(0.0));
    CHECK(solution.status[static_cast<std::size_t>(a)] == Status::open);
    other_W.middleRows<2>(2 * a) *= 7.0;
    other_W.middleCols<2>(2 * a) *= 7.0;
    other_b.segment<2>(2 * a).setConstant(-1e6);
    other.p.segment<2>(2 * a).setConstant(1e6);  // left from an earlier step
    other.status[static_cast<std::size_t>(a)] = Status::sticking;
  }
  const Problem problem{DenseBand(other_W), other_b, random.mu, random.active};
  CHECK(solve_nsgs(problem, other).converged);
  CHECK(other.p == solution.p);
  CHECK(other.status == solution.status);
}

TEST_CASE("contact/nsgs: without active contacts there is nothing to do and no impulse") {
  std::mt19937_64 generator(6);
  Problem random = random_problem(3, 0.5, generator);
  random.active.clear();
  Solution solution(3);
  solution.p.setOnes();
  const SolverReport report = solve_nsgs(random, solution);
  CHECK(report.converged);
  CHECK(report.iterations == 0);
  CHECK(solution.p.isZero(0.0));
}

TEST_CASE("contact/nsgs: started from the solution it takes one sweep") {
  std::mt19937_64 generator(7);
  for (int n = 1; n <= 40; n += 3) {
    const Problem random = random_problem(n, 0.5, generator);
    Solution solution(n);
    CHECK(solve_nsgs(random, solution, 1e-13, 10000).converged);
    const VectorXd p = solution.p;
    const SolverReport again = solve_nsgs(random, solution);
    CHECK(again.converged);
    CHECK(again.iterations == 1);
    CHECK((solution.p - p).norm() <= 1e-12 * (1.0 + p.norm()));
  }
}

TEST_CASE("contact/nsgs: what did not converge is reported with its residual") {
  std::mt19937_64 generator(8);
  const Problem random = random_problem(20, 0.5, generator);
  for (const int sweeps : {1, 2, 3}) {
    Solution solution(20);
    const SolverReport report = solve_nsgs(random, solution, 1e-10, sweeps);
    CHECK_FALSE(report.converged);
    CHECK(report.iterations == sweeps);
    CHECK(report.residual.worst() > 1e-10);
    CHECK(report.residual.worst() == residual(random, solution).worst());
  }
  Solution solution(20);
  CHECK_FALSE(solve_nsgs(random, solution, 1e-10, 0).converged);
}

TEST_CASE("contact/nsgs: a contact without solution is named") {
  MatrixXd matrix = MatrixXd::Identity(4, 4);
  matrix(2, 3) = matrix(3, 2) = -1.0;
  VectorXd b(4);
  b << -1.0, 0.0, -1.0, 0.0;
  const Problem problem{DenseBand(matrix), b, VectorXd::Constant(2, 2.0), {0, 1}};
  Solution solution(2);
  const SolverReport report = solve_nsgs(problem, solution, 1e-10, 50);
  CHECK_FALSE(report.converged);
  CHECK_FALSE(report.unique);
  CHECK(report.unsolvable == 1);
}

TEST_CASE("contact/nsgs: a problem with a number that is none does not converge") {
  std::mt19937_64 generator(9);
  Problem random = random_problem(5, 0.5, generator);
  random.b[4] = std::numeric_limits<double>::quiet_NaN();
  Solution solution(5);
  CHECK_FALSE(solve_nsgs(random, solution, 1e-10, 100).converged);
}

TEST_CASE("contact/nsgs: same bits on one thread and on four") {
  std::mt19937_64 generator(10);
  const Problem random = random_problem(40, 0.5, generator);
  const int threads_before = parallel::threads();
  Solution one(40), four(40);
  parallel::set_threads(1);
  const SolverReport report_one = solve_nsgs(random, one);
  parallel::set_threads(4);
  const SolverReport report_four = solve_nsgs(random, four);
  parallel::set_threads(threads_before);
  CHECK(four.p == one.p);
  CHECK(four.w == one.w);
  CHECK(report_four.iterations == report_one.iterations);
}

}  // namespace slipwave::contact
