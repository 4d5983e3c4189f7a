#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

std::string case_file(const std::string& name) { return SLIPWAVE_ROOT "/cases/" + name + ".toml"; }

/// Two blocks on a ground, as blocks.toml. The tests of messages count its lines.
const std::string blocks = R"([gravity]
z = -10

[[shape]]
name = "ground"
kind = "half-space"

[[shape]]
name = "block"
kind = "box"
size = [1, 1, 1]
density = 1

[[body]]
name = "ground"
shape = "ground"
group = "ground"

[[body]]
name = "lower"
shape = "block"
at = [0, 0, 0.5]

[[body]]
name = "upper"
shape = "block"
at = [0, 0, 1.5]

[[contact]]
friction = 0.5

[time]
step = 1e-3
end = 1e-2
)";

/// What is put at the end of the file and what is then said, or with --set where it is in front.
struct Refusal {
  std::string more, message;
};

const std::vector<Refusal> settings{
    {"shape[1].kind=cube",
     "--set: shape[1].kind = \"cube\": expected one of \"box\", \"sphere\", \"capsule\", \"hull\", "
     "\"file\", \"half-space\""},
    {"shape[1].size=[1, 0, 1]",
     "--set: shape[1].size = [1, 0, 1]: must be greater than 0 along x, y and z"},
    {"shape[1].density=0", "--set: shape[1].density = 0: must be greater than 0"},
    {"shape[1].denisty=1", "--set: shape[1].denisty: unknown key; did you mean shape[1].density?"},
    {"shape[1].skin=-1", "--set: shape[1].skin = -1: must be at least 0"},
    {"shape[1].name=ground",
     "--set: shape[1].name = \"ground\": there is another shape of this name"},
    {"shape[1].density=",
     "blocks.toml:19: body[1].mass: this key is missing: \"lower\" moves, and its shape \"block\" "
     "has no density"},
    {"shape[1].centre=[0, 0, 0]",
     "blocks.toml:12: shape[1].density = 1: a uniform body has its centre of mass where it has; "
     "leave out `centre`, or give bodies mass and inertia instead"},
    {"shape[0].normal=[0, 0, 0]", "--set: shape[0].normal = [0, 0, 0]: must not be zero"},
    {"body[1].shape=blcok",
     "--set: body[1].shape = \"blcok\": no [[shape]] has this name; did you mean \"block\"?"},
    {"body[1].name=upper",
     "blocks.toml:25: body[2].name = \"upper\": there is another body "
     "\"upper\""},
    {"body[1].at=[0, 0]", "--set: body[1].at = [0, 0]: expected 3 numbers or formulas in brackets"},
    {"body[1].mass=-1", "--set: body[1].mass = -1: must be greater than 0"},
    {"body[1].inertia=[1, 1]",
     "--set: body[1].inertia = [1, 1]: expected 3 principal moments, 6 numbers xx, yy, zz, xy, xz, "
     "yz, or 9 by rows"},
    {"body[1].inertia=[1, 1, 3]",
     "--set: body[1].inertia = [1, 1, 3]: no body has it: the largest principal moment, 3, is more "
     "than the sum of the two others"},
    {"body[1].inertia=[1, 1, 1, 2, 0, 0]",
     "--set: body[1].inertia = [1, 1, 1, 2, 0, 0]: must be positive definite"},
    {"body[1].inertia=[1, 0, 1, 0, 1, 0, 0, 0, 1]",
     "--set: body[1].inertia = [1, 0, 1, 0, 1, 0, 0, 0, 1]: must be symmetric"},
    {"body[1].quaternion=[0, 0, 0, 0]",
     "--set: body[1].quaternion = [0, 0, 0, 0]: must not be zero"},
    {"body[1].rotation={axis=[0, 0, 0], angle=1}",
     "--set: body[1].rotation.axis = [0, 0, 0]: must not be zero"},
    {"body[1].birth=-1", "--set: body[1].birth = -1: must be at least 0"},
    {"body[0].fixed=false",
     "--set: body[0].fixed = false: a half-space has no mass: it is fixed, or its group has a "
     "[[drive]]"},
    {"body[0].velocity=[1, 0, 0]",
     "--set: body[0].velocity = [1, 0, 0]: has no effect: the body is fixed"},
    {"body.fixed=true", "blocks.toml:14: body: nothing can move: every body is fixed or driven"},
    {"contact[0].between=[\"ground\", \"bodeis\"]",
     "--set: contact[0].between = [\"ground\", \"bodeis\"]: no body is of the group \"bodeis\"; "
     "did "
     "you mean \"bodies\"?"},
    {"contact[0].between=[\"ground\"]",
     "--set: contact[0].between = [\"ground\"]: expected 2 strings in brackets"},
    {"contact[0].between=[\"ground\", \"bodies\"]",
     "blocks.toml:29: contact: bodies of \"bodies\" and \"bodies\" can meet and have no law; add a "
     "[[contact]] with between = [\"bodies\", \"bodies\"], or without `between` for all, or with "
     "touch = false for none"},
    {"contact[0].touch=false",
     "blocks.toml:30: contact[0].friction: unknown key; expected one of between, touch"},
    {"contact[0].friction=-1", "--set: contact[0].friction = -1: must be at least 0"},
    {"contact[0].on=bottom",
     "--set: contact[0].on: unknown key; expected one of between, touch, law, friction, "
     "restitution, impact, tangential_restitution, activation, gap_tolerance"},
    {"detection.alert=1e-10",
     "--set: detection.alert = 1e-10: must be at least the gap tolerance of every [[contact]], "
     "1e-06"},
    {"detection.alret=1", "--set: detection.alret: unknown key; did you mean detection.alert?"},
    {"gravity.z=-10*t", "--set: gravity.z = \"-10*t\": expected a number"},
    {"time.scheme=newmark",
     "blocks.toml: time.scheme = \"newmark\" advances systems with constant matrices, and those of "
     "rigid bodies change as they turn; choose moreau-jean or moreau-jean-fremond"},
    {"solver.method=newton",
     "--set: solver.method = \"newton\": wants W of contacts along a line, in a band, and those of "
     "bodies in space are not; choose auto or proximal-newton"},
    {"mesh.file=block.msh", "--set: mesh: a case has either a [mesh] or [[body]] and [[pattern]]"},
    {"initial.velocity=[0, 0]", "--set: initial: unknown key; expected one of ..."},
};

