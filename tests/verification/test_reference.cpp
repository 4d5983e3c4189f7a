#include "tests/support/case_run.hpp"
#include "tests/support/csv.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace slipwave;

namespace {

using Columns = std::map<std::string, std::vector<double>>;

std::string file_of(const std::string& what, int size, const std::string& scheme,
                    const std::string& tail = "") {
  return fmt::format("{}/reference/{}_{}mm_{}{}.csv", SLIPWAVE_TEST_DATA, what, size, scheme, tail);
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

/// Distance to the reference state in the energy norm, relative to the norm of the reference state.
double state_distance(const tests::CaseRun& run, Columns& reference) {
  const auto n = static_cast<Eigen::Index>(reference["velocity_x"].size());
  REQUIRE(2 * n == run.state.q.size());
  Eigen::VectorXd q(2 * n), v(2 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    q.segment<2>(2 * i) << reference["displacement_x"][k], reference["displacement_y"][k];
    v.segment<2>(2 * i) << reference["velocity_x"][k], reference["velocity_y"][k];
  }
  const dynamics::System& system = run.integrator->system();
  return std::sqrt(mechanical_energy(system, run.state.q - q, run.state.v - v).total() /
                   mechanical_energy(system, q, v).total());
}

/// The whole trajectory against the reference: energies and works to 1e-8 of the largest work at
/// every recorded step, states to 1e-7 in the energy norm.
void compare(int size, const std::string& scheme, const std::string& case_name) {
  Columns reference = tests::read_csv(file_of("energy", size, scheme));
  const double tolerance = 1e-8 * largest(reference["external_work"]);
  tests::CaseRun run(case_name, tests::on_reference_mesh(size));
  dynamics::Works total;
  double worst = 0.0, max_tangential = 0.0;
  std::size_t row = 0;
  int states = 0;
  while (run.state.step < 10000) {
    const dynamics::StepReport report = run.advance();
    total += report.energy.works;
    max_tangential = std::max(max_tangential, report.max_tangential_work);
    if (run.state.step == static_cast<int>(reference["step"][row])) {
      const dynamics::Energy& e = report.energy.energy;
      worst =
          std::max({worst, std::abs(e.kinetic - reference["kinetic"][row]),
                    std::abs(e.strain - reference["strain"][row]),
                    std::abs(total.external - reference["external_work"][row]),
                    std::abs(total.contact_normal - reference["contact_normal_work"][row]),
                    std::abs(total.contact_tangential - reference["contact_tangential_work"][row]),
                    std::abs(report.max_tangential_work - reference["max_tangential_work"][row])});
      ++row;
    }
    const std::string state_file =
        file_of("state", size, scheme, fmt::format("_{:05d}", run.state.step));
    if (run.state.step % 1000 != 0 || !std::filesystem::exists(state_file)) continue;
    Columns state = tests::read_csv(state_file);
    CHECK(state_distance(run, state) <= 1e-7);
    ++states;
  }
  CHECK(row == reference["step"].size());
  CHECK(states >= 1);
  CHECK(worst <= tolerance);
  MESSAGE(size << " mm " << scheme << ": worst difference " << worst << " N mm, "
               << worst / tolerance * 1e-8 << " of the largest work; largest w_T "
               << max_tangential);
  if (case_name == "sliding_block") CHECK(max_tangential <= 1e-10);
  if (case_name != "sliding_block") CHECK(max_tangential > 1e-4);
}

}  // namespace

TEST_CASE(
    "verification/reference: the sliding block follows the reference trajectories over 10 000 "
    "steps") {
  SUBCASE("4 mm Fremond") { compare(4, "moreau_jean_fremond", "sliding_block"); }
  SUBCASE("4 mm Moreau-Jean") { compare(4, "moreau_jean", "sliding_block_moreau_jean"); }
  SUBCASE("2 mm Fremond") { compare(2, "moreau_jean_fremond", "sliding_block"); }
  SUBCASE("2 mm Moreau-Jean") { compare(2, "moreau_jean", "sliding_block_moreau_jean"); }
  SUBCASE("1 mm Fremond") { compare(1, "moreau_jean_fremond", "sliding_block"); }
  SUBCASE("1 mm Moreau-Jean") { compare(1, "moreau_jean", "sliding_block_moreau_jean"); }
}
