#include "tests/cli/program.hpp"

#include <doctest/doctest.h>
#include <vtkFieldData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkXMLPolyDataReader.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

std::string case_file(const std::string& name) { return SLIPWAVE_ROOT "/cases/" + name + ".toml"; }

ProgramResult run(const TemporaryFolder& folder, const std::string& file,
                  const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run",     file, "--out", "out",
                                     "--steps", "40", "--set", "output.frames_every=10"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return slipwave(arguments, folder.path());
}

/// A stick, as stick.toml. The tests of messages count its lines.
const std::string stick = R"([system]
kind = "stick"

[contact]
friction = 0.5

[initial]
position = [0, 0.5, 0]

[time]
scheme = "moreau-jean"
step = 1e-3
end = 1e-2
)";

struct Refusal {
  std::string set, message;
};

const std::vector<Refusal> refusals{
    {"system.kind=cone",
     "--set: system.kind = \"cone\": expected one of \"stick\", \"block\", \"ball\", "
     "\"mass-spring\""},
    {"system.mass=0", "--set: system.mass = 0: must be greater than 0"},
    {"system.lenght=2", "--set: system.lenght: unknown key; did you mean system.length?"},
    {"system.placed_by=top",
     "--set: system.placed_by = \"top\": expected one of \"centre\", \"end\""},
    {"mesh.file=block.msh", "--set: mesh: a case has either a [mesh] or a [system]"},
    {"time.scheme=newmark",
     "stick.toml: time.scheme = \"newmark\" advances systems with constant matrices, and those of "
     "a stick change as it turns; choose moreau-jean or moreau-jean-fremond"},
    {"initial.position=[0, 0.5]",
     "--set: initial.position = [0, 0.5]: expected 3 numbers or formulas in brackets"},
    {"initial.position=[0, \"1/0\", 0]",
     "--set: initial.position = [0, \"1/0\", 0]: must be finite numbers"},
    {"initial.position=[0, \"x\", 0]",
     "--set: initial.position[1]: Unexpected token \"x\" found at position 0. in the formula "
     "\"x\"; it may use pi, sgn, sin, exp, ..."},
    {"contact.friction=2*angel",
     "--set: contact.friction: Unexpected token \"angel\" found at position 2. in the formula "
     "\"2*angel\"; it may use x, y, angle, pi, sgn, sin, exp, ..."},
    {"contact.friction=-1", "--set: contact.friction = -1: must be at least 0"},
    {"contact.friction=0-1",
     "stick: contact.friction: the formula is -1 at the initial position; must be at least 0"},
    {"contact.on=bottom",
     "--set: contact.on: unknown key; expected one of friction, law, restitution, "
     "impact, tangential_restitution, activation"},
    {"solver.method=newton",
     "--set: solver.method = \"newton\": keeps a factor of W, which changes as the body turns; "
     "choose auto"},
    {"output.trajectory_every=0", "--set: output.trajectory_every = 0: must be at least 1"},
    {"gravity.y=-10*t", "--set: gravity.y = \"-10*t\": expected a number"},
};

vtkSmartPointer<vtkPolyData> read_outline(const fs::path& file) {
  auto reader = vtkSmartPointer<vtkXMLPolyDataReader>::New();
  reader->SetFileName(file.c_str());
  reader->Update();
  return reader->GetOutput();
}

}  // namespace

