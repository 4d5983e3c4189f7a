#include "tests/support/case_run.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace slipwave;

namespace {

/// Mean displacement down the plane, (cos 30, -sin 30).
double slid(const tests::CaseRun& run) {
  double x = 0.0;
  for (Eigen::Index i = 0; i < run.state.q.size(); i += 2)
    x += std::cos(std::numbers::pi / 6) * run.state.q[i] -
         std::sin(std::numbers::pi / 6) * run.state.q[i + 1];
  return x / (0.5 * static_cast<double>(run.state.q.size()));
}

}  // namespace

TEST_CASE("verification/incline: slides with g (sin phi - mu cos phi) below tan phi") {
  for (const double mu : {0.0, 0.3, 0.5}) {
    CAPTURE(mu);
    tests::CaseRun run("incline", {"contact.friction=" + std::to_string(mu)});
    (void)run.run();
    const double phi = std::numbers::pi / 6;
    const double expected = 0.5 * 9.8e-3 * (std::sin(phi) - mu * std::cos(phi)) * run.t() * run.t();
    MESSAGE("mu = " << mu << ": slid " << slid(run) << " mm, expected " << expected);
    CHECK(std::abs(slid(run) / expected - 1.0) <= 2e-4);
  }
}

TEST_CASE("verification/incline: sticks above tan phi") {
  for (const double mu : {0.6, 0.7}) {
    CAPTURE(mu);
    tests::CaseRun run("incline", {"contact.friction=" + std::to_string(mu)});
    (void)run.run();
    // It only settles, by less than a millionth of its length; sliding freely it would have gone
    // 981 micrometres.
    CHECK(std::abs(slid(run)) < 2e-5);
    const double before = slid(run);
    for (int k = 0; k < 1000; ++k) (void)run.advance();
    CHECK(std::abs(slid(run) - before) < 1e-9);
  }
}
