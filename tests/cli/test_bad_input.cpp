#include "tests/cli/program.hpp"
#include "tests/cli/small_case.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

/// The text with one thing changed, which must be there once.
std::string changed(const std::string& text, const std::string& from, const std::string& to) {
  const auto place = text.find(from);
  REQUIRE(place != std::string::npos);
  REQUIRE(text.find(from, place + 1) == std::string::npos);
  return text.substr(0, place) + to + text.substr(place + from.size());
}

/// A text so many times, between two others.
std::string repeated(std::string before, const std::string& text, int times,
                     const std::string& after) {
  for (int i = 0; i < times; ++i) before += text;
  return before += after;
}

/// Exit code 2, nothing but the one line on stderr, no folder. A message that ends with ... says
/// how it begins.
void check_refusal(const ProgramResult& result, const std::string& message,
                   const TemporaryFolder& folder) {
  CAPTURE(message);
  CAPTURE(result.err);
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  CHECK(result.err.ends_with("\n"));
  if (message.ends_with("..."))
    CHECK(result.err.starts_with(message.substr(0, message.size() - 3)));
  else
    CHECK(result.err == message + "\n");
  CHECK(!fs::exists(folder / "out"));
}

struct ChangedText {
  std::string what, from, to, message;
};

/// What is said of a number that the parser cannot give.
const std::string beyond =
    "a whole number beyond 2^53 = 9007199254740992 may not be exact; write it with a decimal "
    "point, such as 9.007e15";

