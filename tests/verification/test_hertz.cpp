#include "tests/support/case_run.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace slipwave;

// cases/verify/hertz.toml: P = 2.5 pi, a = 1, p0 = 5.
TEST_CASE("verification/hertz: force, half-width and peak pressure under a rigid circle") {
  tests::CaseRun run("verify/hertz", {"time.step=0.004"});
  (void)run.run();
  const Eigen::VectorXd& p = run.integrator->contact().solution().p;
  const double h = run.c.first_step(), size = *run.c.mesh_size;
  double P = 0.0, second_moment = 0.0, p0 = 0.0;
  for (int a = 0; a < run.integrator->system().contact_count(); ++a) {
    const int node = run.integrator->system().H.own_dof(a) / 2;
    const double x = run.body.mesh.nodes(0, node), force = p[2 * a] / h;
    P += force;
    second_moment += force * x * x;
    if (std::abs(x) < 1e-9) p0 = force / size;
  }
  const double half_width = 2.0 * std::sqrt(second_moment / P);  // that of Hertz's profile
  CHECK(P == doctest::Approx(2.5 * std::acos(-1.0)).epsilon(1e-4));
  CHECK(half_width == doctest::Approx(1.0).epsilon(0.005));
  CHECK(p0 == doctest::Approx(5.0).epsilon(0.02));
}
