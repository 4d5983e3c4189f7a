#include "fem/gmsh/child_process.hpp"
#include "fem/gmsh/geo_script.hpp"
#include "fem/gmsh/gmsh_reader.hpp"
#include "tests/fem/fixtures.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <thread>

namespace slipwave::fem {

namespace {

namespace fs = std::filesystem;
using tests::TemporaryFolder;

/// A unit square of two curves a side.
const std::string square = R"(
Point(1) = {0, 0, 0, 0.5}; Point(2) = {1, 0, 0, 0.5}; Point(3) = {1, 1, 0, 0.5}; Point(4) = {0, 1, 0, 0.5};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Physical Curve("bottom") = {1}; Physical Surface("square") = {1};
)";

std::string error_of(const fs::path& file, const GmshRules& rules = {},
                     std::optional<double> size = std::nullopt) {
  try {
    read_mesh(file, size, rules);
  } catch (const MeshError& error) {
    return error.what();
  }
  return {};
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Says loudly why a test of the sandbox is not run.
bool has_sandbox() {
  if (!can_confine()) MESSAGE("NOT TESTED: this system has neither Landlock nor seccomp");
  return can_confine();
}

struct BadScript {
  std::string command;  ///< with FOLDER and FOREIGN in place of paths
  std::string name;     ///< of what it calls
  std::string expected;
};

const std::vector<BadScript> bad_scripts{
    {"SystemCall \"touch FOLDER/canary\";", "SystemCall", "tried to start a program"},
    {"System \"touch FOLDER/canary\";", "System", "tried to start a program"},
    {"NonBlockingSystemCall \"touch FOLDER/canary\";", "NonBlockingSystemCall",
     "tried to start a program"},
    {"OnelabRun(\"canary\", \"touch FOLDER/canary\");", "OnelabRun", "tried to"},
    {"Printf(\"x\") > \"canary\";", "Printf", "tried to write FOLDER/canary"},
    {"Printf(\"x\") >> \"canary\";", "Printf", "tried to write FOLDER/canary"},
    {"Mesh 2; Save \"canary.msh\";", "Save", "tried to write FOLDER/canary.msh"},
    {"Mesh 2; Print \"canary.msh\";", "Print", "tried to write FOLDER/canary.msh"},
    {"CreateDir \"canary\";", "CreateDir", "tried to write FOLDER/canary"},
    {"Merge \"FOREIGN\";", "Merge", "tried to read FOREIGN, which is not in its folder"},
    {"Include \"FOREIGN\";", "Include", "tried to read FOREIGN, which is not in its folder"}};

std::string with_paths(std::string text, const TemporaryFolder& folder, const fs::path& foreign) {
  for (const auto& [mark, path] :
       {std::pair<std::string, std::string>{"FOLDER", folder.path()}, {"FOREIGN", foreign}})
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.replace(at, mark.size(), path);
  return text;
}

/// What a confined process gets for a call: its error, or "done".
template <class Call>
std::string confined_error(const Call& call) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a.geo", square);
  return run_in_child([&] { return call() < 0 ? std::string(strerror(errno)) : "done"; }, {}, file)
      .output.value_or("ended");
}

}  // namespace

TEST_CASE("fem/sandbox: a script that runs, writes or reads elsewhere is stopped before it does") {
  if (!has_sandbox()) return;
  const TemporaryFolder elsewhere;
  const fs::path foreign = elsewhere.write("foreign.geo", "Point(9) = {0, 0, 0};\n");
  for (const BadScript& bad : bad_scripts) {
    CAPTURE(bad.command);
    const TemporaryFolder folder;
    const fs::path file =
        folder.write("a.geo", square + with_paths(bad.command, folder, foreign) + "\n");
    const std::string error = error_of(file);
    CAPTURE(error);
    CHECK(says(error, file.string() + ": " + with_paths(bad.expected, folder, foreign)));
    CHECK(says(error, bad.name + " in line 6"));
    CHECK(says(error, "--trust"));
    CHECK_FALSE(fs::exists(folder / "canary"));
    CHECK_FALSE(fs::exists(folder / "canary.msh"));
  }
}

TEST_CASE("fem/sandbox: without one, such scripts are refused by the command's name") {
  const GmshRules rules{.seconds = {}, .bytes = {}, .trust = false, .can_confine = false};
  const TemporaryFolder folder;
  const fs::path foreign = folder.write("foreign.geo", "Point(9) = {0, 0, 0};\n");
  for (const BadScript& bad : bad_scripts) {
    CAPTURE(bad.command);
    const fs::path file =
        folder.write("a.geo", square + with_paths(bad.command, folder, foreign) + "\n");
    const std::string error = error_of(file, rules);
    CAPTURE(error);
    CHECK(error.starts_with(file.string() + ": line 6: " + bad.name + ": this system has no"));
    CHECK(says(error, "--trust"));
    CHECK_FALSE(fs::exists(folder / "canary"));
  }
  CHECK(error_of(folder.write("b.geo", square + "// SystemCall\n/* Save */ Printf(\"Merge\");\n"),
                 rules) == "");
}

TEST_CASE("fem/sandbox: a script that is trusted runs, once, with a size or without") {
  const std::string counts = "SystemCall \"echo x >> FOLDER/canary\";\n";
  const std::string parameter = "DefineConstant[ size = {0.5, Name \"size\"} ];\n";
  for (const std::optional<double> size : {std::optional<double>(), std::optional<double>(0.25)}) {
    const TemporaryFolder folder;
    const fs::path file =
        folder.write("a.geo", parameter + square + with_paths(counts, folder, ""));
    CHECK(error_of(file, {.seconds = {}, .bytes = {}, .trust = true}, size) == "");
    CHECK(fs::file_size(folder / "canary") == 2);
  }
}