const std::vector<ChangedText> bad_cases{
    // Whole numbers that are no doubles, wherever a number may be.
    {"a step of 2^53 + 1", "step = 1e-3", "step = 9007199254740993",
     "block.toml:36: time.step = 9007199254740993: " + beyond},
    {"a modulus of -2^53 - 1", "young_modulus = 1000.0", "young_modulus = -9007199254740993",
     "block.toml:5: material.young_modulus = -9007199254740993: " + beyond},
    {"a component beyond 2^53", "restitution = 0.0", "normal = [0, 9007199254740993]",
     "block.toml:32: contact[0].normal = [0, 9007199254740993]: " + beyond},
    {"a formula's number beyond 2^53", "x = 1.0", "x = 9007199254740993",
     "block.toml:27: traction[0].x = 9007199254740993: " + beyond},
    {"frames beyond 2^53", "end = 2e-3", "end = 2e-3\n[output]\nframes_every = 9007199254740993",
     "block.toml:39: output.frames_every = 9007199254740993: must be a whole number from 0 to "
     "2147483647"},
    {"a time of a frame beyond 2^53", "end = 2e-3",
     "end = 2e-3\n[output]\nframes_at = [0, 9007199254740993]",
     "block.toml:39: output.frames_at = [0, 9007199254740993]: " + beyond},
    // What TOML says.
    {"syntax", "step = 1e-3", "step = = 1e-3", "block.toml:36: not valid TOML: ..."},
    {"a key twice", "step = 1e-3", "step = 1e-3\nstep = 1e-4",
     "block.toml:37: not valid TOML: ..."},
    {"a bracket left open", "[time]", "[time", "block.toml:34: not valid TOML: ..."},
    {"overflow", "end = 2e-3", "end = 1e999", "block.toml:37: not valid TOML: ..."},
    {"a key of 50 000 tables", "[time]", repeated("[", "a.", 50000, "a]\n[time]"),
     "block.toml:34: not valid TOML: a key with more than 20 dots"},
    {"a key of 21 tables after a comment and strings", "[time]",
     repeated("# ... # \" '\na = \"#\\\".\"\nb = \"\"\"\n.\"\n\"\"\"\n[", "'#'.", 21, "a]\n[time]"),
     "block.toml:39: not valid TOML: a key with more than 20 dots"},
    {"NUL byte", "[time]", std::string("a = \"\0\"\n[time]", 14),
     "block.toml:34: not valid TOML: ..."},
    {"a string in five quotation marks, then a key of 21 tables", "[time]",
     repeated("a = \"\"\"b\"\"\"\"\n[", "a.", 21, "a]\n[time]"),
     "block.toml:35: not valid TOML: a key with more than 20 dots"},
    {"no UTF-8", "[time]", "a = \"\xff\"\n[time]", "block.toml:34: not valid TOML: ..."},
    // Keys.
    {"misspelt required key", "friction", "friciton",
     "block.toml:31: contact[0].friciton: unknown key; did you mean contact[0].friction?"},
    {"misspelt optional key", "theta", "tehta",
     "block.toml:35: time.tehta: unknown key; did you mean time.theta?"},
    {"unknown key", "theta = 0.5", "speed = 0.5",
     "block.toml:35: time.speed: unknown key; expected one of scheme, theta, steps, end, step, "
     "wall_limit"},
    {"misspelt required section", "[material]", "[materal]",
     "block.toml:4: materal: unknown key; did you mean material?"},
    {"misspelt required section", "[time]", "[tiem]",
     "block.toml:34: tiem: unknown key; did you mean time?"},
    {"misspelt optional section", "[gravity]", "[gravty]",
     "block.toml:10: gravty: unknown key; did you mean gravity?"},
    {"misspelt list", "[[contact]]", "[[contacts]]",
     "block.toml:29: contacts: unknown key; did you mean contact?"},
    {"missing key", "density = 1.0\n", "", "block.toml:4: material.density: this key is missing"},
    {"missing key next to another", "file = \"block.msh\"", "size = 1.0",
     "block.toml:1: mesh.file: this key is missing"},
    {"missing section", "[mesh]\nfile = \"block.msh\"\n", "",
     "block.toml: mesh.file: this key is missing"},
    {"nothing prescribed", "velocity_y = 0.0\n", "",
     "block.toml:22: prescribed[0].on = \"top\": nothing is prescribed; give velocity_x, "
     "velocity_y, displacement_x or "
     "displacement_y"},
    {"velocity and displacement", "velocity_y = 0.0", "velocity_y = 0.0\ndisplacement_y = 0.0",
     "block.toml:23: prescribed[0].velocity_y = 0: displacement_y is prescribed too; give one of "
     "them"},
    {"no traction", "x = 1.0\n", "",
     "block.toml:26: traction[0].on = \"left\": no traction is given; give x, y or pressure"},
    // Types.
    {"string for a number", "friction = 0.5", "friction = \"0.5\"",
     "block.toml:31: contact[0].friction = \"0.5\": expected a number"},
    {"number for a string", "file = \"block.msh\"", "file = 3",
     "block.toml:2: mesh.file = 3: expected a string in quotes"},
    {"array for a number", "density = 1.0", "density = [1.0, 2.5]",
     "block.toml:7: material.density = [1, 2.5]: expected a number"},
    {"table for a number", "density = 1.0", "density = { a = 1 }",
     "block.toml:7: material.density: expected a number"},
    {"number for a flag", "static = true", "static = 1",
     "block.toml:14: initial.static = 1: expected true or false"},
    {"flag for a formula", "y = \"-1 - t\"", "y = true",
     "block.toml:11: gravity.y = true: expected a number, or a formula of t in quotes"},
    {"list for a table", "[time]", "[[time]]", "block.toml:34: time: expected a table, [time]"},
    {"number for a section", "[mesh]", "traction = 3\n[mesh]",
     "block.toml:26: not valid TOML: ..."},
    {"file name with a NUL character", "file = \"block.msh\"", "file = \"block.msh\\u0000.geo\"",
     "block.toml:2: mesh.file: must not contain a NUL character"},
    {"vector of three", "restitution = 0.0", "normal = [0, 1, 0]",
     "block.toml:32: contact[0].normal = [0, 1, 0]: expected two numbers, [x, y]"},
    {"vector with nan", "restitution = 0.0", "point = [0.0, nan]",
     "block.toml:32: contact[0].point = [0, nan]: must be two finite numbers"},
    // Ranges.
    {"theta", "theta = 0.5", "theta = 0.4",
     "block.toml:35: time.theta = 0.4: must be between 0.5 and 1"},
    {"theta", "theta = 0.5", "theta = 1.1",
     "block.toml:35: time.theta = 1.1: must be between 0.5 and 1"},
    {"restitution", "restitution = 0.0", "restitution = -0.1",
     "block.toml:32: contact[0].restitution = -0.1: must be between 0 and 1"},
    {"restitution", "restitution = 0.0", "restitution = 1.5",
     "block.toml:32: contact[0].restitution = 1.5: must be between 0 and 1"},
    {"friction", "friction = 0.5", "friction = -0.5",
     "block.toml:31: contact[0].friction = -0.5: must be at least 0"},
    {"step 0", "step = 1e-3", "step = 0", "block.toml:36: time.step = 0: must be greater than 0"},
    {"step < 0", "step = 1e-3", "step = -1e-3",
     "block.toml:36: time.step = -0.001: must be greater than 0"},
    {"step nan", "step = 1e-3", "step = nan",
     "block.toml:36: time.step = nan: must be a finite number"},
    {"step inf", "step = 1e-3", "step = inf",
     "block.toml:36: time.step = inf: must be a finite number"},
    {"too many steps", "step = 1e-3", "step = 1e-13",
     "block.toml:36: time.step = 1e-13: needs more than 2147483647 steps to the end"},
    {"no steps", "step = 1e-3\nend = 2e-3", "steps = []",
     "block.toml:36: time.steps = []: must have from 1 to 1000 entries"},
    {"too many pieces", "step = 1e-3\nend = 2e-3",
     repeated("steps = [", "{until = 1, step = 1},", 1001, "]"),
     "block.toml:36: time.steps: must have from 1 to 1000 entries"},
    {"end", "end = 2e-3", "end = -1.0", "block.toml:37: time.end = -1: must be greater than 0"},
    {"density", "density = 1.0", "density = 0.0",
     "block.toml:7: material.density = 0: must be greater than 0"},
    {"Young's modulus", "young_modulus = 1000.0", "young_modulus = -1.0",
     "block.toml:5: material.young_modulus = -1: must be greater than 0"},
    {"Poisson's ratio in plane strain", "poisson_ratio = 0.3", "poisson_ratio = 0.5",
     "block.toml:6: material.poisson_ratio = 0.5: must be greater than -1 and less than 0.5 in "
     "plane strain"},
    {"Poisson's ratio in plane stress",
     "poisson_ratio = 0.3\ndensity = 1.0\nhypothesis = \"plane-strain\"",
     "poisson_ratio = 1.0\ndensity = 1.0",
     "block.toml:6: material.poisson_ratio = 1: must be greater than -1 and less than 1 in plane "
     "stress"},
    {"zero normal", "restitution = 0.0", "normal = [0.0, 0.0]",
     "block.toml:32: contact[0].normal = [0, 0]: must not be zero"},
    {"circle and half-plane", "restitution = 0.0", "circle = [0, -1]\nradius = 1\nnormal = [0, 1]",
     "block.toml:34: contact[0].normal = [0, 1]: belongs to a half-plane, and circle is given too"},
    {"circle without radius", "restitution = 0.0", "circle = [0, -1]",
     "block.toml:29: contact[0].radius: this key is missing"},
    {"radius without circle", "restitution = 0.0", "radius = 1",
     "block.toml:32: contact[0].radius = 1: belongs to a circle; give its centre as circle"},
    {"radius", "restitution = 0.0", "circle = [0, -1]\nradius = 0",
     "block.toml:33: contact[0].radius = 0: must be greater than 0"},
    {"node at the centre of a circle", "restitution = 0.0", "circle = [0, 0]\nradius = 1",
     "block.msh: node 1 at (0, 0) of \"bottom\" is the centre of the circle that it may touch"},
    {"matrix overflow", "young_modulus = 1000.0", "young_modulus = 1.7e308",
     "block.msh: the stiffness matrix is not finite: a number of [material] is too large"},
    {"hopeless scales", "density = 1.0", "density = 1e-300",
     "block: the matrix of a time step is singular: no positive pivot at node ..."},
    // Formulas.
    {"unknown variable", "\"-1 - t\"", "\"-1 - x\"",
     "block.toml:11: gravity.y: Unexpected token \"x\" found at position 5. in the formula \"-1 - "
     "x\"; it may use t, pi, ..."},
    {"parenthesis", "\"-1 - t\"", "\"-(1 + t\"",
     "block.toml:11: gravity.y: Missing parenthesis in the formula ..."},
    {"decimal comma", "\"-1 - t\"", "\"-0,5\"",
     "block.toml:11: gravity.y: the formula \"-0,5\" has a comma outside of a function; write 0.5, "
     "not 0,5"},
    {"division by zero", "\"-1 - t\"", "\"-1/t\"",
     "block.toml:11: gravity.y: the formula \"-1/t\" is -inf at t = 0; must be finite"},
    {"too long", "\"-1 - t\"", repeated("\"1", "+1", 5000, "\""),
     "block.toml:11: gravity.y: the formula has 10001 characters; at most 10000 are supported"},
    // Choices.
    {"scheme", "theta = 0.5", "scheme = \"runge-kutta\"",
     "block.toml:35: time.scheme = \"runge-kutta\": expected one of \"moreau-jean-fremond\", "
     "\"moreau-jean\", \"moreau-jean-midpoint\", \"newmark\", \"hht\", \"generalized-alpha\", "
     "\"kh-alpha\", \"newmark-position\", \"moreau-explicit\""},
    {"activation", "restitution = 0.0", "activation = \"always\"",
     "block.toml:32: contact[0].activation = \"always\": expected one of \"dissipative\", "
     "\"gap-and-velocity\", "
     "\"predicted-gap-and-velocity\", \"gap\""},
    {"hypothesis", "\"plane-strain\"", "\"axisymmetric\"",
     "block.toml:8: material.hypothesis = \"axisymmetric\": expected one of \"plane-stress\", "
     "\"plane-strain\""},
    {"method", "[time]", "[solver]\nmethod = \"lemke\"\n[time]",
     "block.toml:35: solver.method = \"lemke\": expected one of \"auto\", \"nsgs\", \"newton\", "
     "\"projected-gradient\", \"proximal-newton\", \"interior-point\""},
    {"relaxation", "[time]", "[solver]\nrelaxation = 2\n[time]",
     "block.toml:35: solver.relaxation = 2: must be greater than 0 and less than 2"},
    {"on_failure", "[time]", "[solver]\non_failure = \"ignore\"\n[time]",
     "block.toml:35: solver.on_failure = \"ignore\": expected one of \"stop\", \"continue\""},
    // What the mesh says.
    {"contact group", "on = \"bottom\"\nfriction", "on = \"botom\"\nfriction",
     "block.msh: no physical curve named \"botom\"; the mesh has \"bottom\", \"left\", \"right\", "
     "\"top\""},
    {"prescribed group", "on = \"top\"", "on = \"topp\"",
     "block.msh: no physical curve named \"topp\"; the mesh has \"bottom\", \"left\", \"right\", "
     "\"top\""},
    {"traction group", "on = \"left\"", "on = \"\"",
     "block.msh: no physical curve named \"\"; the mesh has \"bottom\", \"left\", \"right\", "
     "\"top\""},
    {"material group", "[material]", "[material]\non = \"middle\"",
     "block.msh: no physical surface named \"middle\"; the mesh has \"lower\", \"upper\""},
    {"triangle without material", "[material]", "[material]\non = \"lower\"",
     "block.msh: triangle 6 has no material; give one without `on`, or one for every surface"},
    {"two materials", "[material]",
     "[[material]]\non = \"lower\"\nyoung_modulus = 1.0\npoisson_ratio = 0.0\ndensity = "
     "1.0\n[[material]]",
     "block.msh: triangle 5 has two materials, material[0] and material[1]"},
    {"contact held along its normal", "on = \"top\"", "on = \"right\"",
     "block.msh: node 2 at (1, 0) is in contact on \"bottom\", but its motion along the normal is "
     "prescribed"},
    {"prescribed differently on a shared corner", "[[traction]]",
     "[[prescribed]]\non = \"left\"\nvelocity_y = 1.0\n[[traction]]",
     "block.msh: y of node 4 at (0, 1) is prescribed on \"top\" and differently on \"left\""},
    {"static solve not held", "displacement_x = 0.0\n", "",
     "block.msh: initial.static: the static problem is singular: the body of \"lower\", \"upper\" "
     "(4 nodes) is free to move along x; hold it with [[initial.prescribed]]"},
    {"prescribed without a static solve", "static = true", "static = false",
     "block.toml:16: initial.prescribed: has no effect without initial.static = true"},
    {"loads without a static solve",
     "static = true\n\n[[initial.prescribed]]\non = \"bottom\"\ndisplacement_x = "
     "0.0\ndisplacement_y = 0.0",
     "loads = true",
     "block.toml:14: initial.loads = true: has no effect without initial.static = true"},
    {"mesh.size with a .msh", "file = \"block.msh\"", "file = \"block.msh\"\nsize = 1.0",
     "block.msh: mesh.size is for .geo files; a .msh file is already meshed"},
    {"mesh file missing", "\"block.msh\"", "\"blok.msh\"", "blok.msh: no such mesh file"},
    {"mesh file of another kind", "\"block.msh\"", "\"block.toml\"",
     "block.toml: unknown mesh format; expected a Gmsh .msh or .geo file"},
};

