#include "app/results/version.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/small_case.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace {

const std::string block = SLIPWAVE_ROOT "/cases/sliding_block.toml";

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("cli/check: prints sizes, advice, memory and output, and writes nothing") {
  const TemporaryFolder folder;
  const ProgramResult result = slipwave({"check", block, "--set", "mesh.size=4"}, folder.path());
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(std::filesystem::is_empty(folder.path()));
  for (const char* part :
       {" nodes, ", " triangles, ", " dofs\n", "\"bottom\" (10 edges)", "\"block\" (",
        "contact    \"bottom\": 11 nodes, mean edge 4\n",
        "material   everywhere: E = 5750 MPa, nu = 0.358, rho = 0.00117 g/mm^3, plane stress\n",
        "  waves    c_p = 2374.23, c_s = 1345.17, c_R = 1239.74 mm/ms\n",
        "moreau-jean-fremond, theta = 0.5\n", "10000 steps of 0.0001 ms to t = 1 ms\n",
        "waves are resolved", "memory     about ", " MB\n", "output     101 frames, about ",
        "energy.csv about ", "sliding_block.toml: ready to run\n"}) {
    CAPTURE(part);
    CHECK(says(result.out, part));
  }
}

TEST_CASE("cli/check: the memory said is what a run has in use at its peak, within 15 %") {
#ifdef SLIPWAVE_SANITIZED
  MESSAGE("NOT TESTED: sanitizers take memory of their own");
#else
  const std::string steps =
      "time.steps=[{step=1e-4,until=1e-4},{step=2e-4,until=3e-4},{step=3e-4,until=6e-4}]";
  const TemporaryFolder folder;
  std::string text = read_text(block);
  text.replace(text.find("../meshes"), 9, SLIPWAVE_ROOT "/meshes");
  write_text(folder / "one.toml", text);
  for (const std::string key : {"\nstep = ", "\nend = "})
    text.erase(text.find(key) + 1, text.find('\n', text.find(key) + 1) - text.find(key));
  write_text(folder / "three.toml", text);
  const std::vector<std::vector<std::string>> variants{
      {"one.toml", "--set", "time.end=2e-4"},
      {"one.toml", "--set", "time.end=2e-4", "--set", "material.rayleigh_mass=1", "--set",
       "material.rayleigh_stiffness=1e-6"},
      {"three.toml", "--set", steps}};
  // Prints the largest resident memory of a process, in kilobytes.
  const std::string peak =
      "import resource, subprocess, sys\n"
      "subprocess.run(sys.argv[1:], check=True)\n"
      "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n";
  for (std::vector<std::string> words : variants) {
    words.insert(words.end(), {"--set", "mesh.size=0.25"});
    CAPTURE(words[2]);
    std::vector<std::string> check = words;
    check.insert(check.begin(), "check");
    const ProgramResult said = slipwave(check, folder.path());
    REQUIRE(said.exit_code == 0);
    std::vector<std::string> run{"python3", "-c", peak, SLIPWAVE_PROGRAM, "run"};
    run.insert(run.end(), words.begin(), words.end());
    run.insert(run.end(), {"--quiet", "--force"});
    const ProgramResult used = Program(run, folder.path()).wait();
    REQUIRE(used.exit_code == 0);
    const double estimate = std::stod(said.out.substr(said.out.find("memory     about ") + 17));
    const double measured = 1.024e-3 * std::stod(used.out);
    CAPTURE(estimate);
    CAPTURE(measured);
    CHECK(estimate < 1.15 * measured);
    CHECK(estimate > 0.85 * measured);
  }
#endif
}

TEST_CASE("cli/check: says which step would resolve the waves when the step does not") {
  const TemporaryFolder folder;
  const ProgramResult result =
      slipwave({"check", block, "--set", "mesh.size=4", "--set", "time.step=0.01"}, folder.path());
  CHECK(result.exit_code == 0);
  CHECK(says(result.out, "waves are not resolved: for that choose time.step <= 0.0"));
}

TEST_CASE("cli/check: shows the warnings of the case") {
  const TemporaryFolder folder;
  const ProgramResult result =
      slipwave({"check", block, "--set", "mesh.size=4", "--set", "time.theta=0.7", "--set",
                "contact.restitution=0.8", "--set", "contact.point=[0,1]"},
               folder.path());
  CHECK(result.exit_code == 0);
  CHECK(says(result.out,
             "warning: time.theta = 0.7 > 1/(1+e) = 0.555556 (87) for the contact on \"bottom\""));
  CHECK(says(result.out, "11 node(s) start inside the obstacle, the deepest by 1 mm"));
}

