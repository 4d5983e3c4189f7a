#include "parallel/team.hpp"
#include "tests/support/case_run.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace slipwave;

namespace {

struct Trace {
  Eigen::VectorXd q, v, p, energies;
};

/// Steps of the sliding block on a mesh fine enough to be shared between threads: 19 node blocks, a
/// tree of many tasks, contacts in several blocks.
Trace trace(const std::string& method, int threads, int steps) {
  parallel::set_threads(threads);
  tests::CaseRun run("sliding_block",
                     {"mesh.size=0.36", "time.step=1e-3", "solver.method=" + method});
  REQUIRE(run.body.mesh.node_count() > 9000);
  REQUIRE(run.integrator->matrix().stored_values() > 300000);
  Trace result;
  result.energies.resize(steps);
  for (int k = 0; k < steps; ++k) result.energies[k] = run.advance().energy.energy.total();
  result.q = run.state.q;
  result.v = run.state.v;
  result.p = run.integrator->contact().solution().p;
  return result;
}

}  // namespace

TEST_CASE(
    "app/run/threads: whole runs have the same bits with 1, 2, 4 and 8 threads, whatever the "
    "method") {
  const int threads = parallel::threads();
  for (const std::string method : {"auto", "nsgs", "newton", "projected-gradient"}) {
    CAPTURE(method);
    const int steps = method == "projected-gradient" ? 3 : 12;
    const Trace one = trace(method, 1, steps);
    CHECK(one.p.norm() > 0.0);
    for (const int count : {2, 4, 8}) {
      CAPTURE(count);
      const Trace other = trace(method, count, steps);
      CHECK(other.q == one.q);
      CHECK(other.v == one.v);
      CHECK(other.p == one.p);
      CHECK(other.energies == one.energies);
    }
  }
  parallel::set_threads(threads);
}

TEST_CASE("app/run/threads: rigid bodies have the same bits with 1, 2 and 4 threads") {
  const int threads = parallel::threads();
  const auto run = [](const std::string& name, int count, int steps) {
    parallel::set_threads(count);
    tests::SolidsRun solids(name, {});
    (void)solids.advance(steps);
    return solids.state;
  };
  const auto check = [&](const std::string& name, int steps) {
    CAPTURE(name);
    const dynamics::State one = run(name, 1, steps);
    for (const int count : {2, 4}) {
      CAPTURE(count);
      const dynamics::State other = run(name, count, steps);
      CHECK(other.q == one.q);
      CHECK(other.v == one.v);
    }
  };
  check("rock_wall", 5);
  check("kaplas", 60);
  parallel::set_threads(threads);
}
