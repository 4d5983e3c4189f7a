#include "dynamics/schemes/schemes.hpp"
#include "tests/support/random_system.hpp"
#include "tests/support/simplicial_matrix.hpp"

#include <doctest/doctest.h>

using namespace slipwave;

TEST_CASE("dynamics/step_matrix: every family moves the same with another engine, to 1e-12") {
  std::mt19937 random(31);
  const contact::SolverOptions solver{.tolerance = 1e-15};
  int closed = 0;
  for (const dynamics::SchemeEntry& entry : dynamics::schemes()) {
    if (entry.name == "newmark-position") continue;  // without friction only
    dynamics::SchemeValues values;
    for (const dynamics::SchemeParameter& parameter : entry.parameters)
      if (parameter.fallback) values[parameter.name] = *parameter.fallback;
    const dynamics::Scheme scheme = entry.make(values);
    tests::RandomSystem drawn =
        tests::random_system(random, 0.3, dynamics::Activation::dissipative);
    if (!std::holds_alternative<dynamics::ThetaScheme>(scheme)) tests::bring_to_rest(drawn);
    constexpr double h = 1e-3;
    const auto ours = make_integrator(drawn.system, scheme, h, solver);
    const auto other = make_integrator(drawn.system, scheme, h, solver, tests::simplicial);
    dynamics::State state = drawn.state, again = drawn.state;
    ours->start(state);
    other->start(again);
    double apart = 0.0;
    for (int k = 0; k < 200; ++k) {
      const dynamics::StepReport report = ours->advance(state);
      (void)other->advance(again);
      closed += report.sticking + report.sliding;
      apart = std::max({apart, (state.v - again.v).norm() / state.v.norm(),
                        (state.q - again.q).norm() / state.q.norm()});
    }
    INFO(entry.name);
    CHECK(apart <= 1e-12);
    CHECK(apart > 0.0);  // it is another engine
  }
  CHECK(closed > 200);
}
