#include "contact/solvers/solver_on.hpp"

#include "parallel/team.hpp"
#include "tests/support/bodies.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>
#include <random>

namespace slipwave::contact {

namespace {

using Eigen::VectorXd;
using tests::Bodies;

constexpr Method all_methods[] = {Method::nsgs, Method::proximal_newton, Method::interior_point,
                                  Method::projected_gradient, Method::automatic};

SolverOptions options_for(Method method, double tolerance = 1e-8) {
  return {method, tolerance, method == Method::projected_gradient ? 200000 : 20000, 1.0};
}

/// Solves from the guess; what the report says must be what an own certificate says.
template <class Operator>
SolverReport solve(const ProblemOn<Operator>& problem, Method method, Solution& solution) {
  SolverOn<Operator> solver(problem.W, options_for(method));
  const SolverReport report = solver.solve(problem, solution);
  Solution judged = solution;
  const double worst = certify(problem, 1e-8, judged).worst();
  CHECK(report.converged == (worst <= 1e-8));
  CHECK(report.residual.worst() == doctest::Approx(worst).epsilon(1e-3));
  return report;
}

template <class Operator>
void check_all_methods(const ProblemOn<Operator>& problem, const std::string& name) {
  for (const Method method : all_methods) {
    Solution solution(problem.W.contact_count(), problem.dimension());
    const SolverReport report = solve(problem, method, solution);
    CHECK_MESSAGE(report.converged, fmt::format("{} by {}: {:g} after {}", name, name_of(method),
                                                report.residual.worst(), report.iterations));
  }
}

/// Loads that bodies feel.
BodyProblem drawn(const Bodies& bodies, double mu, std::mt19937_64& generator) {
  return tests::on_bodies(bodies, tests::random_vector(bodies.motion_size(), 0.0, generator), mu);
}

/// What 1, 2 and 4 threads compute.
template <class Operator>
void check_threads(const ProblemOn<Operator>& problem, int most_iterations) {
  const int threads_before = parallel::threads();
  for (const Method method : all_methods) {
    SolverOptions options = options_for(method);
    options.max_iterations = most_iterations;
    if (method == Method::nsgs) options.max_iterations *= 20;
    if (method == Method::proximal_newton) options.max_iterations *= 6;
    VectorXd expected;
    for (const int threads : {1, 2, 4}) {
      parallel::set_threads(threads);
      Solution solution(problem.W.contact_count(), problem.dimension());
      const SolverReport report = SolverOn<Operator>(problem.W, options).solve(problem, solution);
      CHECK(report.iterations > 0);
      if (threads == 1) expected = solution.p;
      CHECK(solution.p == expected);
      CHECK(expected.norm() > 0.0);
    }
  }
  parallel::set_threads(threads_before);
}

}  // namespace

TEST_CASE("contact/solver_on: every method certifies bodies, as bodies and by their W") {
  std::mt19937_64 generator(1);
  for (const int d : {2, 3})
    for (const double mu : {0.0, 0.3, 1.0})
      for (const double skew : {0.0, 0.1}) {
        const Bodies bodies = tests::random_bodies(d, 10, 12, skew, generator);
        const BodyProblem problem = drawn(bodies, mu, generator);
        const std::string name = fmt::format("{}D, mu = {}, skew = {}", d, mu, skew);
        check_all_methods(problem, name + ", bodies");
        check_all_methods(tests::on_W(bodies, problem), name + ", W");
      }
}

TEST_CASE("contact/solver_on: every method certifies a wall, singular as it is") {
  std::mt19937_64 generator(2);
  for (const int d : {2, 3})
    for (const double mu : {0.0, 0.4, 2.0}) {
      const Bodies wall = tests::brick_wall(d, 3, 3);
      const BodyProblem problem = tests::on_bodies(wall, tests::falling(wall, 0.2, generator), mu);
      const std::string name = fmt::format("wall in {}D, mu = {}", d, mu);
      check_all_methods(problem, name + ", bodies");
      check_all_methods(tests::on_W(wall, problem), name + ", W");
    }
}

TEST_CASE("contact/solver_on: each contact with its own friction, none among them") {
  std::mt19937_64 generator(3);
  for (const int d : {2, 3}) {
    const Bodies wall = tests::brick_wall(d, 3, 3);
    BodyProblem problem = tests::on_bodies(wall, tests::falling(wall, 0.2, generator), 0.0);
    for (int a = 0; a < problem.mu.size(); ++a) problem.mu[a] = 0.25 * (a % 5);
    check_all_methods(problem, "bodies");
    check_all_methods(tests::on_W(wall, problem), "W");
  }
}

TEST_CASE("contact/solver_on: goes on from the last solution when b has changed by 1 %") {
  std::mt19937_64 generator(4);
  for (const int d : {2, 3})
    for (const Method method :
         {Method::nsgs, Method::proximal_newton, Method::interior_point, Method::automatic}) {
      const Bodies wall = tests::brick_wall(d, 5, 4);
      const VectorXd v = tests::falling(wall, 0.1, generator);
      BodyProblem problem = tests::on_bodies(wall, v, 0.5);
      SparseProblem on_W = tests::on_W(wall, problem);
      SolverOn<BodyDelassus> solver(problem.W, options_for(method));
      SolverOn<BlockSparse> solver_on_W(on_W.W, options_for(method));
      Solution solution(wall.contact_count(), d), solution_on_W = solution;
      const SolverReport cold = solver.solve(problem, solution);
      CHECK(cold.converged);
      CHECK(solver_on_W.solve(on_W, solution_on_W).converged);
      const VectorXd moved = tests::random_vector(wall.motion_size(), 0.0, generator);
      problem.b += wall.sparse_H() * (0.01 * v.norm() / moved.norm() * moved);
      on_W.b = problem.b;
      const SolverReport warm = solver.solve(problem, solution);
      CHECK(warm.converged);
      CHECK(solver_on_W.solve(on_W, solution_on_W).converged);
      if (method == Method::proximal_newton) CHECK(warm.iterations <= cold.iterations);
    }
}

TEST_CASE("contact/solver_on: inactive contacts get nothing, whatever the guess says") {
  std::mt19937_64 generator(5);
  for (const int d : {2, 3}) {
    const Bodies bodies = tests::random_bodies(d, 8, 12, 0.0, generator);
    BodyProblem problem = drawn(bodies, 0.4, generator);
    problem.active = {1, 2, 4, 5, 6, 9, 11};
    const SparseProblem on_W = tests::on_W(bodies, problem);
    for (const Method method : all_methods) {
      Solution solution(12, d), solution_on_W(12, d);
      solution.p = tests::random_vector(12 * d, 1.0, generator);
      solution_on_W.p = solution.p;
      CHECK(solve(problem, method, solution).converged);
      CHECK(solve(on_W, method, solution_on_W).converged);
      for (const int a : {0, 3, 7, 8, 10}) {
        CHECK(solution.p.segment(d * a, d).isZero(0.0));
        CHECK(solution_on_W.p.segment(d * a, d).isZero(0.0));
        CHECK(solution.status[static_cast<std::size_t>(a)] == Status::open);
      }
    }
  }
}

TEST_CASE("contact/solver_on: nothing to do without active contacts, and where all are open") {
  std::mt19937_64 generator(6);
  for (const int d : {2, 3}) {
    const Bodies bodies = tests::random_bodies(d, 3, 5, 0.0, generator);
    BodyProblem problem = drawn(bodies, 0.4, generator);
    for (int a = 0; a < 5; ++a) problem.b[d * a] = 1.0;
    for (const Method method : all_methods) {
      Solution solution(5, d);
      solution.p.setOnes();
      problem.active.clear();
      CHECK(SolverOn<BodyDelassus>(problem.W, options_for(method))
                .solve(problem, solution)
                .converged);
      CHECK(solution.p.isZero(0.0));
      problem.active = tests::all_of(5);
      CHECK(solve(problem, method, solution).converged);
      CHECK(solution.p.norm() <= 1e-8);
    }
  }
}

TEST_CASE("contact/solver_on: statuses say what contacts do") {
  // Two bodies of mass 1 in 2D: one is pressed and pushed each way, one leaves.
  Bodies bodies{2, {3, Eigen::MatrixXd::Identity(3, 3)}, {}};
  for (const int body : {0, 1, 2})
    bodies.contacts.push_back({{body, tests::velocity_at(2, {0, 0, 0})}});
  const VectorXd v{{0.2, -1.0, 0.0, 3.0, -1.0, 0.0, 0.0, 1.0, 0.0}};
  BodyProblem problem = tests::on_bodies(bodies, v, 0.5);
  for (const Method method : all_methods) {
    Solution solution(3, 2);
    CHECK(solve(problem, method, solution).converged);
    CHECK(solution.status ==
          std::vector<Status>{Status::sticking, Status::sliding_forward, Status::open});
    problem.b[3] = -problem.b[3];
    CHECK(solve(problem, method, solution).converged);
    CHECK(solution.status[1] == Status::sliding_backward);
    problem.b[3] = -problem.b[3];
  }
}

TEST_CASE("contact/solver_on: same bits on 1, 2 and 4 threads, coloured or not") {
  std::mt19937_64 generator(7);
  const Bodies small = tests::random_bodies(3, 10, 12, 0.1, generator);
  const BodyProblem little = drawn(small, 0.5, generator);
  check_threads(little, 1000);
  check_threads(tests::on_W(small, little), 1000);
  for (const int d : {2, 3}) {
    const Bodies wall = d == 2 ? tests::brick_wall(2, 41, 80) : tests::brick_wall(3, 20, 30);
    const BodyProblem problem = tests::on_bodies(wall, tests::falling(wall, 0.1, generator), 0.5);
    CHECK(problem.W.colours().colours.size() > 2);
    check_threads(problem, 3);
    const Bodies part = d == 2 ? tests::brick_wall(2, 31, 50) : tests::brick_wall(3, 12, 20);
    const SparseProblem on_W =
        tests::on_W(part, tests::on_bodies(part, tests::falling(part, 0.1, generator), 0.5));
    CHECK(on_W.W.colours().colours.size() > 2);
    check_threads(on_W, 3);
  }
}

TEST_CASE("contact/solver_on: more friction than makes a contact's own problem unique is said") {
  std::mt19937_64 generator(8);
  const Bodies bodies = tests::random_bodies(3, 4, 3, 0.0, generator);
  for (const double mu : {0.0, 100.0}) {
    BodyProblem problem = drawn(bodies, mu, generator);
    Solution solution(3, 3);
    SolverOn<BodyDelassus> solver(problem.W, options_for(Method::automatic));
    CHECK(solver.solve(problem, solution).unique == (mu == 0.0));
  }
}

TEST_CASE("contact/solver_on: what is not finite is never certified, and the next problem is") {
  std::mt19937_64 generator(9);
  for (const int d : {2, 3}) {
    const Bodies bodies = tests::random_bodies(d, 6, 8, 0.0, generator);
    const BodyProblem good = drawn(bodies, 0.4, generator);
    for (const Method method : all_methods) {
      SolverOptions options = options_for(method);
      options.max_iterations = 2000;
      SolverOn<BodyDelassus> solver(good.W, options);
      BodyProblem bad = good;
      bad.b[d] = std::numeric_limits<double>::quiet_NaN();
      Solution solution(8, d);
      CHECK_FALSE(solver.solve(bad, solution).converged);
      solution.p.setZero();
      CHECK(solver.solve(good, solution).converged);
    }
  }
}

TEST_CASE("contact/solver_on: automatic recovers from a guess that is not a number") {
  std::mt19937_64 generator(10);
  for (const int d : {2, 3}) {
    const Bodies bodies = tests::random_bodies(d, 6, 8, 0.0, generator);
    const BodyProblem problem = drawn(bodies, 0.4, generator);
    Solution solution(8, d);
    solution.p[1] = std::numeric_limits<double>::quiet_NaN();
    CHECK(solve(problem, Method::automatic, solution).converged);
  }
}

}  // namespace slipwave::contact