TEST_CASE("fem/sandbox: option files beside a mesh are not obeyed") {
  const std::string msh = mesh_file("two_parts_41_ascii.msh");
  const TemporaryFolder folder;
  fs::copy(msh, folder / "a.msh");
  for (const std::string name : {"a.msh", "a.geo"}) {
    CAPTURE(name);
    const fs::path file = name == "a.geo" ? folder.write(name, square) : folder / name;
    const fs::path options = folder.write(name + ".opt", "Exit;\n");
    if (has_sandbox()) CHECK(error_of(file) == "");
    for (const bool trust : {false, true})
      CHECK(error_of(file, {.seconds = {}, .bytes = {}, .trust = trust, .can_confine = false})
                .starts_with(options.string() + ": Gmsh would obey this file"));
  }
}

TEST_CASE("fem/sandbox: parts in the script's own folder are read and listed") {
  const TemporaryFolder folder;
  const fs::path inner = folder.write("inner.geo", square);
  const fs::path outer = folder.write("outer.geo", "Include \"inner.geo\";\n");
  const fs::path file = folder.write("a.geo", "Merge \"outer.geo\";\n");
  const std::vector<std::string> parts{inner.string(), outer.string()};
  const Mesh trusted = read_mesh(file, std::nullopt, {.seconds = {}, .bytes = {}, .trust = true});
  CHECK(trusted.included == parts);
  CHECK(curve(trusted, "bottom").size() == 2);
  if (!has_sandbox()) return;
  const Mesh mesh = read_mesh(file);
  CHECK(mesh.included == parts);
  CHECK(mesh.nodes == trusted.nodes);
  const fs::path computed =
      folder.write("b.geo", "Include StrCat(\"in\", \"ner.geo\");\n// Include \"outer.geo\";\n");
  CHECK(read_mesh(computed).included == std::vector<std::string>{inner.string()});
}

TEST_CASE("fem/sandbox: solids of OpenCASCADE are merged in it") {
  if (!has_sandbox()) return;
  for (const std::string part : {"part.brep", "part.step"}) {
    CAPTURE(part);
    const TemporaryFolder folder;
    const std::string kernel = "SetFactory(\"OpenCASCADE\");\n";
    const fs::path maker =
        folder.write("make.geo", kernel + "Rectangle(1) = {0, 0, 0, 1, 1};\nSave \"" + part +
                                     "\";\nPhysical Surface(\"s\") = {1};\n");
    REQUIRE(error_of(maker, {.seconds = {}, .bytes = {}, .trust = true}) == "");
    REQUIRE(fs::exists(folder / part));
    const fs::path file =
        folder.write("a.geo", kernel + "Merge \"" + part + "\";\nPhysical Surface(\"s\") = {1};\n");
    CHECK(error_of(file) == "");
  }
}

TEST_CASE("fem/sandbox: a script that never ends, or fills the memory, names the key to raise") {
  const TemporaryFolder folder;
  const std::string sleeps =
      error_of(folder.write("a.geo", "Sleep 1000;\n"), {.seconds = 0.5, .bytes = {}});
  CHECK(says(sleeps, "a.geo: Gmsh was still at work after 0.5 s"));
  CHECK(says(sleeps, "mesh.time_limit"));
  const std::string loops =
      error_of(folder.write("b.geo", "For i In {1:1e12}\nEndFor\n"), {.seconds = 0.5, .bytes = {}});
  CHECK(says(loops, "mesh.time_limit"));
  const std::string fills = error_of(folder.write("c.geo", "l[] = {0:1e9};\n"),
                                     {.seconds = 60.0, .bytes = std::size_t{300'000'000}});
  CAPTURE(fills);
  CHECK(says(fills, "mesh.memory_limit"));
}

TEST_CASE("fem/sandbox: a confined process cannot reach others") {
  if (!has_sandbox()) return;
  CHECK(confined_error([] { return ::kill(getppid(), SIGTERM); }) == strerror(EPERM));
  CHECK(confined_error([] { return ::kill(-1, 0); }) == strerror(EPERM));
  CHECK(confined_error([] { return ptrace(PTRACE_ATTACH, getppid(), 0, 0); }) == strerror(EPERM));
  CHECK(confined_error([] { return socket(AF_INET, SOCK_STREAM, 0); }) == strerror(EACCES));
  CHECK(confined_error([] { return socket(AF_UNIX, SOCK_STREAM, 0); }) == strerror(EACCES));
  CHECK(confined_error([] { return fork(); }) == strerror(EACCES));
  CHECK(confined_error([] { return execl("/bin/true", "true", static_cast<char*>(nullptr)); }) ==
        strerror(EACCES));
  CHECK(confined_error([] { return std::system("true") == 0 ? 0 : -1; }) != "done");
  CHECK(confined_error([] { return ::kill(getpid(), 0); }) == "done");
  CHECK(confined_error([] {
          int result = -1;
          std::thread([&] { result = 0; }).join();
          return result;
        }) == "done");
}

TEST_CASE("fem/geo_script: words in comments and texts are no commands") {
  CHECK(far_reaching_commands("// Save\n/* Merge\n */ Printf(\"SystemCall 'x'\");\n").empty());
  const auto found = far_reaching_commands("a = 1;\nPrintf(\"%g\", a > 0);\nSave_1 = 2; Save 'x';");
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "Save");
  CHECK(found[0].line == 3);
}

TEST_CASE("fem/child_process: where the system does not say how a child ended, that is an error") {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  CHECK_THROWS_AS((void)run_in_child([]() -> std::string { std::exit(3); }), std::system_error);
  std::signal(SIGCHLD, before);
  CHECK(run_in_child([] { return std::string("x"); }).output == "x");
}

}  // namespace slipwave::fem