TEST_CASE("cli/check: a normal that points out of the body is refused, and run refuses it too") {
  const TemporaryFolder folder;
  for (const std::string command : {"check", "run"}) {
    const ProgramResult result = slipwave(
        {command, block, "--set", "mesh.size=4", "--set", "contact.normal=[0, -1]"}, folder.path());
    CHECK(result.exit_code == 2);
    CHECK(says(result.err,
               "contact on \"bottom\": normal = [0, -1] points the same way as the curve's outward "
               "normal [0, -1]"));
    CHECK(says(result.err, "choose normal = [0, 1], or another curve"));
  }
  // Leaning by 50 degrees the wrong way is refused, by 50 degrees the right way or across is not.
  for (const auto& [normal, code] :
       {std::pair{"[0.766, -0.643]", 2}, {"[0.766, 0.643]", 0}, {"[1, 0]", 0}, {"[-1, -0.1]", 0}}) {
    CAPTURE(normal);
    CHECK(slipwave({"check", block, "--set", "mesh.size=4", "--set",
                    std::string("contact.normal=") + normal},
                   folder.path())
              .exit_code == code);
  }
}

TEST_CASE("cli/check: a closed curve faces a plane and a disc wherever they are") {
  const TemporaryFolder folder;
  const std::string disc = SLIPWAVE_ROOT "/cases/rolling_disc.toml";
  for (const char* normal : {"[0, 1]", "[0, -1]", "[-1, 0.3]"}) {
    CAPTURE(normal);
    CHECK(slipwave({"check", disc, "--set", std::string("contact.normal=") + normal}, folder.path())
              .exit_code == 0);
  }
}

TEST_CASE("cli/check: a disc behind its curve is refused, one in front of it is not") {
  const TemporaryFolder folder;
  const std::string hertz = SLIPWAVE_ROOT "/cases/verify/hertz.toml";
  CHECK(slipwave({"check", hertz, "--set", "mesh.size=2"}, folder.path()).exit_code == 0);
  const ProgramResult behind = slipwave(
      {"check", hertz, "--set", "mesh.size=2", "--set", "contact.circle=[0, -200]"}, folder.path());
  CHECK(behind.exit_code == 2);
  CHECK(says(behind.err,
             "contact on \"contact\": the disc at circle = [0, -200] is behind the "
             "curve, whose outward normal [0, 1] points away from it"));
}

TEST_CASE("cli/check: says what the model does not reach, and run says it too") {
  const TemporaryFolder folder;
  const std::string two = R"toml(
[mesh]
file = "two.geo"
[[material]]
young_modulus = 1000
poisson_ratio = 0.45
density = 1
hypothesis = "plane-strain"
[[contact]]
on = "bottom"
friction = 1.0
[time]
step = 1e-3
end = 1e-3
)toml";
  write_text(folder / "two.toml", two);
  write_text(folder / "two.geo", R"geo(SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 1, 1};
Rectangle(2) = {0, 2, 0, 1, 1};
MeshSize{:} = 1;
Physical Curve("bottom") = {1};
Physical Surface("lower") = {1};
Physical Surface("upper") = {2};
)geo");
  const ProgramResult check = slipwave({"check", "two.toml"}, folder.path());
  const ProgramResult run = slipwave({"run", "two.toml", "--quiet"}, folder.path());
  CHECK(check.exit_code == 0);
  CHECK(run.exit_code == 0);
  for (const char* part :
       {"the mesh has 2 bodies (\"lower\"; \"upper\"), and they do not see each other",
        "contact on \"bottom\": friction = 1: with mu >= 1 ",
        "material: poisson_ratio = 0.45 in plane strain: from 0.45 on, three-node triangles "
        "lock"}) {
    CAPTURE(part);
    CHECK(says(check.out, std::string("warning: ")));
    CHECK(says(check.out, part));
    CHECK(says(run.err, part));
  }
  const ProgramResult below =
      slipwave({"check", "two.toml", "--set", "material.poisson_ratio=0.449", "--set",
                "contact.friction=0.999"},
               folder.path());
  CHECK(!says(below.out, "lock"));
  CHECK(!says(below.out, "mu >= 1"));
}

TEST_CASE("cli/check: the step it advises for moreau-explicit runs, on flat triangles too") {
  const TemporaryFolder folder;
  write_text(folder / "flat.geo",
             "Point(1) = {0,0,0}; Point(2) = {10,0,0}; Point(3) = {10,1,0}; Point(4) = {0,1,0};\n"
             "Line(1) = {1,2}; Line(2) = {2,3}; Line(3) = {3,4}; Line(4) = {4,1};\n"
             "Curve Loop(1) = {1,2,3,4}; Plane Surface(1) = {1};\n"
             "Transfinite Curve {1, 3} = 5; Transfinite Curve {2, 4} = 21;\n"
             "Transfinite Surface {1}; Physical Curve(\"bottom\") = {1};\n"
             "Physical Surface(\"body\") = {1};\n");
  write_text(folder / "flat.toml",
             "[mesh]\nfile = \"flat.geo\"\n[material]\nyoung_modulus = 1000.0\n"
             "poisson_ratio = 0.3\ndensity = 1.0\n[initial]\nvelocity_y = \"x/10-y\"\n"
             "[[contact]]\non = \"bottom\"\nfriction = 0.3\n"
             "[limits]\nrotation = 1000.0\n"
             "[time]\nscheme = \"moreau-explicit\"\nstep = 1e-3\nend = 1.0\n");
  const ProgramResult check = slipwave({"check", "flat.toml"}, folder.path());
  CHECK(check.exit_code == 0);
  const std::string begin = "only: choose time.step <= ";
  const auto place = check.out.find(begin);
  REQUIRE(place != std::string::npos);
  const double step = std::stod(check.out.substr(place + begin.size()));
  const auto run = [&](double h) {
    return slipwave({"run", "flat.toml", "--out", "out", "--force", "--quiet", "--steps", "3000",
                     "--set", "time.step=" + std::to_string(h), "--set", "time.end=1000", "--set",
                     "output.frames_every=0"},
                    folder.path());
  };
  CHECK(run(step).exit_code == 0);
  CHECK(run(2.0 * step).exit_code == 3);
}

