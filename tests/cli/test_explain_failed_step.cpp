#include "contact/fclib/fclib.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/small_case.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Two unit squares side by side with a gap between them: surfaces "left" and "right".
const std::string two_squares = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
1 1 "feet"
2 2 "left"
2 3 "right"
$EndPhysicalNames
$Nodes
8
11 0 0 0
12 1 0 0
13 1 1 0
14 0 1 0
15 2 0 0
16 3 0 0
17 3 1 0
18 2 1 0
$EndNodes
$Elements
5
1 1 2 1 1 11 12
2 2 2 2 1 11 12 13
3 2 2 2 1 11 13 14
4 2 2 3 2 15 16 17
5 2 2 3 2 15 17 18
$EndElements
)";

/// Runs the small case with some values replaced.
ProgramResult run_small(const TemporaryFolder& folder, const std::vector<std::string>& values,
                        const std::string& steps = "50") {
  write_text(folder / "block.toml", small_case);
  write_text(folder / "block.msh", small_mesh);
  std::vector<std::string> arguments{"run", "block.toml", "--quiet", "--out",
                                     "out", "--steps",    steps};
  for (const std::string& value : values) arguments.insert(arguments.end(), {"--set", value});
  return slipwave(arguments, folder.path());
}

// Node 1 is held at its height between obstacles that want it at x >= 0.001 and x <= -0.001.
constexpr const char* wedge_mesh =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 \"bottom\"\n"
    "1 2 \"left\"\n2 3 \"body\"\n$EndPhysicalNames\n"
    "$Nodes\n3\n1 0 0 0\n2 1 0.5 0\n3 0 1 0\n$EndNodes\n"
    "$Elements\n3\n1 1 2 1 1 1 2\n2 1 2 2 2 3 1\n3 2 2 3 1 1 2 3\n$EndElements\n";

std::string wedge_case(const std::string& slope) {
  return "[mesh]\nfile = \"wedge.msh\"\n[material]\nyoung_modulus = 1000.0\n"
         "poisson_ratio = 0.3\ndensity = 1.0\n[[prescribed]]\non = \"bottom\"\n"
         "velocity_y = 0.0\n[[contact]]\non = \"bottom\"\nfriction = 0.0\nprojection = true\n"
         "point = [-0.001, 0.0]\nnormal = [-" +
         slope +
         ", 1.0]\n[[contact]]\non = \"left\"\n"
         "friction = 0.0\nprojection = true\npoint = [0.001, 0.0]\nnormal = [1.0, 0.0]\n"
         "[time]\nstep = 1e-3\nend = 3e-3\n";
}

}  // namespace

TEST_CASE(
    "cli/explain_failed_step: a formula that is not finite is named by its key, group and time") {
  struct Broken {
    std::string value, said;
  };
  for (const Broken& broken : std::vector<Broken>{
           {"gravity.y=sqrt(0.0105 - t)", "gravity.y = \"sqrt(0.0105 - t)\" is not a number"},
           {"traction[0].x=1/(t < 0.0105 ? 1 : 0)",
            "traction on \"left\": x = \"1/(t < 0.0105 ? 1 : 0)\" is inf"},
           {"prescribed[0].velocity_y=1/(t < 0.0105 ? 1 : 0) - 1",
            "prescribed on \"top\": velocity_y = \"1/(t < 0.0105 ? 1 : 0) - 1\" is inf"}}) {
    CAPTURE(broken.value);
    const TemporaryFolder folder;
    const ProgramResult result = run_small(folder, {broken.value});
    CAPTURE(result.err);
    CHECK(result.exit_code == 3);
    CHECK(says(result.err, "step 11 (t = 0.011): the solution is no longer a finite number: the "));
    CHECK(says(result.err, " of node "));
    CHECK(says(result.err, ". Likely cause: " + broken.said));
    CHECK(says(result.err, " at t = 0.011: correct the formula"));
    CHECK(json_value(folder / "out/summary.json", "exit_reason") == "not finite");
  }
}

TEST_CASE("cli/explain_failed_step: numbers that overflow are named by node and place") {
  const TemporaryFolder folder;
  const ProgramResult result = run_small(folder, {"initial.velocity=[1e200, 0]", "contact="}, "1");
  CAPTURE(result.err);
  CHECK(result.exit_code == 3);
  CHECK(says(result.err, "its unknowns still are, but not its energy or its contact residual"));
  CHECK(says(result.err, "of node "));
  CHECK(says(result.err, "Likely cause: numbers have grown beyond what a double holds"));
}

