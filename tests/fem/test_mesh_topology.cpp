#include "fem/gmsh/gmsh_reader.hpp"
#include "fem/mesh_topology.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

namespace slipwave::fem {

namespace {

using Nodes = std::vector<Eigen::Vector2d>;
using Triangles = std::vector<Eigen::Vector3i>;

/// What is thrown at a mesh; empty if nothing is.
std::string refusal(const Nodes& nodes, const Triangles& triangles) {
  const Mesh mesh = make_mesh(nodes, triangles);
  try {
    refuse_folds(mesh);
  } catch (const MeshError& error) {
    return error.what();
  }
  return {};
}

/// What is said of a mesh that is not refused.
std::vector<std::string> doubts(const Nodes& nodes, const Triangles& triangles) {
  REQUIRE(refusal(nodes, triangles).empty());
  return doubtful_places(make_mesh(nodes, triangles));
}

const Nodes square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
const Triangles halves{{0, 1, 2}, {0, 2, 3}};

Nodes operator+(Nodes nodes, const Nodes& more) {
  nodes.insert(nodes.end(), more.begin(), more.end());
  return nodes;
}

Triangles operator+(Triangles triangles, const Triangles& more) {
  triangles.insert(triangles.end(), more.begin(), more.end());
  return triangles;
}

/// A second square of its own nodes, moved by this.
Nodes moved(double x, double y) {
  Nodes nodes = square;
  for (Eigen::Vector2d& node : nodes) node += Eigen::Vector2d(x, y);
  return nodes;
}

const Triangles halves_of_second{{4, 5, 6}, {4, 6, 7}};

const std::string file_begin = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const std::string file_end =
    "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n4\n"
    "1 1 2 1 1 1 2\n2 1 2 2 3 3 4\n3 2 2 3 1 1 2 3\n4 2 2 3 1 1 3 4\n$EndElements\n";

std::string error_of(const std::string& content) {
  const TemporaryFile file("names.msh", content);
  try {
    read_mesh(file.path());
  } catch (const MeshError& error) {
    const std::string text = error.what();
    return text.substr(file.path().string().size() + 2);
  }
  return {};
}

}  // namespace

TEST_CASE("fem/mesh_topology: a triangle that is there twice is refused") {
  CHECK(
      refusal(square, halves + Triangles{{2, 0, 1}}) ==
      "made by hand: triangles 1 and 3 are one and the same, with a side between node 1 at (0, 0) "
      "and node 2 at (1, 0); remove one of them");
  CHECK(refusal(square, halves) == "");
}

TEST_CASE("fem/mesh_topology: triangles on one side of a common side are refused") {
  CHECK(refusal(square + Nodes{{0.2, 0.7}}, halves + Triangles{{0, 1, 4}}) ==
        "made by hand: the mesh is folded: triangles 1 and 3 lie on the same side of their common "
        "one, between node 1 at (0, 0) and node 2 at (1, 0); correct the geometry");
  // A side of three triangles: two of them are on the same side.
  CHECK(refusal(square + Nodes{{0.9, 0.2}}, halves + Triangles{{0, 4, 2}}) ==
        "made by hand: the mesh is folded: triangles 1 and 3 lie on the same side of their common "
        "one, between node 1 at (0, 0) and node 3 at (1, 1); correct the geometry");
  // A node moved over the opposite side, which turns its triangle around.
  CHECK(refusal({{0, 0}, {1, 0}, {0.4, 0.6}, {0.3, 0.2}}, {{0, 1, 2}, {0, 2, 3}}) != "");
}

TEST_CASE("fem/mesh_topology: cracks and bodies side by side are as good as any") {
  // The diagonal is a crack: its nodes stand there twice, at both ends or at one.
  CHECK(doubts(square + Nodes{{0, 0}, {1, 1}}, {{0, 1, 2}, {4, 5, 3}}).empty());
  CHECK(doubts(square + Nodes{{1, 1}}, {{0, 1, 2}, {0, 4, 3}}).empty());
  // Two squares that touch, whose nodes do not meet, and two apart.
  CHECK(doubts(square + moved(1.0, 0.3), halves + halves_of_second).empty());
  CHECK(doubts(square + moved(3.0, 0.0), halves + halves_of_second).empty());
}

TEST_CASE("fem/mesh_topology: every mesh of the tests and every geometry is without doubts") {
  for (const char* folder : {SLIPWAVE_TEST_DATA "/meshes", SLIPWAVE_TEST_DATA "/../../meshes"})
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".geo" && extension != ".msh") continue;
      CAPTURE(entry.path().string());
      CHECK(doubtful_places(read_mesh(entry.path())).empty());
    }
}

TEST_CASE("fem/mesh_topology: a node on the side of a triangle hangs") {
  // The lower side of the upper half has a node in its middle that the square below lacks.
  const std::vector<std::string> texts = doubts({{0, 0}, {2, 0}, {2, 1}, {0, 1}, {1, 1}, {1, 2}},
                                                {{0, 1, 2}, {0, 2, 3}, {3, 4, 5}, {4, 2, 5}});
  REQUIRE(texts.size() == 1);
  CHECK(texts[0] ==
        "made by hand: 1 hanging node(s): node 5 at (1, 1) lies on a side of triangle 2 without "
        "being one of its nodes");
}

TEST_CASE("fem/mesh_topology: bodies that overlap are found, moved a little or the same") {
  for (const double x : {0.4, 0.0, 0.05}) {
    CAPTURE(x);
    const std::vector<std::string> texts =
        doubts(square + moved(x, 0.3 * x), halves + halves_of_second);
    REQUIRE(texts.size() == 1);
    CHECK(texts[0].find(" lie inside another body: the first, triangle ") != std::string::npos);
  }
  // One inside the other.
  Nodes small = moved(0.0, 0.0);
  for (Eigen::Vector2d& node : small) node = 0.1 * node + Eigen::Vector2d(0.6, 0.2);
  CHECK(doubts(square + small, halves + halves_of_second).size() == 1);
}

TEST_CASE("fem/mesh_topology: a body that lies on itself is found") {
  // The last triangle hangs on the one above by a node, and lies on the squares below.
  const std::vector<std::string> texts =
      doubts({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0}, {2, 1}, {0.5, 2}, {0.3, 0.1}, {0.9, 0.3}},
             {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}, {2, 6, 3}, {6, 7, 8}});
  REQUIRE(texts.size() >= 1);
  CHECK(texts[0].find("triangle(s) lie on others of their own body") != std::string::npos);
}

TEST_CASE("fem/gmsh_reader: two groups of one name are refused, of different kinds not") {
  const auto names = [](const std::string& lines) {
    return file_begin + "$PhysicalNames\n3\n" + lines + "$EndPhysicalNames\n" + file_end;
  };
  CHECK(error_of(names("1 1 \"low\"\n1 2 \"low\"\n2 3 \"body\"\n")) ==
        "the physical curves 1 and 2 are both named \"low\"; give them different names, or put all "
        "in one group");
  CHECK(error_of(names("1 1 \"low\"\n1 2 \"high\"\n2 3 \"low\"\n")) == "");
}

}  // namespace slipwave::fem
