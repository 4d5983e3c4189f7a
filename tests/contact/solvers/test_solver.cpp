#include "bench/random_problems.hpp"
#include "contact/solvers/solver.hpp"
#include "parallel/team.hpp"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>

#include <array>
#include <limits>

namespace slipwave::contact {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using tests::problem_with;

constexpr std::array all_methods = {Method::nsgs, Method::newton, Method::projected_gradient,
                                    Method::automatic};

struct Answer {
  Solution solution;
  SolverReport report;
};

Answer solve(const Problem& problem, const SolverOptions& options) {
  Answer answer{Solution(problem.W.contact_count(), problem.dimension()), {}};
  Solver solver(problem.W, options);
  answer.report = solver.solve(problem, answer.solution);
  return answer;
}

Answer solve(const Problem& problem, Method method) {
  return solve(problem, {method, 1e-10, 200000, 1.0});
}

double difference(const Solution& one, const Solution& other) {
  return (one.p - other.p).norm() / (1e-300 + one.p.norm());
}

}  // namespace

TEST_CASE("contact/solver: nsgs and newton agree to 1e-8 on 1000 random 2D problems") {
  std::mt19937_64 generator(1);
  double worst = 0.0;
  int fell_back = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const int n = 1 + trial % 24;
    const double mu = std::array{0.1, 0.5, 0.8}[static_cast<std::size_t>(trial % 3)];
    const Problem random =
        problem_with(tests::random_delassus(n, 2, 0.3, generator), 2, mu, generator);
    const Answer nsgs = solve(random, Method::nsgs);
    const Answer newton = solve(random, Method::newton);
    REQUIRE(nsgs.report.converged);
    REQUIRE(newton.report.converged);
    CHECK(nsgs.report.unique);
    CHECK(newton.report.unique);
    CHECK(tests::law_holds(random, newton.solution.p, 1e-8));
    worst = std::max(worst, difference(nsgs.solution, newton.solution));
    fell_back += newton.report.fell_back ? 1 : 0;
    if (trial % 20 != 0) continue;
    for (const Method method : {Method::projected_gradient, Method::automatic}) {
      const Answer other = solve(random, method);
      REQUIRE(other.report.converged);
      worst = std::max(worst, difference(nsgs.solution, other.solution));
    }
  }
  CHECK(worst <= 1e-8);
  CHECK(fell_back <= 10);
}

TEST_CASE("contact/solver: every method flags the loss of uniqueness, before and beside failure") {
  std::mt19937_64 generator(2);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 2 + trial % 5;
    MatrixXd matrix = tests::random_delassus(n, 2, 0.3, generator);
    matrix(2, 3) = matrix(3, 2) = 0.9 * std::sqrt(matrix(2, 2) * matrix(3, 3));
    const double mu = 1.01 * matrix(2, 2) / matrix(2, 3);
    const Problem random = problem_with(matrix, 2, mu, generator);
    for (const Method method : all_methods) {
      const Answer answer = solve(random, {method, 1e-10, 300, 1.0});
      CHECK_FALSE(answer.report.unique);
      if (answer.report.converged) CHECK(tests::law_holds(random, answer.solution.p, 1e-7));
    }
  }
}

TEST_CASE("contact/solver: same bits on 1, 2 and 4 threads for every method") {
  const int threads_before = parallel::threads();
  std::mt19937_64 generator(3);
  for (const int d : {2, 3}) {
    const int n = d == 2 ? 700 : 300;
    const Problem random = problem_with(tests::banded_delassus(n, d, 0.55), d, 0.5, generator);
    REQUIRE(random.W.half_bandwidth() < n / 4);
    REQUIRE(Nsgs(random.W).group_count() >= 4);
    for (const Method method : all_methods) {
      const SolverOptions options{method, 1e-10, method == Method::projected_gradient ? 20 : 1000,
                                  1.0};
      parallel::set_threads(1);
      const Answer one = solve(random, options);
      for (const int threads : {2, 4}) {
        parallel::set_threads(threads);
        const Answer several = solve(random, options);
        CHECK(several.solution.p == one.solution.p);
        CHECK(several.solution.w == one.solution.w);
        CHECK(several.solution.status == one.solution.status);
        CHECK(several.report.iterations == one.report.iterations);
      }
      if (method != Method::projected_gradient) CHECK(one.report.converged);
    }
  }
  parallel::set_threads(threads_before);
}