const std::vector<ChangedText> bad_meshes{
    {"not a mesh", "$MeshFormat\n", "solid block\n",
     "block.msh: not a Gmsh mesh file: it does not begin with $MeshFormat"},
    {"cut short", "$EndElements\n", "",
     "block.msh: the file is cut short: it does not end with an $End line"},
    {"second order",
     "4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n6\n1 1 2 1 1 1 2\n",
     "5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0.5 0 0\n$EndNodes\n$Elements\n6\n1 8 2 1 1 1 2 5\n",
     "block.msh: ..."},
    {"quadrangle", "6\n1 1 2 1 1 1 2\n", "7\n7 3 2 5 1 1 2 3 4\n1 1 2 1 1 1 2\n",
     "block.msh: element 7 of surface 1 is a Quadrilateral 4; only three-node triangles and "
     "two-node lines are supported ..."},
    {"zero area", "3 1 1 0\n", "3 2 0 0\n",
     "block.msh: triangle 5 (nodes 1, 2, 3) has zero area; remove it or move one of its nodes"},
    {"orphan node", "4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n6\n",
     "5\n9 7 8 0\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n7\n7 15 2 0 9 9\n",
     "block.msh: 1 node(s) belong to no triangle, the first is node 9 at (7, 8); ..."},
    {"out of the plane", "3 1 1 0\n", "3 1 1 0.5\n",
     "block.msh: node 3 is at z = 0.5; a plane mesh with z = 0 is expected"},
};

