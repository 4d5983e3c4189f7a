#include "bench/sequences.hpp"
#include "bench/siconos.hpp"
#include "contact/solvers/solver.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>

namespace slipwave::bench {

namespace {

constexpr double tolerance = 1e-10;

/// An answer of Siconos that our residual certifies, with the loosest of its own tolerances.
std::optional<contact::Solution> siconos_answer(const SiconosMethod& method,
                                                const contact::Problem& problem) {
  const SiconosMatrix W(problem, method.storage);
  SiconosSolver solver(method, 10000);
  for (const double own : {1e-10, 1e-11, 1e-12, 1e-13, 1e-14}) {
    contact::Solution solution(problem.W.contact_count(), problem.dimension());
    (void)solver.solve(problem, W, own, solution);
    if (contact::certify(problem, tolerance, solution).worst() <= tolerance) return solution;
  }
  return std::nullopt;
}

/// Solves a sequence as the integrator does and compares every answer with those of a Siconos
/// solver; returns how many of these were certified.
int compare(Sequence& sequence, contact::Method ours, const SiconosMethod& theirs) {
  int certified = 0;
  std::optional<contact::Solver> solver;
  std::optional<contact::Solution> solution;
  const contact::DenseBand* W = nullptr;
  for (std::size_t k = 0; k < sequence.size(); ++k) {
    const contact::Problem& problem = sequence.problem(k);
    if (W != &problem.W) {
      W = &problem.W;
      solver.emplace(*W, contact::SolverOptions{ours, tolerance, 10000, 1.0});
      solution.emplace(W->contact_count(), problem.dimension());
    }
    const contact::SolverReport report = solver->solve(problem, *solution);
    REQUIRE(report.converged);
    REQUIRE(report.unique);
    const std::optional<contact::Solution> other = siconos_answer(theirs, problem);
    if (!other) continue;
    ++certified;
    CHECK((solution->p - other->p).norm() <= 1e-7 * solution->p.norm());
  }
  return certified;
}

/// Every method of ours beside every one of theirs, of which at least one is to certify all.
void compare_all(Sequence sequence) {
  int most = 0;
  for (const SiconosMethod& theirs : siconos_methods(sequence.dimension()))
    for (const contact::Method ours :
         {contact::Method::automatic, contact::Method::nsgs, contact::Method::newton}) {
      CAPTURE(std::string(theirs.name));
      most = std::max(most, compare(sequence, ours, theirs));
    }
  CHECK(most == static_cast<int>(sequence.size()));
}

}  // namespace

TEST_CASE("extras/siconos: the same impulses to 1e-7 on 40 random 2D problems") {
  for (const int contacts : {1, 3, 10, 24}) compare_all(random_sequence(contacts, 2, 10));
}

TEST_CASE("extras/siconos: the same impulses to 1e-7 on 40 random 3D problems") {
  for (const int contacts : {1, 3, 7, 12}) compare_all(random_sequence(contacts, 3, 10));
}

TEST_CASE("extras/siconos: the same impulses to 1e-7 in 20 steps of the sliding block") {
  compare_all(block_sequence({.contacts = 17, .h = 1e-3, .captured = 20}));
}

}  // namespace slipwave::bench