TEST_CASE("contact/solver: red-black blocks find the solution that newton finds") {
  std::mt19937_64 generator(4);
  const Problem random = problem_with(tests::banded_delassus(900, 2, 0.5), 2, 0.5, generator);
  REQUIRE(Nsgs(random.W).group_count() >= 4);
  const Answer blocks = solve(random, Method::nsgs);
  const Answer newton = solve(random, Method::newton);
  CHECK(blocks.report.converged);
  CHECK(newton.report.finished_by == Method::newton);
  CHECK(difference(newton.solution, blocks.solution) <= 1e-8);
}

TEST_CASE("contact/solver: the methods agree in 3D") {
  std::mt19937_64 generator(5);
  double worst = 0.0;
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 1 + trial % 12;
    const Problem random =
        problem_with(tests::random_delassus(n, 3, 0.2, generator), 3, 0.4, generator);
    const Answer nsgs = solve(random, Method::nsgs);
    REQUIRE(nsgs.report.converged);
    CHECK(tests::law_holds(random, nsgs.solution.p, 1e-8));
    for (const Method method : all_methods) {
      const Answer other = solve(random, method);
      REQUIRE(other.report.converged);
      worst = std::max(worst, difference(nsgs.solution, other.solution));
    }
  }
  CHECK(worst <= 1e-8);
}

TEST_CASE("contact/solver: 3D in a plane is 2D") {
  std::mt19937_64 generator(6);
  const int n = 15;
  const Problem plane =
      problem_with(tests::random_delassus(n, 2, 0.3, generator), 2, 0.5, generator);
  MatrixXd matrix = MatrixXd::Identity(3 * n, 3 * n);
  VectorXd b = VectorXd::Zero(3 * n);
  for (int i = 0; i < 2 * n; ++i) {
    b[3 * (i / 2) + i % 2] = plane.b[i];
    for (int j = 0; j < 2 * n; ++j)
      matrix(3 * (i / 2) + i % 2, 3 * (j / 2) + j % 2) = plane.W.matrix()(i, j);
  }
  Problem space = problem_with(matrix, 3, 0.5, generator);
  space.b = b;
  const Answer in_plane = solve(plane, Method::nsgs);
  for (const Method method : all_methods) {
    const Answer in_space = solve(space, method);
    CHECK(in_space.report.converged);
    for (int a = 0; a < n; ++a) {
      const Eigen::Vector2d p = in_plane.solution.p.segment<2>(2 * a);
      CHECK((in_space.solution.p.segment<2>(3 * a) - p).norm() <= 1e-8 * (1.0 + p.norm()));
      CHECK(std::abs(in_space.solution.p[3 * a + 2]) <= 1e-10);
    }
  }
}

TEST_CASE("contact/solver: over- and under-relaxation converge to the same solution") {
  std::mt19937_64 generator(7);
  for (int trial = 0; trial < 20; ++trial) {
    const int d = 2 + trial % 2;
    const Problem random =
        problem_with(tests::random_delassus(10, d, 0.2, generator), d, 0.5, generator);
    const Answer plain = solve(random, Method::nsgs);
    for (const double relaxation : {0.7, 1.2, 1.4}) {
      const Answer relaxed = solve(random, {Method::nsgs, 1e-10, 10000, relaxation});
      CHECK(relaxed.report.converged);
      CHECK(difference(plain.solution, relaxed.solution) <= 1e-8);
    }
  }
}