struct Command {
  std::vector<std::string> arguments;
  std::string message;
};

const std::vector<Command> bad_commands{
    {{"nowhere.toml"}, "nowhere.toml: no such case file"},
    {{"."}, ".: not a file; expected a case file in TOML"},
    {{""}, ": no such case file"},
    {{"block.msh"}, "block.msh:1: not valid TOML: ..."},
    {{"block.toml", "--set", "time.step"},
     "--set time.step: expected KEY=VALUE, such as time.step=1e-3"},
    {{"block.toml", "--set", "="}, "--set: expected KEY=VALUE, such as time.step=1e-3"},
    {{"block.toml", "--set", "time.=1"}, "--set time.: expected a key such as time.step"},
    {{"block.toml", "--set", ".step=1"}, "--set .step: expected a key such as time.step"},
    {{"block.toml", "--set", "time.speed=3"},
     "--set: time.speed: unknown key; expected one of scheme, theta, steps, end, step, wall_limit"},
    {{"block.toml", "--set", "a.b.c=1"}, "--set: a: unknown key; expected one of units, time, ..."},
    {{"block.toml", "--set", "a.b.c.d.e.f.g.h.i.j.k=1"},
     "--set a.b.c.d.e.f.g.h.i.j.k: expected a key such as time.step"},
    {{"block.toml", "--set", "time.step=fast"}, "--set: time.step = \"fast\": expected a number"},
    {{"block.toml", "--set", "time.step=[1e-3, 2e-3]"},
     "--set: time.step = [0.001, 0.002]: expected a number"},
    {{"block.toml", "--set", "time.step=1\nend=2"},
     "--set: time.step = \"1 end=2\": expected a number"},
    {{"block.toml", "--set", "time.step.x=1"}, "--set time.step.x=1: time.step is not a table"},
    {{"block.toml", "--set", "time.step[0]=1"}, "--set time.step[0]=1: step is not an array"},
    {{"block.toml", "--set", repeated("time={", "a.", 50000, "a = 1}")},
     "--set:1: not valid TOML: a key with more than 20 dots"},
    {{"block.toml", "--set", "contact=3"},
     "--set: contact = 3: expected a table, [contact], or several, [[contact]]"},
    {{"block.toml", "--set", "contact[0]=3"},
     "--set: contact = [3]: expected a table, [contact], or several, [[contact]]"},
    {{"block.toml", "--set", "contact[1].friction=0"},
     "--set contact[1].friction=0: contact has only 1 entries"},
    {{"block.toml", "--set", "contact[1]="}, "--set contact[1]=: contact has only 1 entries"},
    {{"block.toml", "--set", "contact[x].friction=0"},
     "--set contact[x].friction: expected an index such as contact[0]"},
    {{"block.toml", "--set", "contact[0.friction=0"},
     "--set contact[0.friction: expected an index such as contact[0]"},
    {{"block.toml", "--set", "contact.friction=-1"},
     "--set: contact[0].friction = -1: must be at least 0"},
    {{"block.toml", "--set", "time.step=1e300"}, "block: contact 0: ..."},
    {{"block.toml", "--set", "material="}, "block.toml: material: this section is missing"},
    {{"block.toml", "--set", "contact.on="}, "--set: contact[0].on: this key is missing"},
    {{"block.toml", "--out", "block.msh"},
     "block.msh: is a file; expected a folder for the results (--out)"},
    {{"block.toml", "--out", "block.msh/out"}, "block.msh/out: cannot be made: Not a directory"},
    {{"block.toml", "--out", "/proc/slipwave"}, "/proc/slipwave: cannot be made: ..."},
};

