#include "fem/gmsh/gmsh_reader.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <numeric>
#include <sstream>

namespace slipwave::fem {

namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ostringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  return content.str();
}

/// What reading a mesh file throws; empty if it is read.
std::string error_of(const std::filesystem::path& file, std::optional<double> size = std::nullopt) {
  try {
    read_mesh(file, size);
  } catch (const MeshError& error) {
    return error.what();
  }
  return {};
}

/// An MSH 2.2 file from its node and element lines.
std::string msh22(const std::vector<std::string>& nodes, const std::vector<std::string>& elements,
                  const std::string& names = "") {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + names;
  text += "$Nodes\n" + std::to_string(nodes.size()) + "\n";
  for (const std::string& node : nodes) text += node + "\n";
  text += "$EndNodes\n$Elements\n" + std::to_string(elements.size()) + "\n";
  for (const std::string& element : elements) text += element + "\n";
  return text + "$EndElements\n";
}

/// An MSH 4.1 file with the corners of a square, a fifth node at (7, 8), and two triangles.
std::string msh41(const std::string& triangles) {
  return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
         "$Entities\n0 0 1 0\n1 0 0 0 7 8 0 0 0\n$EndEntities\n"
         "$Nodes\n1 5 1 5\n2 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n7 8 0\n$EndNodes\n"
         "$Elements\n1 2 1 2\n2 1 2 2\n" +
         triangles + "$EndElements\n";
}

/// The text without one of its lines.
std::string without(std::string text, const std::string& line) {
  return text.erase(text.find(line), line.size());
}

const std::vector<std::string> square = {"1 0 0 0", "2 1 0 0", "3 1 1 0", "4 0 1 0"};
const std::vector<std::string> two_triangles = {"1 2 2 1 1 1 2 3", "2 2 2 1 1 1 3 4"};

/// Replaces one line of the square's nodes.
std::vector<std::string> square_with(std::size_t line, const std::string& node) {
  std::vector<std::string> nodes = square;
  nodes.at(line) = node;
  return nodes;
}

/// Catches what is written to the terminal, by whatever library, while it lives.
class TerminalCapture {
 public:
  TerminalCapture() : file_("terminal.txt", "") {
    std::fflush(nullptr);
    const int target = open(file_.path().c_str(), O_WRONLY);
    for (int stream : {1, 2}) {
      saved_[stream - 1] = dup(stream);
      dup2(target, stream);
    }
    close(target);
  }
  TerminalCapture(const TerminalCapture&) = delete;
  TerminalCapture& operator=(const TerminalCapture&) = delete;
  ~TerminalCapture() { restore(); }

  std::string text() {
    restore();
    return content_of(file_.path());
  }

 private:
  void restore() {
    std::fflush(nullptr);
    for (int stream : {1, 2}) {
      if (saved_[stream - 1] < 0) continue;
      dup2(saved_[stream - 1], stream);
      close(saved_[stream - 1]);
      saved_[stream - 1] = -1;
    }
  }

  TemporaryFile file_;
  int saved_[2] = {-1, -1};
};

struct BadMesh {
  std::string what;
  std::string name;
  std::string content;
  std::string expected;
};