TEST_CASE("cli/few_dofs: a run writes trajectory, ledger, summary and outlines that move") {
  struct Expected {
    std::string name;
    vtkIdType corners;
    std::string header;
  };
  const std::string one =
      "gap_1,velocity_normal_1,velocity_tangential_1,impulse_normal_1,impulse_tangential_1,status_"
      "1";
  const std::string two =
      "gap_2,velocity_normal_2,velocity_tangential_2,impulse_normal_2,impulse_tangential_2,status_"
      "2";
  const std::string rigid = "step,t,x,y,angle,velocity_x,velocity_y,angular_velocity," + one;
  for (const Expected& expected : std::vector<Expected>{
           {"impacting_stick", 2, rigid + ",potential"},
           {"rocking_block", 4, rigid + "," + two + ",potential"},
           {"bouncing_ball", 48, "step,t,x,y,velocity_x,velocity_y," + one + ",potential"},
           {"mass_spring", 4,
            "step,t,displacement_t,displacement_n,velocity_t,velocity_n," + one + ",potential"},
           {"painleve_rod", 2, rigid + ",potential"}}) {
    CAPTURE(expected.name);
    const TemporaryFolder folder;
    const ProgramResult result = run(folder, case_file(expected.name));
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
    const std::vector<std::string> rows = lines_of(read_text(folder / "out/trajectory.csv"));
    REQUIRE(rows.size() == 42);
    CHECK(rows[0] == expected.header);
    CHECK(fields_of(rows[41]).size() == fields_of(rows[0]).size());
    CHECK(lines_of(read_text(folder / "out/energy.csv")).size() == 42);
    CHECK(json_value(folder / "out/summary.json", "exit_reason") == "completed");
    const std::vector<fs::path> frames = files_of_collection(folder / "out/frames.pvd");
    REQUIRE(frames.size() == 5);
    const auto first = read_outline(frames.front()), last = read_outline(frames.back());
    REQUIRE(first->GetNumberOfPoints() == expected.corners);
    REQUIRE(last->GetNumberOfPoints() == expected.corners);
    CHECK(first->GetNumberOfCells() == 1);
    CHECK(first->GetFieldData()->GetArray("TimeValue") != nullptr);
    double moved = 0.0;
    for (vtkIdType i = 0; i < expected.corners; ++i)
      for (int k = 0; k < 3; ++k)
        moved = std::max(moved, std::abs(first->GetPoint(i)[k] - last->GetPoint(i)[k]));
    CHECK(moved > 0.0);
    CHECK(!fs::exists(folder / "out/contact.pvd"));
  }
}

TEST_CASE(
    "cli/few_dofs: results are replaced with --force only, and the resolved case runs again") {
  const TemporaryFolder folder;
  REQUIRE(run(folder, case_file("rocking_block")).exit_code == 0);
  const std::string trajectory = read_text(folder / "out/trajectory.csv");
  CHECK(run(folder, case_file("rocking_block")).exit_code == 2);
  fs::copy_file(folder / "out/case.toml", folder / "again.toml");
  REQUIRE(run(folder, "again.toml", {"--force"}).exit_code == 0);
  CHECK(read_text(folder / "out/trajectory.csv") == trajectory);
}

TEST_CASE("cli/few_dofs: fewer rows of the trajectory with output.trajectory_every") {
  const TemporaryFolder folder;
  REQUIRE(
      run(folder, case_file("bouncing_ball"), {"--set", "output.trajectory_every=7"}).exit_code ==
      0);
  const std::vector<std::string> rows = lines_of(read_text(folder / "out/trajectory.csv"));
  REQUIRE(rows.size() == 8);  // header, 0, 7, ..., 35 and the last
  CHECK(fields_of(rows[7])[0] == "40");
}

TEST_CASE("cli/few_dofs: bad input names file, key and what to do") {
  const TemporaryFolder folder;
  write_text(folder / "stick.toml", stick);
  REQUIRE(slipwave({"check", "stick.toml"}, folder.path()).exit_code == 0);
  for (const Refusal& refusal : refusals) {
    CAPTURE(refusal.set);
    const ProgramResult result =
        slipwave({"run", "stick.toml", "--out", "out", "--set", refusal.set}, folder.path());
    CHECK(result.exit_code == 2);
    CHECK(result.err == refusal.message + "\n");
    CHECK(!fs::exists(folder / "out"));
  }
  const ProgramResult springs =
      slipwave({"check", case_file("mass_spring"), "--set", "system.W=-1"}, folder.path());
  CHECK(springs.exit_code == 2);
  CHECK(springs.err ==
        "--set: system.W = -1: must be less than sqrt(K_t K_n) in size: the springs would not hold "
        "the mass\n");
}

