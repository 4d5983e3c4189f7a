#include "tests/support/case_run.hpp"
#include "tests/support/csv.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace slipwave;
using tests::FewDofsRun;

namespace {

const std::vector<std::string> coordinates{"x",          "y",          "angle",
                                           "velocity_x", "velocity_y", "angular_velocity"};

std::string file_name(std::string scheme) {
  std::replace(scheme.begin(), scheme.end(), '-', '_');
  return scheme;
}

/// What every step of a run did.
struct History {
  std::vector<Eigen::VectorXd> q, v, p;
  std::vector<dynamics::StepReport> reports;
  std::vector<int> impacts;  ///< steps in which a contact pushed
};

History history_of(const std::string& name, const std::string& scheme) {
  FewDofsRun run(name, {"time.scheme=" + scheme});
  History history;
  history.q.push_back(run.state.q);
  history.v.push_back(run.state.v);
  history.p.push_back(run.contact().solution().p);
  history.reports.emplace_back();
  while (run.state.step < run.c.step_count) {
    history.reports.push_back(run.advance());
    history.q.push_back(run.state.q);
    history.v.push_back(run.state.v);
    history.p.push_back(run.contact().solution().p);
    if (run.pushes()) history.impacts.push_back(run.state.step);
  }
  return history;
}

/// Largest difference of position and velocity at a row of the reference.
double difference(const std::map<std::string, std::vector<double>>& reference, std::size_t row,
                  const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  double worst = 0.0;
  for (int i = 0; i < 6; ++i)
    worst = std::max(worst, std::abs(reference.at(coordinates[static_cast<std::size_t>(i)])[row] -
                                     (i < 3 ? q[i] : v[i - 3])));
  return worst;
}

/// 1-based places among the impacts at which friction created energy.
std::vector<int> creating_impacts(const History& history) {
  std::vector<int> places;
  for (std::size_t i = 0; i < history.impacts.size(); ++i) {
    const auto step = static_cast<std::size_t>(history.impacts[i]);
    if (history.reports[step].max_tangential_work > 1e-12)
      places.push_back(static_cast<int>(i + 1));
  }
  return places;
}

/// Steps after which the first bounces of the ball were found, counted from 0.
std::vector<double> bounce_times(const std::vector<std::string>& set, std::size_t count) {
  FewDofsRun run("bouncing_ball", set);
  std::vector<double> times;
  while (times.size() < count && run.state.step < run.c.step_count) {
    const double before = run.t();
    (void)run.advance();
    if (run.pushes()) times.push_back(before);
  }
  return times;
}

/// The exact n-th bounce, n from 0: after a fall of 1 s flights of 2e, 2e², ... s.
double exact_bounce(int n, double e) {
  double t = 1.0, flight = 2.0;
  for (int i = 0; i < n; ++i) t += (flight *= e);
  return t;
}

}  // namespace

TEST_CASE("cases/impacting_stick and rocking_block: follow the reference trajectories") {
  for (const std::string name : {"impacting_stick", "rocking_block"})
    for (const std::string scheme : {"moreau-jean", "moreau-jean-fremond"}) {
      CAPTURE(name);
      CAPTURE(scheme);
      const auto reference = tests::read_csv(
          fmt::format("{}/reference/{}_{}.csv", SLIPWAVE_TEST_DATA, name, file_name(scheme)));
      const History ours = history_of(name, scheme);
      const bool two = reference.contains("impulse_normal_2");
      std::vector<int> impacts;
      double worst = 0.0, worst_impulse = 0.0;
      for (std::size_t row = 0; row < reference.at("t").size(); ++row) {
        const auto step = static_cast<std::size_t>(std::lround(reference.at("t")[row] * 1e4));
        worst = std::max(worst, difference(reference, row, ours.q[step], ours.v[step]));
        for (int a = 0; a < (two ? 2 : 1); ++a) {
          const double p_N = reference.at(fmt::format("impulse_normal_{}", a + 1))[row];
          const double p_T = reference.at(fmt::format("impulse_tangential_{}", a + 1))[row];
          worst_impulse = std::max({worst_impulse, std::abs(p_N - ours.p[step][2 * a]),
                                    std::abs(p_T - ours.p[step][2 * a + 1])});
          if (p_N > 0.0 && (impacts.empty() || impacts.back() != static_cast<int>(step)))
            impacts.push_back(static_cast<int>(step));
        }
      }
      CHECK(impacts == ours.impacts);  // every step around an impact is in the file
      CHECK(worst <= 1e-9);
      CHECK(worst_impulse <= 1e-9);
    }
}

TEST_CASE(
    "cases/impacting_stick: Newton's law creates energy at the first impact, Fremond's never") {
  CHECK(creating_impacts(history_of("impacting_stick", "moreau-jean")) == std::vector<int>{1});
  CHECK(creating_impacts(history_of("impacting_stick", "moreau-jean-fremond")).empty());
}