/// A folder with the case and its mesh.
void write_case(const TemporaryFolder& folder, const std::string& case_text,
                const std::string& mesh_text) {
  write_text(folder / "block.toml", case_text);
  write_text(folder / "block.msh", mesh_text);
}

}  // namespace

TEST_CASE("cli/bad input: the case that the others change runs") {
  const TemporaryFolder folder;
  write_case(folder, small_case, small_mesh);
  const ProgramResult result =
      slipwave({"run", "block.toml", "--out", "out", "--quiet"}, folder.path());
  CHECK(result.err.empty());
  CHECK(result.exit_code == 0);
  CHECK(fs::exists(folder / "out/energy.csv"));
}

TEST_CASE("cli/bad input: a wrong case file is refused in one line with its place") {
  for (const ChangedText& row : bad_cases) {
    CAPTURE(row.what);
    const TemporaryFolder folder;
    write_case(folder, changed(small_case, row.from, row.to), small_mesh);
    check_refusal(slipwave({"run", "block.toml", "--out", "out"}, folder.path()), row.message,
                  folder);
  }
}

TEST_CASE("cli/bad input: a wrong mesh is refused in one line with its entity") {
  for (const ChangedText& row : bad_meshes) {
    CAPTURE(row.what);
    const TemporaryFolder folder;
    write_case(folder, small_case, changed(small_mesh, row.from, row.to));
    check_refusal(slipwave({"run", "block.toml", "--out", "out"}, folder.path()), row.message,
                  folder);
  }
}