std::vector<BadMesh> bad_meshes() {
  const std::string text = content_of(mesh_file("two_parts_41_ascii.msh"));
  const std::string binary = content_of(mesh_file("two_parts_41_binary.msh"));
  const std::string text_22 = content_of(mesh_file("two_parts_22_ascii.msh"));
  return {
      {"no triangles", "a.msh", msh22(square, {"1 1 2 1 1 1 2"}), "the mesh has no triangles"},
      {"no elements", "a.msh", msh22(square, {}), "the mesh has no triangles"},
      {"second-order triangles", "a.msh",
       msh22({"1 0 0 0", "2 1 0 0", "3 0 1 0", "4 .5 0 0", "5 .5 .5 0", "6 0 .5 0"},
             {"8 9 2 1 1 1 2 3 4 5 6"}),
       "element 8 of surface 1 is a Triangle 6; only three-node triangles"},
      {"quadrilaterals", "a.msh", msh22(square, {"3 3 2 1 1 1 2 3 4"}),
       "element 3 of surface 1 is a Quadrilateral 4; only three-node triangles"},
      {"zero-area triangle", "a.msh", msh22(square_with(1, "2 0.5 0.5 0"), two_triangles),
       "triangle 1 (nodes 1, 2, 3) has zero area"},
      {"triangle with a repeated node", "a.msh", msh22(square, {"1 2 2 1 1 1 2 2"}),
       "triangle 1 (nodes 1, 2, 2) has zero area"},
      {"orphan node", "a.msh", msh41("1 1 2 3\n2 1 3 4\n"),
       "1 node(s) belong to no triangle, the first is node 5 at (7, 8)"},
      {"node off the plane", "a.msh", msh22(square_with(2, "3 1 1 0.25"), two_triangles),
       "node 3 is at z = 0.25; a plane mesh with z = 0 is expected"},
      {"coordinate that is not a number", "a.msh",
       msh22(square_with(2, "3 nan 1 0"), two_triangles), "not a finite number"},
      {"element with a missing node, 2.2", "a.msh", msh22(square, {"1 2 2 1 1 1 2 9"}),
       "Wrong node index 9"},
      {"element with a missing node, 4.1", "a.msh", msh41("1 1 2 9\n2 3 4 5\n"),
       "could not read it"},
      {"unknown extension", "a.vtk", text,
       "unknown mesh format; expected a Gmsh .msh or .geo file"},
      {"empty file", "a.msh", "", "does not begin with $MeshFormat"},
      {"garbage", "a.msh", std::string("\x7f\x45LF\0\1\2$", 8), "does not begin with $MeshFormat"},
      {"garbage after the header", "a.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\nxyz\n",
       "the file is cut short"},
      {"unknown version", "a.msh", "$MeshFormat\n9.7 0 8\n$EndMeshFormat\n", "could not read it"},
      {"text cut in the middle", "a.msh", text.substr(0, text.size() / 2), "the file is cut short"},
      {"binary cut in the middle", "a.msh", binary.substr(0, binary.size() / 2),
       "the file is cut short"},
      {"line missing in the middle", "a.msh", without(text_22, "17 2 2 41 1 1 7 15\n"),
       "could not read it"},
      {"script that exits", "a.geo", "Exit;\n",
       "Gmsh ended before there was a mesh; the script must not call Exit or Abort"},
      {"script that exits with an error", "a.geo", "Point(1) = {0, 0, 0};\nExit 3;\n", "Gmsh"},
      {"syntax error", "a.geo", "Point(1) = {0, 0;\n", "could not read it"},
      {"geometry without a surface", "a.geo", "Point(1) = {0, 0, 0, 1};\n",
       "the mesh has no triangles"},
  };
}

}  // namespace

TEST_CASE("fem/gmsh_reader: the four formats give the same mesh") {
  const Mesh expected = read_mesh(mesh_file("two_parts_41_ascii.msh"));
  CHECK(expected.node_count() == 21);
  CHECK(expected.triangle_count() == 28);
  for (const char* format : {"22_ascii", "22_binary", "41_binary"}) {
    CAPTURE(format);
    const Mesh mesh = read_mesh(mesh_file(std::string("two_parts_") + format + ".msh"));
    CHECK(mesh.nodes == expected.nodes);
    CHECK(mesh.triangles == expected.triangles);
    CHECK(mesh.curves == expected.curves);
    CHECK(mesh.surfaces == expected.surfaces);
    CHECK(mesh.node_tags == expected.node_tags);
  }
}

TEST_CASE("fem/gmsh_reader: nodes, triangles and edges are those of the file") {
  const Mesh mesh = read_mesh(mesh_file("two_parts_22_ascii.msh"));
  CHECK(mesh.nodes.col(7) == Eigen::Vector2d(1.5, 0.0));
  CHECK(mesh.node_tags[7] == 8);
  CHECK(mesh.triangle_tags[14] == 15);  // the groups come in the order of their numbers: 12, 41
  CHECK(mesh.triangles.col(14) == Eigen::Vector3i(12, 4, 15));
  CHECK(curve(mesh, "interface") == std::vector<Edge>{{1, 12}, {12, 4}});
  CHECK(mesh.reoriented == 0);
}

