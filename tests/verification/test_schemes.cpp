#include "dynamics/schemes/schemes.hpp"
#include "tests/support/case_run.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace slipwave;

TEST_CASE(
    "verification/schemes: every scheme's identity closes to round-off on the sliding block") {
  for (const dynamics::SchemeEntry& entry : dynamics::schemes())
    for (const std::string law : {"newton", "fremond"}) {
      CAPTURE(entry.name);
      CAPTURE(law);
      std::vector<std::string> set = tests::on_reference_mesh(4);
      set.insert(set.end(), {"time.scheme=" + entry.name, "time.theta=", "contact.impact=" + law});
      if (entry.name == "newmark-position") set.push_back("contact.friction=0");
      tests::CaseRun run("sliding_block", set);
      double exchanged = std::abs(run.integrator->energy(run.state).total());
      for (int k = 0; k < 500; ++k) {
        const dynamics::StepReport report = run.advance();
        exchanged += report.energy.works.sum_of_magnitudes();
        REQUIRE(std::abs(report.energy.residual()) <= 1e-12 * exchanged);
      }
    }
}

namespace {

/// The block of the sliding case without contacts, with its top held.
dynamics::System free_system(bool loaded) {
  const tests::CaseRun run("sliding_block", tests::on_reference_mesh(4));
  dynamics::System system = run.integrator->system();
  system.contacts.clear();
  system.H = contact::Jacobian();
  for (dynamics::PrescribedMotion& motion : system.prescribed)
    motion.value = [](double) { return 0.0; };
  for (dynamics::Load& load : system.loads)
    load.amplitude = [](double t) { return std::pow(std::sin(100.0 * std::numbers::pi * t), 4); };
  if (!loaded) system.loads.clear();
  return system;
}

/// Displacements and velocities at the end, scaled to the same size.
Eigen::VectorXd end_state(const dynamics::System& system, const dynamics::Scheme& scheme,
                          int steps) {
  const auto integrator = dynamics::make_integrator(system, scheme, 0.01 / steps, {});
  dynamics::State state;
  state.q = state.v = Eigen::VectorXd::Zero(system.dof_count());
  // Without a load something else must move: a sine over the numbers of the nodes is as good as
  // any, for time is what is resolved here.
  if (system.loads.empty()) {
    const std::vector<bool> held = dynamics::prescribed_dofs(system);
    for (int i = 0; i < system.dof_count(); ++i)
      state.v[i] = held[static_cast<std::size_t>(i)] ? 0.0 : std::sin(0.1 * i);
  }
  integrator->start(state);
  while (state.step < steps) (void)integrator->advance(state);
  Eigen::VectorXd end(2 * system.dof_count());
  end << state.q, 1e-3 * state.v;
  return end;
}

struct Row {
  const char* name;
  dynamics::Scheme scheme;
  double order;
};

void check_orders(const dynamics::System& system, const std::vector<Row>& rows) {
  const Eigen::VectorXd exact = end_state(system, dynamics::newmark(0.5, 0.25), 12800);
  for (const Row& row : rows) {
    const double coarse = (end_state(system, row.scheme, 800) - exact).norm();
    const double fine = (end_state(system, row.scheme, 1600) - exact).norm();
    const double order = std::log2(coarse / fine);
    MESSAGE(std::string(row.name) << ": observed order " << order);
    CHECK(std::abs(order - row.order) <= 0.1);
  }
}

}  // namespace

TEST_CASE(
    "verification/schemes: observed orders of accuracy without contact, under a smooth load") {
  check_orders(free_system(true),
               {{"moreau-jean-fremond", dynamics::moreau_jean_fremond(0.5), 2.0},
                {"moreau-jean-fremond, theta 0.7", dynamics::moreau_jean_fremond(0.7), 1.0},
                {"moreau-jean", dynamics::moreau_jean(0.5), 2.0},
                {"moreau-jean-midpoint", dynamics::moreau_jean_midpoint(0.5), 2.0},
                {"moreau-jean-midpoint, theta 0.7", dynamics::moreau_jean_midpoint(0.7), 1.0},
                {"newmark", dynamics::newmark(0.5, 0.25), 2.0},
                {"newmark, gamma 0.7", dynamics::newmark(0.7, dynamics::usual_beta(0.7)), 1.0},
                {"hht", dynamics::hht(0.1), 2.0},
                {"generalized-alpha", dynamics::generalized_alpha(0.7), 2.0},
                // It shifts stiffness against force in time.
                {"kh-alpha", dynamics::kh_alpha(dynamics::generalized_alpha(0.7)), 1.0},
                {"moreau-explicit", dynamics::ExplicitScheme{}, 1.0}});
}

TEST_CASE("verification/schemes: kh-alpha is of second order in free vibration") {
  check_orders(free_system(false),
               {{"kh-alpha", dynamics::kh_alpha(dynamics::generalized_alpha(0.7)), 2.0},
                {"generalized-alpha", dynamics::generalized_alpha(0.7), 2.0}});
}