TEST_CASE("cli/bad input: a geometry that calls Exit is refused like any other") {
  const TemporaryFolder folder;
  write_case(folder, small_case, small_mesh);
  write_text(folder / "block.geo", "Exit;\n");
  check_refusal(
      slipwave({"run", "block.toml", "--out", "out", "--set", "mesh.file=block.geo"},
               folder.path()),
      "block.geo: Gmsh ended before there was a mesh; the script must not call Exit or Abort",
      folder);
}

TEST_CASE("cli/bad input: a long value does not fill the terminal") {
  const TemporaryFolder folder;
  write_case(folder, changed(small_case, "\"-1 - t\"", repeated("\"", "(", 9999, "\"")),
             small_mesh);
  const ProgramResult result = slipwave({"run", "block.toml", "--out", "out"}, folder.path());
  CHECK(result.err.starts_with("block.toml:11: gravity.y: "));
  CHECK(result.err.ends_with(" ...\n"));
  CHECK(result.err.size() < 2100);
}

TEST_CASE("cli/bad input: a wrong command line is refused in one line") {
  const TemporaryFolder folder;
  write_case(folder, small_case, small_mesh);
  for (const Command& row : bad_commands) {
    std::vector<std::string> arguments{"run"};
    arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
    if (std::find(arguments.begin(), arguments.end(), "--out") == arguments.end())
      arguments.insert(arguments.end(), {"--out", "out"});
    check_refusal(slipwave(arguments, folder.path()), row.message, folder);
  }
}

