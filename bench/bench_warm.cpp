#include "app/solve/file_problem.hpp"
#include "contact/solvers/solver_on.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <random>

/// Contact problems of bodies again, with b changed by 1 % as velocities change it, from the last
/// solution:
///     bench_warm FILE...    prints ms cold and warm, the median of seven, at a certified 1e-8.
/// b changes by H dv with a random dv, by 1 % of its size: a change entry by entry would squeeze
/// bodies, and no step does that.
namespace {

using namespace slipwave;
using contact::BodyProblem;
using Clock = std::chrono::steady_clock;

constexpr int repeats = 7;

/// H x, for all contacts.
Eigen::VectorXd seen_of(const contact::BodyDelassus& W, const Eigen::VectorXd& x) {
  Eigen::VectorXd u(3 * W.contact_count());
  for (int a = 0; a < W.contact_count(); ++a) u.segment<3>(3 * a) = W.at<3>(a, x.data());
  return u;
}

/// One of the changed problems.
BodyProblem changed(const BodyProblem& problem, std::mt19937_64& generator) {
  std::normal_distribution<double> draw;
  Eigen::VectorXd x(problem.W.motion_size());
  for (double& value : x) value = draw(generator);
  const Eigen::VectorXd u = seen_of(problem.W, x);
  BodyProblem result = problem;
  result.b += 0.01 * problem.b.norm() / u.norm() * u;
  return result;
}

/// Milliseconds of a solve from `solution`, negative where it is not certified.
double timed(const BodyProblem& problem, contact::SolverOn<contact::BodyDelassus>& solver,
             contact::Solution& solution) {
  const auto start = Clock::now();
  const contact::SolverReport report = solver.solve(problem, solution);
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return report.converged ? ms : -ms;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void measure(const char* file) {
  const app::FileProblem read = app::read_problem(file, contact::Method::automatic, false);
  const auto* problem = std::get_if<BodyProblem>(&read.problem);
  if (!problem || problem->dimension() != 3) {
    fmt::print("{}: is no problem of bodies in space\n", file);
    return;
  }
  const contact::SolverOptions options{contact::Method::automatic, 1e-8, 10000, 1.0};
  std::mt19937_64 generator(1);
  std::vector<double> cold, warm;
  for (int k = 0; k < repeats; ++k) {
    contact::SolverOn<contact::BodyDelassus> solver(problem->W, options);
    contact::Solution solution(problem->W.contact_count(), 3);
    cold.push_back(timed(*problem, solver, solution));
    warm.push_back(timed(changed(*problem, generator), solver, solution));
  }
  fmt::print("{}: cold {:.1f} ms, warm {:.1f} ms ({:.1f} to {:.1f}); negative: not certified\n",
             file, median(cold), median(warm), *std::min_element(warm.begin(), warm.end()),
             *std::max_element(warm.begin(), warm.end()));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    for (int k = 1; k < argc; ++k) measure(argv[k]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