TEST_CASE("contact/solver: active contacts are the problem with the others removed") {
  std::mt19937_64 generator(8);
  for (const int d : {2, 3}) {
    const int n = 20;
    Problem whole = problem_with(tests::random_delassus(n, d, 0.2, generator), d, 0.5, generator);
    whole.active = {0, 3, 4, 5, 9, 10, 15, 19};
    std::vector<int> rows;
    for (const int a : whole.active)
      for (int i = 0; i < d; ++i) rows.push_back(d * a + i);
    Problem part = problem_with(whole.W.matrix()(rows, rows), d, 0.5, generator);
    part.b = whole.b(rows);
    for (const Method method : all_methods) {
      Solver solver(whole.W, {method, 1e-10, 100000, 1.0});
      Solution solution(n, d);
      solution.p.setConstant(1e3);  // left from an earlier step
      std::fill(solution.status.begin(), solution.status.end(), Status::sticking);
      CHECK(solver.solve(whole, solution).converged);
      const Answer removed = solve(part, method);
      CHECK((solution.p(rows) - removed.solution.p).norm() <= 1e-8 * removed.solution.p.norm());
      VectorXd others = solution.p;
      for (const int row : rows) others[row] = 0.0;
      CHECK(others.isZero(0.0));
    }
  }
}

TEST_CASE("contact/solver: ill-conditioned problems with much friction are certified or refused") {
  std::mt19937_64 generator(9);
  int solved_by_newton = 0, solved_by_automatic = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 30;
    MatrixXd matrix = MatrixXd::Zero(2 * n, 2 * n);
    for (int i = 0; i < 2 * n; ++i)
      for (int j = 0; j < 2 * n; ++j)
        if ((i - j) % 2 == 0) matrix(i, j) = std::exp(-1e-3 * (i - j) * (i - j));
    matrix.diagonal().array() += 5e-3;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(matrix, Eigen::EigenvaluesOnly);
    REQUIRE(eigen.eigenvalues().maxCoeff() > 1e3 * eigen.eigenvalues().minCoeff());
    const Problem hard = problem_with(matrix, 2, 1.5, generator);
    const Answer nsgs = solve(hard, {Method::nsgs, 1e-10, 20000, 1.0});
    const Answer newton = solve(hard, {Method::newton, 1e-10, 20000, 1.0});
    const Answer automatic = solve(hard, {Method::automatic, 1e-10, 20000, 1.0});
    for (const Answer* answer : {&nsgs, &newton, &automatic})
      if (answer->report.converged) CHECK(residual(hard, answer->solution).worst() <= 1e-10);
    solved_by_newton += newton.report.converged ? 1 : 0;
    solved_by_automatic += automatic.report.converged ? 1 : 0;
    if (nsgs.report.converged) CHECK(automatic.report.converged);
  }
  CHECK(solved_by_newton == 40);
  CHECK(solved_by_automatic == 40);
}

TEST_CASE("contact/solver: newton started from the solution takes one step, without a new factor") {
  std::mt19937_64 generator(10);
  const int n = 60;
  Problem random = problem_with(tests::banded_delassus(n, 2, 0.5), 2, 0.5, generator);
  Newton newton(random.W);
  Solution solution(n);
  CHECK(newton.solve(random, {}, solution).converged);
  const long before = newton.factorisations();
  for (int step = 0; step < 20; ++step) {  // b moves, a few statuses change now and then
    random.b += 0.01 * tests::random_vector(2 * n, 0.0, generator);
    const SolverReport report = newton.solve(random, {}, solution);
    CHECK(report.converged);
    CHECK(report.iterations <= 5);
    CHECK(tests::law_holds(random, solution.p, 1e-9));
  }
  CHECK(newton.factorisations() - before <= 5);
  const SolverReport again = newton.solve(random, {}, solution);
  CHECK(again.iterations == 1);
}

TEST_CASE("contact/solver: an update of the factor gives what a new factor gives") {
  std::mt19937_64 generator(11);
  const int n = 30;
  const Problem random =
      problem_with(tests::random_delassus(n, 2, 0.3, generator), 2, 0.5, generator);
  StatusSystem kept(random.W);
  std::vector<Status> status(n, Status::sticking);
  VectorXd p_kept(2 * n), p_new(2 * n);
  REQUIRE(kept.solve(random, status, true, p_kept));
  std::uniform_int_distribution<int> contact(0, n - 1), what(0, 3);
  for (int trial = 0; trial < 30; ++trial) {
    status[static_cast<std::size_t>(contact(generator) % 6)] = static_cast<Status>(what(generator));
    StatusSystem fresh(random.W);
    REQUIRE(kept.solve(random, status, true, p_kept));
    REQUIRE(fresh.solve(random, status, true, p_new));
    CHECK((p_kept - p_new).norm() <= 1e-12 * p_new.norm());
  }
  CHECK(kept.factorisations() <= 2);
}