TEST_CASE("cli/few_dofs: several solutions are named one by one and stop the run") {
  const TemporaryFolder folder;
  const std::vector<std::string> spinning{"--set", "initial.velocity=[1, 0, 10]"};
  const ProgramResult stopped = run(folder, case_file("painleve_rod"), spinning);
  CHECK(stopped.exit_code == 3);
  CHECK(stopped.err.find("contact 1 has several solutions") != std::string::npos);
  for (const std::string status : {"open with p", "sticking with p", "unstable sliding backward"})
    CHECK(stopped.err.find(status) != std::string::npos);
  CHECK(json_value(folder / "out/summary.json", "exit_reason") == "several solutions");
  CHECK(lines_of(read_text(folder / "out/trajectory.csv")).size() == 3);

  std::vector<std::string> more = spinning;
  more.insert(more.end(), {"--force", "--set", "solver.on_several=continue"});
  const ProgramResult went_on = run(folder, case_file("painleve_rod"), more);
  CHECK(went_on.exit_code == 0);
  CHECK(std::stoi(json_value(folder / "out/summary.json", "counts.several_solutions_steps")) >= 1);
  CHECK(went_on.out.find("had several solutions") != std::string::npos);
}

TEST_CASE("cli/few_dofs: friction that becomes negative stops the run") {
  const TemporaryFolder folder;
  const ProgramResult result =
      run(folder, case_file("impacting_stick"),
          {"--set", "contact.friction=angle - 0.785", "--set", "initial.velocity=[-0.5, -10, -5]"});
  CHECK(result.exit_code == 3);
  CHECK(result.err.find("the solution is no longer a finite number") != std::string::npos);
  CHECK(result.err.find("contact.friction at contact 1 is negative or not a finite number") !=
        std::string::npos);
}

TEST_CASE("cli/few_dofs: equilibria, stability and outcomes say which case they want") {
  const TemporaryFolder folder;
  for (const std::string command : {"equilibria", "stability"}) {
    const ProgramResult result = slipwave({command, case_file("rocking_block")}, folder.path());
    CHECK(result.exit_code == 2);
    CHECK(result.err == case_file("rocking_block") +
                            ": has system.kind = \"block\"; equilibria and stability are of "
                            "system.kind = \"mass-spring\", such as cases/mass_spring.toml\n");
  }
  const ProgramResult result = slipwave({"outcomes", case_file("incline")}, folder.path());
  CHECK(result.exit_code == 2);
  CHECK(result.err == case_file("incline") +
                          ": has a [mesh]; outcomes are of system.kind = \"stick\", such as "
                          "cases/painleve_rod.toml\n");
}

TEST_CASE("cli/few_dofs: equilibria and stability of the shipped case agree with what is proven") {
  const TemporaryFolder folder;
  const ProgramResult list = slipwave({"equilibria", case_file("mass_spring")}, folder.path());
  CHECK(list.exit_code == 0);
  for (const std::string text : {"A > 0, mu < K_t/W", "impending negative slip",
                                 "impending positive slip", "strictly stuck, infinitely many"})
    CHECK(list.out.find(text) != std::string::npos);
  const ProgramResult tried = slipwave({"stability", case_file("mass_spring")}, folder.path());
  CAPTURE(tried.out);
  CHECK(tried.exit_code == 0);
}

TEST_CASE("cli/few_dofs: outcomes of a sliding rod are as the theorem says") {
  const TemporaryFolder folder;
  struct Expected {
    std::string friction, text;
  };
  const std::string critical = "(1+3*sin(angle)^2)/(3*sin(angle)*cos(angle))";
  for (const Expected& expected :
       std::vector<Expected>{{"2", "gamma < 0: Painleve's paradox"},
                             {"1", "gamma > 0: no paradox"},
                             {"1.3333333333333333", "gamma = 0, and gamma > 0 nearby"},
                             {critical, "gamma = 0, and gamma <= 0 all around"}}) {
    CAPTURE(expected.friction);
    const ProgramResult result = slipwave(
        {"outcomes", case_file("painleve_rod"), "--set", "contact.friction=" + expected.friction},
        folder.path());
    CHECK(result.exit_code == 0);
    CHECK(result.out.find(expected.text) != std::string::npos);
    const bool falls = expected.friction != critical;
    CHECK(result.out.find(falls ? "theorem    d_H tends to zero"
                                : "theorem    d_H does not tend to zero") != std::string::npos);
  }
}

}  // namespace slipwave::cli_tests
