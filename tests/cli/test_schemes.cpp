#include "tests/cli/program.hpp"
#include "tests/cli/small_case.hpp"
#include "tests/support/csv.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace slipwave::cli_tests {

namespace {

const std::string block = SLIPWAVE_ROOT "/cases/sliding_block.toml";

ProgramResult run_block(const TemporaryFolder& folder, const std::string& out,
                        const std::vector<std::string>& set) {
  std::vector<std::string> arguments{"run", block, "--out", out, "--quiet"};
  for (const std::string& value : set) arguments.insert(arguments.end(), {"--set", value});
  arguments.insert(arguments.end(), {"--set", "mesh.size=4", "--set", "output.frames_every=0"});
  return slipwave(arguments, folder.path());
}

}  // namespace

TEST_CASE("cli/schemes: lists every scheme with parameters, order, proof and reference") {
  const TemporaryFolder folder;
  const ProgramResult result = slipwave({"schemes"}, folder.path());
  CHECK(result.exit_code == 0);
  for (const char* text :
       {"moreau-jean-fremond", "moreau-jean\n", "moreau-jean-midpoint", "newmark\n", "hht",
        "generalized-alpha", "kh-alpha", "moreau-explicit", "newmark-position", "time.rho_infinity",
        "order", "(87)", "(90)", "(82)", "(74)", "[A14]", "[AC24]", "[P15]"}) {
    CAPTURE(text);
    CHECK(result.out.find(text) != std::string::npos);
  }
}

TEST_CASE("cli/schemes: parameters outside the proven range run, and the condition is named") {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::vector<std::string>, std::string>> rows{
      {{"time.theta=0.8", "contact.restitution=0.5"}, "time.theta = 0.8 > 1/(1+e)"},
      {{"time.scheme=newmark", "time.theta=", "time.gamma=0.4"}, "gamma = 0.4 < 1/2 (90)"},
      {{"time.scheme=newmark", "time.theta=", "time.beta=0.2"}, "2 beta = 0.4 < gamma = 0.5 (90)"},
      {{"time.scheme=kh-alpha", "time.theta=", "time.alpha_m=0.4", "time.alpha_f=0.1"}, "(74)"}};
  for (const auto& row : rows) {
    const auto& [set, expected] = row;
    CAPTURE(row.second);
    std::vector<std::string> short_run = set;
    short_run.push_back("time.end=0.001");
    const ProgramResult result = run_block(folder, expected.substr(0, 3), short_run);
    CHECK(result.exit_code == 0);
    CHECK(result.err.find(expected) != std::string::npos);
    CHECK(result.err.find("dissipation is not guaranteed") != std::string::npos);
  }
}

TEST_CASE("cli/schemes: time.steps changes the step on the way, and the ledger stays closed") {
  const TemporaryFolder folder;
  for (const std::string scheme : {"moreau-jean-fremond", "newmark", "kh-alpha"}) {
    CAPTURE(scheme);
    const ProgramResult result = run_block(
        folder, scheme,
        {"time.scheme=" + scheme, "time.theta=", "time.step=", "time.end=",
         "time.steps=[{until=0.01,step=1e-4},{until=0.02,step=2e-4},{until=0.03,step=1e-4}]"});
    REQUIRE(result.exit_code == 0);
    auto table = tests::read_csv((folder.path() / scheme / "energy.csv").string());
    const std::vector<double> t = table["t"];
    REQUIRE(t.size() == 251);
    CHECK(t[100] == doctest::Approx(0.01));
    CHECK(t[150] == doctest::Approx(0.02));
    CHECK(t.back() == doctest::Approx(0.03));
    const auto total = [&](std::size_t k) {
      return table["kinetic"][k] + table["strain"][k] + table["algorithmic_energy"][k];
    };
    const std::size_t last = t.size() - 1;
    const double works = table["external_work"][last] + table["numerical_work"][last] +
                         table["contact_normal_work"][last] +
                         table["contact_tangential_work"][last] + table["prescribed_work"][last];
    CHECK(std::abs(total(last) - total(0) - works) <= 1e-10 * table["external_work"][last]);
  }
}

TEST_CASE("cli/schemes: a run in pieces of one size is the run in one piece") {
  const TemporaryFolder folder;
  REQUIRE(run_block(folder, "whole", {"time.end=0.02"}).exit_code == 0);
  REQUIRE(run_block(folder, "pieces",
                    {"time.step=", "time.end=",
                     "time.steps=[{until=0.01,step=1e-4},{until=0.02,step=1e-4}]"})
              .exit_code == 0);
  auto whole = tests::read_csv((folder.path() / "whole/energy.csv").string());
  auto pieces = tests::read_csv((folder.path() / "pieces/energy.csv").string());
  REQUIRE(whole["kinetic"].size() == pieces["kinetic"].size());
  for (std::size_t k = 0; k < whole["kinetic"].size(); ++k)
    CHECK(whole["kinetic"][k] == doctest::Approx(pieces["kinetic"][k]).epsilon(1e-9));
}

TEST_CASE("cli/schemes: the impact law under its old name is read, with a note") {
  const TemporaryFolder folder;
  const ProgramResult before = run_block(folder, "before", {"contact.law=newton", "time.end=0.01"});
  CHECK(before.exit_code == 0);
  CHECK(before.err.find("contact[0].law = \"newton\": the impact law is now contact[0].impact; "
                        "write contact[0].impact = \"newton\"") != std::string::npos);
  const ProgramResult now = run_block(folder, "now", {"contact.impact=newton", "time.end=0.01"});
  CHECK(now.exit_code == 0);
  CHECK(now.err.find("impact law is now") == std::string::npos);
  CHECK(read_text(folder / "before/energy.csv") == read_text(folder / "now/energy.csv"));
}

TEST_CASE("cli/schemes: bad choices are named") {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::vector<std::string>, std::string>> rows{
      {{"contact.law=poisson"}, "contact[0].law = \"poisson\": expected one of"},
      {{"contact.impact=poisson"}, "contact[0].impact = \"poisson\": expected one of"},
      {{"contact.law=newton", "contact.impact=newton"}, "the impact law is in `impact`"},
      {{"contact.tangential_restitution=0.5"}, "belongs to Newton's law"},
      {{"contact.impact=newton", "contact.tangential_restitution=1.5"}, "must be between -1 and 1"},
      {{"time.steps=[{until=1,step=0.1}]"}, "time.steps gives the steps"},
      {{"time.step=", "time.end=", "time.steps=[{until=1,step=0.1},{until=0.5,step=0.1}]"},
       "time.steps[1].until = 0.5: must be greater than 1"},
      {{"time.gamma=0.5"}, "time.gamma: unknown key"},
      {{"time.scheme=hht", "time.theta=", "time.alpha=0.5"}, "time.alpha = 0.5: must be between"},
      {{"time.scheme=newmark-position", "time.theta="}, "without friction"}};
  for (const auto& row : rows) {
    const auto& [set, expected] = row;
    CAPTURE(row.second);
    const ProgramResult result = run_block(folder, "bad", set);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(expected) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "bad"));
  }
}

}  // namespace slipwave::cli_tests