TEST_CASE("contact/solver: a prescribed tangential motion slides or rests") {
  MatrixXd matrix = MatrixXd::Identity(4, 4);
  matrix(3, 3) = 0.0;
  std::mt19937_64 generator(12);
  Problem owned = problem_with(matrix, 2, 0.5, generator);
  for (const double w_T : {-2.0, 0.0, 2.0}) {
    owned.b << -1.0, 0.1, -1.0, w_T;
    for (const Method method : {Method::nsgs, Method::newton, Method::automatic}) {
      const Answer answer = solve(owned, method);
      CHECK(answer.report.converged);
      CHECK(answer.solution.p[2] == doctest::Approx(1.0));
      CHECK(answer.solution.p[3] == doctest::Approx(w_T == 0.0 ? 0.0 : std::copysign(0.5, -w_T)));
    }
  }
}

TEST_CASE("contact/solver: the report says who finished, and that newton gave up") {
  std::mt19937_64 generator(13);
  const Problem easy =
      problem_with(tests::random_delassus(5, 2, 0.3, generator), 2, 0.5, generator);
  CHECK(solve(easy, Method::nsgs).report.finished_by == Method::nsgs);
  CHECK(solve(easy, Method::newton).report.finished_by == Method::newton);
  CHECK(solve(easy, Method::projected_gradient).report.finished_by == Method::projected_gradient);
  CHECK(solve(easy, Method::automatic).report.finished_by != Method::automatic);
  // Sticking alone is singular here: the two contacts share their tangential motion.
  MatrixXd matrix = MatrixXd::Identity(4, 4);
  matrix(1, 3) = matrix(3, 1) = 1.0;
  Problem twins = problem_with(matrix, 2, 0.5, generator);
  twins.b << -1.0, 0.2, -1.0, 0.2;
  const Answer answer = solve(twins, Method::newton);
  CHECK(answer.report.converged);
  CHECK(answer.report.fell_back);
  CHECK(answer.report.finished_by == Method::nsgs);
}

TEST_CASE("contact/solver: a number that is none never counts as converged") {
  std::mt19937_64 generator(14);
  for (const int d : {2, 3})
    for (const Method method : all_methods) {
      Problem random =
          problem_with(tests::random_delassus(5, d, 0.3, generator), d, 0.5, generator);
      random.b[4] = std::numeric_limits<double>::quiet_NaN();
      CHECK_FALSE(solve(random, {method, 1e-10, 100, 1.0}).report.converged);
    }
}

TEST_CASE("contact/solver: the far blocks are in the certificate, whatever the tolerance") {
  std::mt19937_64 generator(15);
  const Problem random = problem_with(tests::banded_delassus(300, 2, 0.5), 2, 0.5, generator);
  REQUIRE(random.W.far_norm() > 0.0);
  for (const double tolerance : {1e-8, 1e-12, 1e-15}) {
    Answer answer = solve(random, {Method::nsgs, tolerance, 500, 1.0});
    const double certified = answer.report.residual.worst();
    answer.solution.w = random.W.matrix() * answer.solution.p + random.b;
    CHECK(residual(random, answer.solution).worst() <= certified + 2e-15);
    if (tolerance >= 1e-12) CHECK(answer.report.converged);
  }
}

TEST_CASE("contact/solver: without active contacts there is nothing to do") {
  std::mt19937_64 generator(16);
  for (const Method method : all_methods) {
    Problem random = problem_with(tests::random_delassus(3, 2, 0.3, generator), 2, 0.5, generator);
    random.active.clear();
    const Answer answer = solve(random, method);
    CHECK(answer.report.converged);
    CHECK(answer.report.iterations == 0);
    CHECK(answer.solution.p.isZero(0.0));
  }
}

