#include "tests/cli/program.hpp"
#include "tests/cli/small_case.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The square of small_mesh as a script, with a line in front.
std::string script(const std::string& first_line) {
  return first_line + R"(
Point(1) = {0, 0, 0, 1}; Point(2) = {1, 0, 0, 1}; Point(3) = {1, 1, 0, 1}; Point(4) = {0, 1, 0, 1};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Physical Curve("bottom") = {1}; Physical Curve("top") = {3}; Physical Curve("left") = {4};
Physical Surface("square") = {1};
)";
}

/// Writes block.toml with the mesh block.geo.
void write_geo_case(const TemporaryFolder& folder, const std::string& first_line) {
  std::string text = small_case;
  text.replace(text.find("block.msh"), 9, "block.geo");
  write_text(folder / "block.toml", text);
  write_text(folder / "block.geo", script(first_line));
}

/// Runs a command of a shell in a folder.
ProgramResult shell(const std::string& command, const TemporaryFolder& folder) {
  return Program({"bash", "-c", command}, folder.path()).wait();
}

const std::string program = SLIPWAVE_PROGRAM;

/// Runs what follows on a system without Landlock: its call is unknown, as on an older kernel.
const std::string without_landlock = R"(import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
LANDLOCK_CREATE_RULESET = 444
rules = [(0x20, 0, 0, 0), (0x15, 0, 1, LANDLOCK_CREATE_RULESET), (0x06, 0, 0, 0x00050026), (0x06, 0, 0, 0x7fff0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("rules", ctypes.c_void_p)]
filter = Filter(len(rules), ctypes.addressof(code))
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(filter), 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
)";

const std::vector<std::string> bad_lines{
    "SystemCall \"touch canary\";", "NonBlockingSystemCall \"touch canary\";",
    "Printf(\"x\") > \"canary\";",  "Save \"canary.msh\";",
    "CreateDir \"canary\";",        "Include \"/etc/group\";",
    "Merge \"/etc/group\";",        "OnelabRun(\"x\", \"touch canary\");"};

}  // namespace

TEST_CASE("cli/safety: check and run stop a mesh that would do more than describe a mesh") {
  for (const std::string& line : bad_lines) {
    const TemporaryFolder folder;
    write_geo_case(folder, line);
    const std::string name = line.substr(0, line.find_first_of(" (\""));
    for (const std::string command : {"check", "run"}) {
      CAPTURE(line);
      CAPTURE(command);
      const ProgramResult result = slipwave({command, "block.toml"}, folder.path());
      CAPTURE(result.err);
      CHECK(result.exit_code == 2);
      CHECK(says(result.err, "block.geo: "));
      CHECK(says(result.err, name));
      CHECK(says(result.err, "a mesh file may only describe a mesh"));
      for (const std::string trace : {"canary", "canary.msh", "results"})
        CHECK_FALSE(fs::exists(folder / trace));
    }
  }
}

TEST_CASE(
    "cli/safety: on a system without a sandbox such a mesh is refused, unless it is trusted") {
  const TemporaryFolder folder;
  write_text(folder / "without.py", without_landlock);
  write_geo_case(folder, "SystemCall \"echo x >> canary\";");
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"python3", "without.py", program});
    return Program(words, folder.path()).wait();
  };
  const ProgramResult refused = run({"check", "block.toml"});
  CAPTURE(refused.err);
  CHECK(refused.exit_code == 2);
  CHECK(says(refused.err, "block.geo: line 1: SystemCall: this system has no sandbox for Gmsh"));
  CHECK_FALSE(fs::exists(folder / "canary"));
  CHECK(run({"check", "block.toml", "--trust"}).exit_code == 0);
  CHECK(read_text(folder / "canary") == "x\n");
  CHECK(run({"run", "block.toml", "--trust", "--quiet"}).exit_code == 0);
  CHECK(read_text(folder / "canary") == "x\nx\n");
  write_geo_case(folder, "");
  CHECK(run({"check", "block.toml"}).exit_code == 0);
}