const std::vector<Refusal> additions{
    {"[[body]]\nname = \"rock\"\nshape = \"block\"\nrotation = { axis = [0, 0, 1], angle = 1 }\n"
     "quaternion = [1, 0, 0, 0]\n",
     "blocks.toml:40: body[3].quaternion = [1, 0, 0, 0]: rotation is given too"},
    {"[[shape]]\nname = \"flat\"\nkind = \"hull\"\npoints = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\n",
     "blocks.toml:39: shape[2].points = ..."},
    {"[[shape]]\nname = \"flat\"\nkind = \"hull\"\npoints = [[0, 0, 0], [1, 0]]\n",
     "blocks.toml:39: shape[2].points = [[0, 0, 0], [1, 0]]: expected rows of 3 numbers, [[...], "
     "[...], ...]"},
    {"[[shape]]\nname = \"rock\"\nkind = \"file\"\nfile = \"rock.obj\"\n",
     "rock.obj: no such file"},
    {"[[drive]]\non = \"bodeis\"\nspin = [0, 0, 1]\n",
     "blocks.toml:37: drive[0].on = \"bodeis\": no body is of the group \"bodeis\"; did you mean "
     "\"bodies\"?"},
    {"[[drive]]\non = \"ground\"\n",
     "blocks.toml:37: drive[0].on = \"ground\": nothing is driven; give velocity or spin"},
    {"[[drive]]\non = \"ground\"\nspin = [0, \"x\", 1]\n",
     "blocks.toml:38: drive[0].spin[1]: Unexpected token \"x\" found at position 0. in the formula "
     "\"x\"; it may use t, pi, sgn, sin, exp, ..."},
    {"[[pattern]]\nname = \"wall\"\nkind = \"running-bond\"\nblock = [1, 2, 1]\ncourses = 4\n"
     "blocks = 3\ntaper = true\ndensity = 1\n",
     "blocks.toml:40: pattern[0].courses = 4: a tapered wall of 3 blocks has at most 3 courses"},
    {"[[pattern]]\nname = \"wall\"\nkind = \"running-bond\"\nblock = [1, 2, 1]\ncourses = 1000\n"
     "blocks = 1000\ndensity = 1\n",
     "blocks.toml:41: pattern[0].blocks = 1000: makes more than 100000 blocks"},
    {"[[pattern]]\nname = \"pile\"\nkind = \"stack\"\nblock = [1, 2, 1]\nblocks = 2\n"
     "offsets = [1, 2]\ndensity = 1\n",
     "blocks.toml:41: pattern[0].offsets = [1, 2]: 2 blocks have 1 joints"},
    {"[[pattern]]\nname = \"pile\"\nkind = \"stack\"\nblock = [1, 2, 1]\nblocks = 2\n",
     "blocks.toml:36: pattern[0].mass: this key is missing: \"pile.1\" moves, and its shape "
     "\"pile.full\" has no density"},
    {"[[pattern]]\nname = \"arch\"\nkind = \"arch\"\nvoussoirs = 10\nthickness = 2\nradius = 1\n",
     "blocks.toml:40: pattern[0].thickness = 2: must be less than twice the mean radius"},
    {"[[pattern]]\nname = \"pile\"\nkind = \"stack\"\nshape = \"block\"\nblocks = 2\n"
     "shift = [1, 0, 0]\n",
     "blocks.toml:41: pattern[0].shift = [1, 0, 0]: has no effect without copies"},
};

