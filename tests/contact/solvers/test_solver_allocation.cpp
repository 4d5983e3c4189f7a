#include "bench/random_problems.hpp"
#include "contact/solvers/block_lu.hpp"
#include "contact/solvers/solver.hpp"
#include "contact/solvers/solver_on.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/bodies.hpp"

#include <doctest/doctest.h>

using namespace slipwave::contact;

namespace {

/// The first problem is the easiest that there is; a later one must not be the first that needs
/// something.
template <class Operator>
void check_nothing_allocated(ProblemOn<Operator> problem, Method method) {
  const int n = problem.W.contact_count(), d = problem.dimension();
  const Eigen::VectorXd b = problem.b;
  SolverOn<Operator> solver(problem.W, {method, 1e-8, 3000, 1.0});
  solver.prepare(problem.W);
  Solution solution(n, d);
  problem.b.setZero();
  for (int a = 0; a < n; ++a) problem.b[d * a] = 1.0;
  bool converged = solver.solve(problem, solution).converged;
  const long before = allocations();
  for (int k = 0; k < 4; ++k) {
    problem.b = (1.0 + 0.01 * k) * b;
    problem.active.resize(static_cast<std::size_t>(n - k));
    const SolverReport report = solver.solve(problem, solution);
    converged = converged && report.converged;
  }
  CHECK(allocations() == before);
  if (method != Method::projected_gradient && method != Method::nsgs) CHECK(converged);
}

template <int s>
void check_factors() {
  BlockLu<s> lu({{1, 3}, {0, 2}, {1, 3}, {0, 2}});
  Eigen::VectorXd x = Eigen::VectorXd::Ones(4 * s);
  const auto factorise = [&] {
    lu.clear();
    for (int i = 0; i < 4; ++i) {
      lu.at(lu.place(i, i)).setIdentity();
      lu.at(lu.place(i, (i + 1) % 4)).setConstant(0.1);
    }
    return lu.factorise();
  };
  REQUIRE(factorise());
  const long before = allocations();
  const bool again = factorise();
  lu.solve(x);
  CHECK(allocations() == before);
  CHECK(again);
}

}  // namespace

TEST_CASE("contact/block_lu: the second factors and what they solve allocate nothing") {
  if (!counting_allocations()) return;
  check_factors<2>();
  check_factors<3>();
  check_factors<6>();
}

TEST_CASE("contact/solver_on: allocates nothing from the second solve on, whatever the method") {
  if (!counting_allocations()) return;
  std::mt19937_64 generator(2);
  for (const int d : {2, 3})
    for (const Method method : {Method::nsgs, Method::proximal_newton, Method::interior_point,
                                Method::projected_gradient, Method::automatic}) {
      const tests::Bodies wall = tests::brick_wall(d, 4, 4);
      const BodyProblem problem = tests::on_bodies(wall, tests::falling(wall, 0.2, generator), 0.7);
      check_nothing_allocated(problem, method);
      check_nothing_allocated(tests::on_W(wall, problem), method);
    }
}

TEST_CASE("contact/solver: a solve allocates nothing, whatever the method") {
  if (!counting_allocations()) return;
  std::mt19937_64 generator(1);
  for (const int d : {2, 3})
    for (const Method method :
         {Method::nsgs, Method::newton, Method::projected_gradient, Method::automatic}) {
      const int n = d == 2 ? 400 : 60;
      Problem drawn = tests::problem_with(tests::banded_delassus(n, d, 0.5), d, 0.5, generator);
      Solver solver(drawn.W, {method, 1e-10, 500, 1.0});
      Solution solution(n, d);
      const Eigen::VectorXd first = drawn.b, second = tests::random_vector(d * n, -0.3, generator);
      bool converged = solver.solve(drawn, solution).converged;  // starts the threads
      const long before = allocations();
      for (int k = 0; k < 6; ++k) {
        drawn.b = k % 2 == 0 ? second : first;
        drawn.active.resize(static_cast<std::size_t>(n - 5 * k));
        const SolverReport report = solver.solve(drawn, solution);
        converged = converged && report.converged;
      }
      CHECK(allocations() == before);
      if (method != Method::projected_gradient) CHECK(converged);
    }
}