TEST_CASE("cli/safety: a study hands --trust to its members") {
  const TemporaryFolder folder;
  write_geo_case(folder, "SystemCall \"echo x >> canary\";");
  write_text(folder / "s.toml",
             "case = \"block.toml\"\n[[axis]]\nkey = \"contact.friction\"\nvalues = [0.1, 0.2]\n"
             "[[quantity]]\nname = \"k\"\nledger = \"kinetic\"\n");
  CHECK(slipwave({"study", "s.toml", "--out", "a"}, folder.path()).exit_code == 3);
  CHECK_FALSE(fs::exists(folder / "canary"));
  CHECK(slipwave({"study", "s.toml", "--out", "b", "--trust"}, folder.path()).exit_code == 0);
  CHECK(lines_of(read_text(folder / "canary")).size() == 2);
}

TEST_CASE("cli/safety: a part of the mesh that has changed makes a study's member run again") {
  const TemporaryFolder folder;
  write_geo_case(folder, "");
  write_text(folder / "part.geo", read_text(folder / "block.geo"));
  write_text(folder / "block.geo", "Include \"part.geo\";\n");
  write_text(folder / "s.toml",
             "case = \"block.toml\"\n[[axis]]\nkey = \"contact.friction\"\nvalues = [0.1]\n"
             "[[quantity]]\nname = \"k\"\nledger = \"kinetic\"\n");
  const std::vector<std::string> study{"study", "s.toml", "--out", "s", "--resume"};
  REQUIRE(slipwave(study, folder.path()).exit_code == 0);
  CHECK(says(slipwave(study, folder.path()).err, "1 of 1 members are finished already"));
  CHECK(says(read_text(folder / "s/members/friction_0.1/summary.json"), "/part.geo\": \""));
  write_text(folder / "part.geo", script("// another"));
  CHECK_FALSE(says(slipwave(study, folder.path()).err, "finished already"));
}

TEST_CASE("cli/safety: a script without end is stopped by a limit that the case can raise") {
  const TemporaryFolder folder;
  write_geo_case(folder, "Sleep 1000;");
  const ProgramResult result =
      slipwave({"check", "block.toml", "--set", "mesh.time_limit=\"0.5 s\""}, folder.path());
  CAPTURE(result.err);
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, "block.geo: Gmsh was still at work after 0.5 s"));
  CHECK(says(result.err, "mesh.time_limit"));
}

TEST_CASE(
    "cli/safety: where its parent ignores the end of children, a program knows how they ended") {
  const TemporaryFolder folder;
  write_geo_case(folder, "Exit;");
  const std::string ignoring = "env --ignore-signal=CHLD " + program;
  const ProgramResult ended = shell(ignoring + " check block.toml", folder);
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 2);
  CHECK(says(ended.err, "Gmsh ended before there was a mesh"));
  write_geo_case(folder, "");
  write_text(folder / "s.toml",
             "case = \"block.toml\"\n[[axis]]\nkey = \"contact.friction\"\nvalues = [0.1, 0.2]\n"
             "[[quantity]]\nname = \"k\"\nledger = \"kinetic\"\n");
  CHECK(shell(ignoring + " study s.toml --out s --jobs 2", folder).exit_code == 0);
}

TEST_CASE("cli/safety: few descriptors and little address space are named, not met") {
  const TemporaryFolder folder;
  write_geo_case(folder, "");
  const ProgramResult few = shell("ulimit -n 10; exec " + program + " run block.toml", folder);
  CHECK(few.exit_code == 2);
  CHECK(says(few.err, "ulimit -n is 10"));
  CHECK(shell("ulimit -S -n 10; exec " + program + " run block.toml", folder).exit_code == 0);
#ifndef SLIPWAVE_SANITIZED  // they take terabytes of address space
  // With the least even OpenBLAS, which starts before the program, does not come back.
  const ProgramResult least = shell("ulimit -v 330000; exec " + program + " --version", folder);
  CHECK(least.exit_code == 2);
  CHECK(says(least.err, "ulimit -v is 338 MB of address space"));
  const ProgramResult little =
      shell("ulimit -v 450000; exec " + program + " run block.toml --out b", folder);
  CAPTURE(little.err);
  CHECK(little.exit_code == 2);
  CHECK(says(little.err, "ulimit -v is 461 MB of address space"));
  CHECK_FALSE(fs::exists(folder / "b"));
#endif
}