/// Exit code 2, the message, and no folder. A message that ends with ... says how it begins.
void check_refusal(const ProgramResult& result, const std::string& message,
                   const TemporaryFolder& folder) {
  CAPTURE(result.err);
  CHECK(result.exit_code == 2);
  if (message.ends_with("..."))
    CHECK(result.err.starts_with(message.substr(0, message.size() - 3)));
  else
    CHECK(result.err == message + "\n");
  CHECK(!fs::exists(folder / "out"));
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("cli/solids: bad input names file, key and what to do") {
  const TemporaryFolder folder;
  write_text(folder / "blocks.toml", blocks);
  REQUIRE(slipwave({"check", "blocks.toml"}, folder.path()).exit_code == 0);
  for (const Refusal& refusal : settings) {
    CAPTURE(refusal.more);
    check_refusal(
        slipwave({"run", "blocks.toml", "--out", "out", "--set", refusal.more}, folder.path()),
        refusal.message, folder);
  }
  for (const Refusal& refusal : additions) {
    CAPTURE(refusal.more);
    write_text(folder / "blocks.toml", blocks + "\n" + refusal.more);
    check_refusal(slipwave({"run", "blocks.toml", "--out", "out"}, folder.path()), refusal.message,
                  folder);
  }
}

TEST_CASE("cli/solids: check says what the scene is, what touches and how far a step goes") {
  const TemporaryFolder folder;
  write_text(folder / "blocks.toml", blocks);
  const ProgramResult result = slipwave({"check", "blocks.toml"}, folder.path());
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  for (const char* part :
       {"bodies     3, of which 2 move, together 2\n", "groups   \"ground\" (1) \"bodies\" (2)\n",
        "contacts   8 points of 2 pairs within 0.001 at the start, gaps from 0 to 0\n",
        "moreau-jean-fremond, theta = 0.5\n", "10 steps of 0.001 to t = 0.01\n",
        "the smallest body is 1 thick\n", "memory     about ", "blocks.toml: ready to run\n"}) {
    CAPTURE(part);
    CHECK(says(result.out, part));
  }
  CHECK_FALSE(says(result.out, "warning"));
}

TEST_CASE("cli/solids: bodies that overlap or hang in the air are named") {
  const TemporaryFolder folder;
  write_text(folder / "blocks.toml", blocks);
  const ProgramResult inside =
      slipwave({"check", "blocks.toml", "--set", "body[2].at=[0, 0, 1.25]"}, folder.path());
  CHECK(
      says(inside.out,
           "warning: 1 pair(s) of bodies overlap at the start, worst lower and upper, by 0.25\n"));
  const ProgramResult above =
      slipwave({"check", "blocks.toml", "--set", "body[2].at=[0, 0, 1.6]"}, folder.path());
  CHECK(says(above.out,
             "warning: 1 bodies at rest stand on nothing at the start and will fall, the "
             "first is upper: "));
  const ProgramResult thrown = slipwave({"check", "blocks.toml", "--set", "body[2].at=[0, 0, 1.6]",
                                         "--set", "body[2].velocity=[0, 0, -1]"},
                                        folder.path());
  CHECK_FALSE(says(thrown.out, "warning"));
  const ProgramResult fast =
      slipwave({"check", "blocks.toml", "--set", "body[2].velocity=[0, 0, 100]"}, folder.path());
  CHECK(says(fast.out, "  that is much: where bodies meet, choose time.step <= 0.0005\n"));
}

TEST_CASE("cli/solids: a run ends with a summary and goes on to the same bits") {
  const TemporaryFolder folder;
  write_text(folder / "blocks.toml", blocks);
  const std::vector<std::string> run{"run", "blocks.toml", "--set", "output.checkpoint_every=5"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = run;
    words.insert(words.end(), more.begin(), more.end());
    return slipwave(words, folder.path());
  };
  const ProgramResult whole = with({"--out", "whole"});
  CAPTURE(whole.err);
  REQUIRE(whole.exit_code == 0);
  CHECK(json_value(folder / "whole/summary.json", "exit_reason") == "completed");
  CHECK(json_value(folder / "whole/summary.json", "sizes.bodies") == "3");
  REQUIRE(with({"--out", "parts", "--steps", "6"}).exit_code == 0);
  REQUIRE(with({"--out", "parts", "--resume"}).exit_code == 0);
  CHECK(read_text(folder / "parts/energy.csv") == read_text(folder / "whole/energy.csv"));
  const std::vector<std::string> rows = lines_of(read_text(folder / "whole/energy.csv"));
  CHECK(rows.size() == 12);
}

TEST_CASE("cli/solids: commands of systems say that the case has bodies") {
  const TemporaryFolder folder;
  const ProgramResult result = slipwave({"outcomes", case_file("domino")}, folder.path());
  CHECK(result.exit_code == 2);
  CHECK(result.err == case_file("domino") +
                          ": has rigid bodies in space; outcomes are of system.kind = \"stick\", "
                          "such as cases/painleve_rod.toml\n");
}

}  // namespace slipwave::cli_tests