TEST_CASE(
    "cases/rocking_block: Newton's law creates energy at impacts 2, 3, 6, 8, Fremond's never") {
  CHECK(creating_impacts(history_of("rocking_block", "moreau-jean")) ==
        std::vector<int>{2, 3, 6, 8});
  CHECK(creating_impacts(history_of("rocking_block", "moreau-jean-fremond")).empty());
}

TEST_CASE(
    "cases: with e = 1 normal impulses do no net work, and friction of Fremond's law none > 0") {
  for (const std::string name : {"impacting_stick", "rocking_block"})
    for (const std::string scheme : {"moreau-jean", "moreau-jean-fremond"}) {
      CAPTURE(name);
      CAPTURE(scheme);
      double largest_impulse = 0.0;
      const History history = history_of(name, scheme);
      for (const int step : history.impacts) {
        const dynamics::StepReport& report = history.reports[static_cast<std::size_t>(step)];
        largest_impulse =
            std::max(largest_impulse, history.p[static_cast<std::size_t>(step)].maxCoeff());
        CHECK(std::abs(report.energy.works.contact_normal) <= 1e-14);
        if (scheme == "moreau-jean-fremond") CHECK(report.energy.works.contact_tangential <= 1e-15);
      }
      CHECK(largest_impulse > 0.1);  // so that this says something
    }
}

TEST_CASE("cases/bouncing_ball: the n-th bounce is n - 1 steps late and otherwise exact") {
  const double h = std::ldexp(1.0, -10);
  for (const double e : {0.5, 1.0}) {
    const std::vector<double> found =
        bounce_times({fmt::format("contact.restitution={}", e), "time.end=12"}, e == 1.0 ? 6 : 10);
    REQUIRE(found.size() == (e == 1.0 ? 6 : 10));
    for (int n = 0; n < static_cast<int>(found.size()); ++n)
      CHECK(found[static_cast<std::size_t>(n)] - n * h ==
            doctest::Approx(exact_bounce(n, e)).epsilon(1e-10));
  }
}

TEST_CASE("cases/bouncing_ball: bounce times are of first order where h does not divide them") {
  // The error depends on how the last step meets the ground: an envelope over several step sizes.
  const auto envelope = [](double h) {
    double worst = 0.0;
    for (int i = 0; i < 8; ++i) {
      const double step = h * (1.0 - 0.037 * i);
      const auto found = bounce_times({fmt::format("time.step={}", step)}, 5);
      for (int n = 0; n < 5; ++n)
        worst =
            std::max(worst, std::abs(found[static_cast<std::size_t>(n)] - exact_bounce(n, 0.5)));
    }
    return worst;
  };
  const double coarse = envelope(4e-3), fine = envelope(1e-3);
  CHECK(fine < 5 * 2e-3);  // each bounce is found up to one step late and takes one
  CHECK(std::log(coarse / fine) / std::log(4.0) == doctest::Approx(1.0).epsilon(0.15));
}

TEST_CASE("cases/bouncing_ball: after infinitely many bounces the ball is at rest") {
  FewDofsRun run("bouncing_ball", {});
  while (run.t() < 3.5) (void)run.advance();
  CHECK(run.state.v.norm() <= 1e-12);
  CHECK(std::abs(run.contact().gap()[0]) <= 1e-12);
}

TEST_CASE("cases/impacting_stick: placed by its end it moves as placed by its centre") {
  // M(q) and H(q) trade places: the same motion, up to the step size.
  FewDofsRun centre("impacting_stick", {"time.step=1e-5"});
  FewDofsRun end("impacting_stick",
                 {"time.step=1e-5", "system.placed_by=end",
                  R"=(initial.position=["sin(pi/4)", 0.01, "pi/4"])=",
                  R"=(initial.velocity=["-0.5 + 0.05*cos(pi/4)", "0.1 + 0.05*sin(pi/4)", 0.1])="});
  while (centre.t() < 0.15) {
    (void)centre.advance();
    (void)end.advance();
  }
  const auto outline = centre.model.outline(centre.state.q), other = end.model.outline(end.state.q);
  for (std::size_t i = 0; i < outline.size(); ++i) CHECK((outline[i] - other[i]).norm() <= 1e-4);
}

TEST_CASE("cases/verify/housner: the angular velocity falls to 1 - 3/2 sin^2(alpha) of itself") {
  const auto ratio = [](const std::string& step) {
    FewDofsRun run("verify/housner", {"time.step=" + step});
    double largest_jump = 0.0, found = 0.0;
    while (run.state.step < run.c.step_count) {
      const double before = run.state.v[2];
      (void)run.advance();
      const double jump = std::abs(run.state.v[2] - before);
      if (jump > largest_jump) found = run.state.v[2] / before;
      largest_jump = std::max(largest_jump, jump);
    }
    return found;
  };
  // The corner strikes within a step, at a depth of first order in it.
  CHECK(std::abs(ratio("4e-4") - 0.25) < 4e-3);
  CHECK(std::abs(ratio("1e-4") - 0.25) < 1e-3);
}