// Without contacts, which would hold nodes and so raise the limit.
TEST_CASE(
    "cli/explain_failed_step: an explicit scheme beyond its limit is told the limit, which holds") {
  const std::vector<std::string> explicit_scheme{
      "time.scheme=moreau-explicit", "time.theta=", "material.rayleigh_stiffness=1e-3", "contact="};
  std::vector<std::string> values = explicit_scheme;
  values.emplace_back("time.step=0.1");
  const TemporaryFolder folder;
  const ProgramResult result = run_small(folder, values, "1000");
  CAPTURE(result.err);
  CHECK(result.exit_code == 3);
  CHECK(says(result.err, "moreau-explicit is unstable with this step, "));
  const std::string advice = "choose time.step <= ";
  REQUIRE(says(result.err, advice));
  const double limit = std::stod(result.err.substr(result.err.find(advice) + advice.size()));
  for (const double factor : {0.98, 1.02}) {
    CAPTURE(factor);
    values.back() = "time.step=" + std::to_string(factor * limit);
    const TemporaryFolder other;
    const ProgramResult again = run_small(other, values, "5000");
    CAPTURE(again.err);
    CHECK((again.exit_code == 0) == (factor < 1.0));
    CHECK(says(again.err, "moreau-explicit is unstable with this step, ") == (factor > 1.0));
  }
  values.back() = "time.step=0.1";
  values.emplace_back("energy.tolerance=1e-30");
  const TemporaryFolder last;
  const ProgramResult unbalanced = run_small(last, values, "1000");
  CAPTURE(unbalanced.err);
  CHECK(says(unbalanced.err, "the energy balance is off by "));
  CHECK(says(unbalanced.err, "so far. Likely cause: moreau-explicit is unstable with this step, "));
}

TEST_CASE(
    "cli/explain_failed_step: a contact solve that overflows is named and its problem written") {
  const TemporaryFolder folder;
  const ProgramResult result = run_small(
      folder, {"initial.velocity=[0, -1e300]", "material.density=1e20", "prescribed="}, "1");
  CAPTURE(result.err);
  CHECK(result.exit_code == 3);
  CHECK(says(result.err,
             "the contact solve produced it at contact 1, node 1 at (0, 0) on contact "
             "line \"bottom\": mu = 0.5, W = ["));
  CHECK(says(result.err, "; the problem was written to out/failed_step_1.hdf5"));
  const contact::StoredProblem problem =
      contact::read_local_problem(folder / "out/failed_step_1.hdf5");
  CHECK(problem.contact_count() == 2);
  CHECK(!contact::read_solution(folder / "out/failed_step_1.hdf5"));
}