TEST_CASE("cli/safety: a line break in a study's values or names is refused") {
  const TemporaryFolder folder;
  write_text(folder / "block.msh", small_mesh);
  write_text(folder / "block.toml", small_case);
  const auto study = [](const std::string& value) {
    return "case = \"block.toml\"\n[[axis]]\nkey = \"gravity.y\"\nvalues = [" + value +
           "]\n[[quantity]]\nname = \"k\"\nledger = \"kinetic\"\n";
  };
  write_text(folder / "s.toml", study(R"("1\ntouch canary\n")"));
  write_text(folder / "a\ntouch canary\n.toml", study("\"1\""));
  for (const std::string file : {"s.toml", "a\ntouch canary\n.toml"})
    for (const std::string executor : {"slurm", "snakemake"}) {
      const ProgramResult result =
          slipwave({"study", file, "--out", "o", "--executor", executor}, folder.path());
      CAPTURE(result.err);
      CHECK(result.exit_code == 2);
      CHECK(says(result.err, "control character"));
      CHECK_FALSE(fs::exists(folder / "o"));
    }
}

TEST_CASE("cli/safety: what a study is called runs no command, and comes back from Python whole") {
  const TemporaryFolder folder;
  write_text(folder / "block.msh", small_mesh);
  write_text(folder / "block.toml", small_case);
  const std::string odd = "it's $(touch canary) `touch canary` {x} %d #\"q\" \\ ";
  write_text(folder / (odd + ".toml"),
             "case = \"block.toml\"\n[[axis]]\nkey = \"gravity.y\"\nvalues = [\"1+0*t\"]\n"
             "[[quantity]]\nname = \"k\"\nledger = \"kinetic\"\n");
  // Where there is no sbatch, its script is there all the same.
  (void)slipwave({"study", odd + ".toml", "--out", odd, "--executor", "slurm"}, folder.path());
  const std::string script_file = (folder.path() / odd / "submit.sbatch").string();
  const std::string batch = read_text(script_file);
  CHECK(says(batch, "\n#SBATCH --job-name=it_s___touch_canary___touch_canary___x___d___q____\n"));
  const ProgramResult ran =
      Program({"env", "SLURM_ARRAY_TASK_ID=1", "sh", script_file}, folder.path()).wait();
  CHECK(ran.exit_code == 0);
  CHECK(fs::exists(folder.path() / odd / "members" / "y_1+0t" / "summary.json"));
  REQUIRE(slipwave({"study", odd + ".toml", "--out", odd + "2", "--executor", "snakemake"},
                   folder.path())
              .exit_code == 0);
  // Snakemake formats the command, then gives it to a shell.
  const std::string check =
      "import re, sys\n"
      "text = open(sys.argv[1], encoding='utf-8').read()\n"
      "command = eval(re.search('onerror:\\n    shell\\((.*)\\)', text).group(1))\n"
      "print(command.format())\n";
  const ProgramResult python =
      Program({"python3", "-c", check, (folder.path() / (odd + "2") / "Snakefile").string()},
              folder.path())
          .wait();
  CAPTURE(python.err);
  CHECK(says(python.out, "it'\\''s $(touch canary) `touch canary` {x} %d #\"q\" \\ .toml'"));
  CHECK_FALSE(fs::exists(folder / "canary"));
}

TEST_CASE("cli/safety: an assignment is no formula") {
  const TemporaryFolder folder;
  write_text(folder / "block.msh", small_mesh);
  write_text(folder / "block.toml", small_case);
  const ProgramResult result =
      slipwave({"check", "block.toml", "--set", "traction.x=\"t=5\""}, folder.path());
  CAPTURE(result.err);
  CHECK(result.exit_code == 2);
  CHECK(says(result.err, "traction"));
  CHECK(says(result.err, "assignment with = in the formula \"t=5\"; write == to compare"));
  for (const std::string formula : {"t==5", "t<=5", "t>=5", "t!=5", "t == 0 ? 1 : 2"})
    CHECK(
        slipwave({"check", "block.toml", "--set", "traction.x=\"" + formula + "\""}, folder.path())
            .exit_code == 0);
}

}  // namespace slipwave::cli_tests