TEST_CASE("fem/gmsh_reader: groups go by their name, and without one by their number") {
  const Mesh mesh = read_mesh(mesh_file("two_parts_41_binary.msh"));
  CHECK(mesh.curves.size() == 4);
  CHECK(mesh.surfaces.size() == 2);
  for (const Edge& edge : curve(mesh, "bottom"))
    for (const int node : edge) CHECK(mesh.nodes(1, node) == 0.0);
  for (const Edge& edge : curve(mesh, "40"))
    for (const int node : edge) CHECK(mesh.nodes(1, node) == 1.0);
  for (const int e : surface(mesh, "left part"))
    for (int a = 0; a < 3; ++a) CHECK(mesh.nodes(0, mesh.triangles(a, e)) <= 1.0);
  for (const int e : surface(mesh, "12"))
    for (int a = 0; a < 3; ++a) CHECK(mesh.nodes(0, mesh.triangles(a, e)) >= 1.0);
  CHECK(surface(mesh, "left part").size() + surface(mesh, "12").size() == 28);
}

TEST_CASE("fem/gmsh_reader: an element that MSH 2.2 repeats for a second group is read once") {
  const std::string names = "$PhysicalNames\n2\n2 1 \"block\"\n2 2 \"all\"\n$EndPhysicalNames\n";
  const TemporaryFile file(
      "a.msh",
      msh22(square, {"1 2 2 1 1 1 2 3", "2 2 2 2 1 1 2 3", "3 2 2 1 1 1 3 4", "4 2 2 2 1 1 3 4"},
            names));
  const Mesh mesh = read_mesh(file.path());
  CHECK(mesh.triangle_tags == std::vector<std::size_t>{1, 3});
  CHECK(surface(mesh, "block") == std::vector<int>{0, 1});
  CHECK(surface(mesh, "all") == std::vector<int>{0, 1});
}

TEST_CASE("fem/gmsh_reader: a size sets the parameter `size` of a geometry") {
  const std::string file = std::string(SLIPWAVE_ROOT) + "/meshes/sliding_block.geo";
  CHECK(curve(read_mesh(file), "bottom").size() == 40);
  const Mesh coarse = read_mesh(file, 8.0);
  const Mesh fine = read_mesh(file, 4.0);
  CHECK(curve(coarse, "bottom").size() == 5);
  CHECK(curve(fine, "bottom").size() == 10);
  CHECK(fine.node_count() > coarse.node_count());
}

TEST_CASE("fem/gmsh_reader: a size bounds the elements of a geometry without that parameter") {
  CHECK(curve(read_mesh(mesh_file("two_parts.geo")), "bottom").size() == 4);
  const Mesh coarse = read_mesh(mesh_file("two_parts.geo"), 0.25);
  const Mesh fine = read_mesh(mesh_file("two_parts.geo"), 0.125);
  CHECK(curve(coarse, "bottom").size() == 8);
  CHECK(curve(fine, "bottom").size() == 16);
  CHECK(fine.node_count() > coarse.node_count());
}

TEST_CASE("fem/gmsh_reader: a parameter whose name only contains `size` is left alone") {
  const std::string geo = content_of(mesh_file("two_parts.geo"));
  const TemporaryFile file("a.geo", "DefineConstant[ my_size = {3, Name \"my_size\"} ];\n" + geo);
  CHECK(curve(read_mesh(file.path(), 0.25), "bottom").size() == 8);
}

TEST_CASE("fem/gmsh_reader: a size given to one geometry is forgotten in the next") {
  const Mesh before = read_mesh(mesh_file("two_parts.geo"));
  read_mesh(mesh_file("two_parts.geo"), 0.1);
  CHECK(read_mesh(mesh_file("two_parts.geo")).nodes == before.nodes);
}

TEST_CASE("fem/gmsh_reader: a node of an MSH 2.2 file without elements is left out") {
  std::vector<std::string> nodes = square;
  nodes.insert(nodes.begin(), "7 7 8 0");
  const TemporaryFile file("a.msh", msh22(nodes, two_triangles));
  CHECK(read_mesh(file.path()).node_tags == std::vector<std::size_t>{1, 2, 3, 4});
}