// The foot is driven into a slope of 45 degrees along x: sliding up it needs a push upwards, and
// with mu > 1 the cone of friction has none for a foot that slides.
TEST_CASE(
    "cli/explain_failed_step: a contact without a solution is named with mu, W and b, and "
    "written") {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_small(folder, {"contact.normal=[1, 1]", "contact.friction=2",
                         "prescribed=[{on = 'bottom', velocity_x = -1.0}]"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 3);
  CHECK(says(result.err,
             "no solution exists at contact 1, node 1 at (0, 0) on contact line "
             "\"bottom\": mu = 2, W = ["));
  CHECK(
      says(result.err,
           ", the other contacts held: friction is too high for its W; the problem was written to "
           "out/failed_step_1.hdf5"));
  CHECK(contact::read_local_problem(folder / "out/failed_step_1.hdf5").mu[0] == 2.0);
}

TEST_CASE(
    "cli/explain_failed_step: a body that the static solve does not hold is named by its surface") {
  const TemporaryFolder folder;
  write_text(folder / "block.toml", small_case);
  write_text(folder / "block.msh", two_squares);
  const std::vector<std::string> run{"run",         "block.toml", "--set",    "traction=", "--set",
                                     "prescribed=", "--set",      "contact=", "--set"};
  std::vector<std::string> one = run, both = run;
  one.emplace_back("initial.prescribed.on=left");
  both.emplace_back("initial.prescribed=[{on = 'feet', displacement_y = 0.0}]");
  CHECK(
      slipwave(one, folder.path()).err ==
      "block.msh: initial.static: the static problem is singular: the body of \"right\" (4 nodes) "
      "is free to move along x, move along y, turn; hold it with [[initial.prescribed]]\n");
  CHECK(slipwave(both, folder.path()).err ==
        "block.msh: initial.static: the static problem is singular: the body of \"left\" (4 nodes) "
        "is free to move along x; the body of \"right\" (4 nodes) is free to move along x, move "
        "along y, turn; hold it with [[initial.prescribed]]\n");
}

TEST_CASE("cli/explain_failed_step: a body without mass and a material at its limit are named") {
  const TemporaryFolder folder;
  const ProgramResult massless =
      run_small(folder, {"material.density=1e-300", "material.thickness=2"});
  CHECK(massless.exit_code == 2);
  CHECK(says(massless.err, "with mass "));
  CHECK(says(massless.err,
             "the body has next to no mass. Check [material]: density = 1e-300, "
             "thickness = 2; or choose a smaller time.step"));
  const ProgramResult lumped =
      run_small(folder, {"material.density=1e-310", "mesh.mass_matrix=lumped",
                         "time.scheme=moreau-explicit", "time.theta="});
  CHECK(says(lumped.err, "block: node "));
  CHECK(says(lumped.err, "the body has next to no mass. Check [material]: density = 1e-310"));
  const ProgramResult stiff = run_small(folder, {"material.poisson_ratio=0.49999999999999994"});
  CAPTURE(stiff.err);
  CHECK(says(stiff.err, "[material]: poisson_ratio = 0.49999999999999994 is too near its limit"));
}

TEST_CASE(
    "cli/explain_failed_step: a number of a [system] that overflows is named by its coordinate") {
  const TemporaryFolder folder;
  const ProgramResult result =
      slipwave({"run", SLIPWAVE_ROOT "/cases/bouncing_ball.toml", "--quiet", "--out", "out",
                "--set", "initial.velocity=[0, 1e200]", "--set", "time.step=1e-3", "--steps", "3"},
               folder.path());
  CAPTURE(result.err);
  CHECK(result.exit_code == 3);
  CHECK(says(result.err, "of coordinate \"y\""));
}

TEST_CASE("cli/run: a projection that is not solved stops the run, or is counted") {
  const TemporaryFolder folder;
  write_text(folder / "wedge.msh", wedge_mesh);
  write_text(folder / "wedge.toml", wedge_case("0.02"));
  const ProgramResult stopped = slipwave({"run", "wedge.toml", "--out", "out"}, folder.path());
  CHECK(stopped.exit_code == 3);
  CHECK(says(stopped.err,
             "step 1 (t = 0.001): the projection that contact.projection asks for "
             "stopped at residual "));
  CHECK(says(stopped.err, ", node 1 at (0, 0)"));
  CHECK(says(stopped.err, "solver.on_failure = \"continue\" counts such steps and goes on"));
  CHECK(json_value(folder / "out/summary.json", "exit_reason") == "projection failed");
  CHECK(json_value(folder / "out/summary.json", "counts.failed_projections") == "1");
  const ProgramResult counted = slipwave(
      {"run", "wedge.toml", "--out", "out", "--force", "--set", "solver.on_failure=continue"},
      folder.path());
  CHECK(counted.exit_code == 0);
  CHECK(says(counted.err,
             "warning: in 3 step(s) the projection was not solved, and positions were "
             "left inside obstacles"));
  CHECK(json_value(folder / "out/summary.json", "counts.failed_projections") == "3");
  CHECK(json_value(folder / "out/summary.json", "counts.failed_steps") == "0");
}

TEST_CASE("cli/run: obstacles that leave no room are found however round-off shapes W") {
  const TemporaryFolder folder;
  write_text(folder / "wedge.msh", wedge_mesh);
  // With some slopes the singular W comes out regular, and impulses of 1e13 pass the certificate.
  for (const char* slope : {"0.03", "0.05", "0.07", "0.11", "0.17", "0.3", "0.4"}) {
    CAPTURE(slope);
    write_text(folder / "wedge.toml", wedge_case(slope));
    const ProgramResult result =
        slipwave({"run", "wedge.toml", "--out", "out", "--force"}, folder.path());
    CHECK(result.exit_code == 3);
    CHECK(json_value(folder / "out/summary.json", "exit_reason") == "projection failed");
  }
}

TEST_CASE("cli/run: a node that pushes on two obstacles with friction is named and counted") {
  const TemporaryFolder folder;
  write_text(folder / "block.msh", small_mesh);
  const auto write_case = [&](const std::string& friction) {
    write_text(folder / "block.toml",
               "[mesh]\nfile = \"block.msh\"\n[material]\nyoung_modulus = 1000.0\n"
               "poisson_ratio = 0.3\ndensity = 1.0\n[initial]\nvelocity = [-1.0, -1.0]\n"
               "[[contact]]\non = \"bottom\"\nfriction = 0.5\n[[contact]]\non = \"left\"\n"
               "point = [0.0, 0.0]\nnormal = [1.0, 0.0]\nfriction = " +
                   friction + "\n[time]\nstep = 1e-4\nend = 2e-3\n");
  };
  write_case("0.5");
  const ProgramResult run = slipwave({"run", "block.toml", "--out", "out"}, folder.path());
  CHECK(run.exit_code == 0);
  CHECK(says(run.err,
             "warning: node 1 at (0, 0) is in contact with friction on \"bottom\" and on "
             "\"left\""));
  CHECK(says(run.err,
             " step(s) a node pushed on several obstacles with friction: the solution may "
             "be one of several"));
  CHECK(std::stoi(json_value(folder / "out/summary.json", "counts.shared_node_steps")) > 5);
  write_case("0.0");
  const ProgramResult smooth = slipwave({"run", "block.toml", "--out", "smooth"}, folder.path());
  CHECK(smooth.exit_code == 0);
  CHECK(!says(smooth.err, "with friction"));
  CHECK(json_value(folder / "smooth/summary.json", "counts.shared_node_steps") == "0");
}

}  // namespace slipwave::cli_tests