TEST_CASE(
    "cli/bad input: an option that the command line does not know, or cannot use, gives exit code "
    "2") {
  const TemporaryFolder folder;
  write_case(folder, small_case, small_mesh);
  const std::vector<std::vector<std::string>> commands{
      {},
      {"run"},
      {"check"},
      {"walk", "block.toml"},
      {"run", "block.toml", "--outt", "out"},
      {"run", "block.toml", "block.toml"},
      {"run", "block.toml", "--threads", "0"},
      {"run", "block.toml", "--threads", "-1"},
      {"run", "block.toml", "--threads", "100000000"},
      {"run", "block.toml", "--steps", "-3"},
      {"run", "block.toml", "--steps", "0"},
      {"run", "block.toml", "--steps", "1.5"},
      {"run", "block.toml", "--steps", "99999999999"},
      {"run", "block.toml", "--steps"},
      {"run", "block.toml", "--set"},
      {"run", "block.toml", "--out"},
      {"run", "block.toml", "--out", "--force"},
      {"check", "block.toml", "--out", "out"},
  };
  for (const auto& command : commands) {
    const ProgramResult result = slipwave(command, folder.path());
    CAPTURE(command.size());
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(!result.err.empty());
    CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 2);
  }
}

TEST_CASE("cli/bad input: results are not replaced without --force") {
  const TemporaryFolder folder;
  write_case(folder, small_case, small_mesh);
  const std::vector<std::string> command{"run", "block.toml", "--out", "out", "--quiet"};
  REQUIRE(slipwave(command, folder.path()).exit_code == 0);
  write_text(folder / "out/energy.csv", "precious");
  const ProgramResult result = slipwave(command, folder.path());
  CHECK(result.exit_code == 2);
  CHECK(result.err ==
        "out: already has results; choose another folder with --out, go on with --resume, or "
        "replace them with --force\n");
  CHECK(read_text(folder / "out/energy.csv") == "precious");
}

TEST_CASE("cli/bad input: the results never replace the case file they come from") {
  const TemporaryFolder folder;
  write_case(folder, small_case, small_mesh);
  fs::rename(folder / "block.toml", folder / "case.toml");
  const ProgramResult result =
      slipwave({"run", "case.toml", "--out", ".", "--force"}, folder.path());
  CHECK(result.exit_code == 2);
  CHECK(result.err ==
        ".: the results would replace the case file; choose another folder with --out\n");
  CHECK(read_text(folder / "case.toml") == small_case);
}

TEST_CASE("cli/bad input: what is wrong with the mesh leaves the results of an earlier run alone") {
  const TemporaryFolder folder;
  write_case(folder, small_case, small_mesh);
  REQUIRE(slipwave({"run", "block.toml", "--out", "out", "--quiet"}, folder.path()).exit_code == 0);
  const std::string before = read_text(folder / "out/energy.csv");
  const ProgramResult result = slipwave(
      {"run", "block.toml", "--out", "out", "--force", "--set", "contact.on=botom"}, folder.path());
  CHECK(result.exit_code == 2);
  CHECK(read_text(folder / "out/energy.csv") == before);
}

TEST_CASE("cli/bad input: theta above 1/(1+e) is a warning, not an error") {
  const TemporaryFolder folder;
  write_case(folder, small_case, small_mesh);
  const ProgramResult result = slipwave({"run", "block.toml", "--out", "out", "--quiet", "--set",
                                         "time.theta=0.6", "--set", "contact.restitution=0.8"},
                                        folder.path());
  CHECK(result.exit_code == 0);
  CHECK(result.err ==
        "warning: time.theta = 0.6 > 1/(1+e) = 0.555556 (87) for the contact on \"bottom\": "
        "dissipation is not guaranteed\n");
}

}  // namespace slipwave::cli_tests