TEST_CASE("fem/gmsh_reader: clockwise triangles are turned and counted") {
  const TemporaryFile file("a.msh", msh22(square, {"1 2 2 1 1 1 3 2", "2 2 2 1 1 1 3 4"}));
  const Mesh mesh = read_mesh(file.path());
  CHECK(mesh.reoriented == 1);
  CHECK(doubled_area(mesh, 0) == 1.0);
  CHECK(doubled_area(mesh, 1) == 1.0);
}

TEST_CASE("fem/gmsh_reader: an unusable mesh is refused with its name and the reason") {
  for (const BadMesh& bad : bad_meshes()) {
    CAPTURE(bad.what);
    const TemporaryFile file(bad.name, bad.content);
    const std::string error = error_of(file.path());
    CAPTURE(error);
    CHECK(error.starts_with(file.path().string() + ": "));
    CHECK(error.find(bad.expected) != std::string::npos);
  }
}

TEST_CASE("fem/gmsh_reader: a missing file and a size for an .msh file are refused") {
  CHECK(error_of("/nowhere/a.msh") == "/nowhere/a.msh: no such mesh file");
  CHECK(error_of("/nowhere/a.geo", 1.0) == "/nowhere/a.geo: no such mesh file");
  const std::string msh = mesh_file("two_parts_22_ascii.msh");
  CHECK(error_of(msh, 1.0) == msh + ": mesh.size is for .geo files; a .msh file is already meshed");
}

TEST_CASE("fem/gmsh_reader: a missing group is answered with those there are") {
  const Mesh mesh = read_mesh(mesh_file("two_parts_22_ascii.msh"));
  CHECK_THROWS_WITH_AS(curve(mesh, "botom"),
                       (mesh.source + ": no physical curve named \"botom\"; the mesh has \"40\", "
                                      "\"bottom\", \"interface\", \"sides\"")
                           .c_str(),
                       MeshError);
  CHECK_THROWS_WITH_AS(surface(mesh, "bottom"),
                       (mesh.source + ": no physical surface named \"bottom\"; the mesh has "
                                      "\"12\", \"left part\"")
                           .c_str(),
                       MeshError);
}

TEST_CASE("fem/gmsh_reader: a file cut anywhere before its last marker is refused") {
  for (const char* format : {"22_ascii", "22_binary", "41_ascii", "41_binary"}) {
    CAPTURE(format);
    const std::string whole = content_of(mesh_file(std::string("two_parts_") + format + ".msh"));
    const std::size_t end = whole.rfind("$EndElements");
    // Every length near the end, where Gmsh is the most tolerant; every seventh before.
    for (std::size_t length = 0; length < end; length += length + 40 < end ? 7 : 1) {
      CAPTURE(length);
      const TemporaryFile file("a.msh", whole.substr(0, length));
      CHECK_FALSE(error_of(file.path()).empty());
    }
  }
}

TEST_CASE("fem/gmsh_reader: a good file is read after a bad one") {
  const TemporaryFile bad("a.msh", "$MeshFormat\n9.7 0 8\n$EndMeshFormat\n");
  const TemporaryFile syntax_error("a.geo", "Point(1) = {0, 0;\n");
  CHECK_FALSE(error_of(bad.path()).empty());
  CHECK(error_of(mesh_file("two_parts_41_ascii.msh")) == "");
  CHECK_FALSE(error_of(syntax_error.path()).empty());
  CHECK(error_of(mesh_file("two_parts.geo")) == "");
}

TEST_CASE("fem/gmsh_reader: nothing is written to the terminal, whatever the file") {
  const std::vector<BadMesh> bad = bad_meshes();
  TerminalCapture terminal;
  for (const BadMesh& mesh : bad) {
    const TemporaryFile file(mesh.name, mesh.content);
    error_of(file.path());
  }
  read_mesh(mesh_file("two_parts.geo"), 0.25);
  read_mesh(mesh_file("two_parts_22_binary.msh"));
  CHECK(terminal.text() == "");
}

}  // namespace slipwave::fem