TEST_CASE("cli/check: warns of nodes with friction in two groups, and of projected gaps") {
  const TemporaryFolder folder;
  const std::string more =
      "\n[[contact]]\non = \"left\"\nfriction = 0.2\npoint = [0.0, 0.0]\nnormal = [1.0, 0.0]\n";
  write_text(folder / "block.msh", small_mesh);
  write_text(folder / "block.toml", small_case + more);
  const std::string shared =
      "warning: node 1 at (0, 0) is in contact with friction on \"bottom\" and on \"left\": where "
      "it pushes on both, ";
  const ProgramResult check = slipwave({"check", "block.toml"}, folder.path());
  CHECK(check.exit_code == 0);
  CHECK(says(check.out, shared));
  const ProgramResult run = slipwave({"run", "block.toml", "--out", "out"}, folder.path());
  CHECK(run.exit_code == 0);
  CHECK(says(run.err, shared));
  const ProgramResult gap =
      slipwave({"check", SLIPWAVE_ROOT "/cases/sliding_block.toml", "--set", "mesh.size=4", "--set",
                "contact.activation=gap", "--set", "contact.projection=true"},
               folder.path());
  CHECK(gap.exit_code == 0);
  CHECK(says(gap.out,
             "warning: contact on \"bottom\": projection leaves gaps of 0, and with "
             "activation = \"gap\" round-off decides "));
  for (const std::string quiet : {"contact.activation=gap", "contact.projection=true"})
    CHECK(!says(slipwave({"check", SLIPWAVE_ROOT "/cases/sliding_block.toml", "--set",
                          "mesh.size=4", "--set", quiet},
                         folder.path())
                    .out,
                "warning"));
}

TEST_CASE("cli/check: every case of the project is ready to run") {
  const TemporaryFolder folder;
  for (const auto& entry : std::filesystem::directory_iterator(SLIPWAVE_ROOT "/cases")) {
    if (entry.path().extension() != ".toml") continue;
    CAPTURE(entry.path().string());
    CHECK(slipwave({"check", entry.path().string()}, folder.path()).exit_code == 0);
  }
}

TEST_CASE("cli/help: explains itself with examples and exit codes") {
  const TemporaryFolder folder;
  const ProgramResult result = slipwave({"--help"}, folder.path());
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  for (const char* part : {"Examples:", "slipwave check cases/sliding_block.toml", "slipwave run ",
                           "Exit codes: 0 done"}) {
    CAPTURE(part);
    CHECK(says(result.out, part));
  }
  const ProgramResult run = slipwave({"run", "--help"}, folder.path());
  CHECK(run.exit_code == 0);
  for (const char* option : {"--out", "--steps", "--set", "--threads", "--force", "--quiet"}) {
    CAPTURE(option);
    CHECK(says(run.out, option));
  }
}

TEST_CASE("cli/version: names the commit and the flags of the build") {
  const TemporaryFolder folder;
  const ProgramResult result = slipwave({"--version"}, folder.path());
  const std::string git = app::description(app::git_state());
  CHECK(says(result.out, "\n  git        " + git + "\n"));
  CHECK(says(result.out, "\n  build      " + app::this_build().type + " (-O"));
}

TEST_CASE("cli/version: names the libraries with their versions") {
  const TemporaryFolder folder;
  const ProgramResult result = slipwave({"--version"}, folder.path());
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with("slipwave "));
  for (const char* name : {"gmsh", "eigen", "cholmod", "fclib", "hdf5", "vtk", "muparser", "toml++",
                           "openssl", "blas", "compiler"}) {
    CAPTURE(name);
    const auto place = result.out.find("\n  " + std::string(name) + " ");
    REQUIRE(place != std::string::npos);
    const auto end = result.out.find('\n', place + 1);
    CHECK(result.out.substr(place, end - place).find_first_of("0123456789") != std::string::npos);
  }
}

}  // namespace slipwave::cli_tests