TEST_CASE("contact/solver: with another's memory it goes on to the last bit") {
  for (const Method method : all_methods) {
    CAPTURE(static_cast<int>(method));
    std::mt19937_64 generator(17);
    Problem random = problem_with(tests::banded_delassus(60, 2, 0.7), 2, 0.5, generator);
    const SolverOptions options{method, 1e-9, 100000, 1.0};
    Solver first(random.W, options), second(random.W, options);
    Solution solution(60), restored(60);
    const Eigen::VectorXd start = random.b;
    for (int k = 0; k < 40; ++k) {
      // A load that wanders: some statuses change from problem to problem.
      random.b += 0.05 * tests::random_vector(120, 0.0, generator);
      if (k % 7 == 0) random.b = start;
      REQUIRE(first.solve(random, solution).converged);
      if (k >= 20) {
        REQUIRE(second.solve(random, restored).converged);
        CHECK(restored.p == solution.p);
      }
      if (k == 19) {
        restored = solution;
        second.restore(random, first.memory());
      }
    }
  }
}

TEST_CASE(
    "contact/problem: is a value: what was copied or moved, solver too, goes on to the last bit") {
  std::mt19937_64 generator(21);
  for (const Method method : all_methods) {
    Problem problem = problem_with(tests::banded_delassus(30, 2, 0.7), 2, 0.5, generator);
    Solver solver(problem.W, {method, 1e-9, 100000, 1.0});
    Solution solution(30);
    REQUIRE(solver.solve(problem, solution).converged);
    std::vector<Problem> stored{problem};
    stored.push_back(stored.front());  // moves the first
    Solver other = solver;
    Solution same = solution;
    problem.b *= 1.5;
    stored.front().b = problem.b;
    const SolverReport report = solver.solve(problem, solution);
    CHECK(other.solve(stored.front(), same).iterations == report.iterations);
    CHECK(same.p == solution.p);
    CHECK(stored.back().b != problem.b);
  }
}

TEST_CASE("contact/solver: contacts that are no longer active leave nothing behind") {
  for (const Method method : {Method::nsgs, Method::projected_gradient}) {
    std::mt19937_64 generator(18);
    Problem random = problem_with(tests::random_delassus(8, 2, 0.3, generator), 2, 0.5, generator);
    Solver solver(random.W, {method, 1e-9, 100000, 1.0});
    Solution all(8), few(8);
    REQUIRE(solver.solve(random, all).converged);
    random.active = {0, 1, 2};
    REQUIRE(solver.solve(random, few).converged);
    CHECK(few.p == solve(random, {method, 1e-9, 100000, 1.0}).solution.p);
  }
}

TEST_CASE("contact/solver: no method certifies a wrong answer, however small or large b is") {
  std::mt19937_64 generator(3);
  int right = 0, refused = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int d = 2 + trial % 2;
    const Problem random =
        problem_with(tests::random_delassus(1 + trial % 7, d, 0.3, generator), d, 0.5, generator);
    const Answer expected = solve(random, {Method::nsgs, 1e-13, 200000, 1.0});
    REQUIRE(expected.report.converged);
    // About 1e-155, 1e-300, 1e-160 and 1e150, 1e200, 1e300.
    for (const int exponent : {-515, -997, -532, 498, 664, 996})
      for (const Method method : all_methods) {
        CAPTURE(trial);
        CAPTURE(exponent);
        CAPTURE(static_cast<int>(method));
        Problem problem = random;
        const double scale = std::ldexp(1.0, exponent);
        problem.b *= scale;
        const Answer answer = solve(problem, {method, 1e-10, 2000, 1.0});
        (answer.report.converged ? right : refused) += 1;
        if (!answer.report.converged) continue;
        const VectorXd p = answer.solution.p / scale;
        CHECK((p - expected.solution.p).norm() <= 1e-7 * (1e-300 + expected.solution.p.norm()));
      }
  }
  MESSAGE(right << " right answers, " << refused << " refused");
  CHECK(right > 100);
}

}  // namespace slipwave::contact
