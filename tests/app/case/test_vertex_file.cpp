#include "app/case/vertex_file.hpp"
#include "app/messages/user_error.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace slipwave::app {

namespace {

using Eigen::Vector3d;

std::string refusal(const std::string& name, const std::string& text) {
  const tests::TemporaryFolder folder;
  try {
    read_vertex_file(folder.write(name, text));
  } catch (const UserError& error) {
    const std::string message = error.what();
    return message.substr(message.find(name));
  }
  return "accepted";
}

/// A tetrahedron as a binary STL file: zeros, then whatever is asked for.
std::string binary_stl(std::uint32_t count, const std::string& triangles) {
  std::string text(80, '\0');
  text.append(reinterpret_cast<const char*>(&count), sizeof count);
  return text + triangles;
}

std::string triangle(const std::array<float, 9>& vertices) {
  std::string text(12, '\0');
  text.append(reinterpret_cast<const char*>(vertices.data()), sizeof vertices);
  return text + std::string(2, '\0');
}

}  // namespace

TEST_CASE("app/case/vertex_file: groups of an OBJ file have the vertices of their faces") {
  const tests::TemporaryFolder folder;
  const auto parts = read_vertex_file(folder.write("wall.obj",
                                                   "# two blocks\n"
                                                   "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1 1.0\n"
                                                   "vn 0 0 1\n"
                                                   "g left\nusemtl stone\n"
                                                   "f 1/1/1 2//1 3 # a comment\nf 1 2 4\n"
                                                   "o right\nv 2 0 0\nf -1 -2 -3\n"
                                                   "g left\nf 1 2 5\n"));
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].name == "left");
  REQUIRE(parts[0].vertices.size() == 5);
  CHECK(parts[0].vertices[4] == Vector3d(2.0, 0.0, 0.0));
  CHECK(parts[1].name == "right");
  REQUIRE(parts[1].vertices.size() == 3);
  CHECK(parts[1].vertices[0] == Vector3d(0.0, 1.0, 0.0));
}

TEST_CASE("app/case/vertex_file: an OBJ file without faces is a cloud of points") {
  const tests::TemporaryFolder folder;
  const auto parts = read_vertex_file(folder.write("rock.obj", "v 0 0 0\r\nv 1 2.5e-1 -3\r\n"));
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].name == "rock");
  CHECK(parts[0].vertices[1] == Vector3d(1.0, 0.25, -3.0));
}

TEST_CASE("app/case/vertex_file: STL of both kinds, each vertex once") {
  const tests::TemporaryFolder folder;
  const auto text = read_vertex_file(folder.write(
      "a.stl",
      "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
      "endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
      "vertex 0 0 1\nendloop\nendfacet\nendsolid a\n"));
  const auto binary = read_vertex_file(
      folder.write("b.stl", binary_stl(2, triangle({0, 0, 0, 1, 0, 0, 0, 1, 0}) +
                                              triangle({0, 0, 0, 1, 0, 0, 0, 0, 1}))));
  for (const auto* parts : {&text, &binary}) {
    REQUIRE(parts->size() == 1);
    REQUIRE((*parts)[0].vertices.size() == 4);
    CHECK((*parts)[0].vertices[3] == Vector3d(1.0, 0.0, 0.0));
  }
}

TEST_CASE("app/case/vertex_file: what cannot be read is named with its line") {
  CHECK(refusal("a.obj", "v 0 0 0\nv 1 x 0\n") == "a.obj:2: \"x\" is not a finite number");
  CHECK(refusal("a.obj", "v 0 0 nan\n") == "a.obj:1: \"nan\" is not a finite number");
  CHECK(refusal("a.obj", "v 0 0\n") == "a.obj:1: a vertex has three coordinates");
  CHECK(refusal("a.obj", "v 0 0 0\nf 1 1 2\n") ==
        "a.obj:2: \"2\" names no vertex; there are 1 so far");
  CHECK(refusal("a.obj", "v 0 0 0\nf 1 1 1x\n") ==
        "a.obj:2: \"1x\" names no vertex; there are 1 so far");
  CHECK(refusal("a.obj", "v 0 0 0\nf 1 1\n") == "a.obj:2: a face has at least three vertices");
  CHECK(refusal("a.obj", "[shape]\n") ==
        "a.obj:1: \"[shape]\": expected v, f, g, o or another word of OBJ");
  CHECK(refusal("a.obj", "") == "a.obj:1: there is no vertex in this file");
  CHECK(refusal("a.ply", "ply\n") == "a.ply: expected a file that ends with .obj or .stl");
  CHECK(refusal("a.stl", "solid a\nvertex 1 2\n") == "a.stl:2: a vertex has three coordinates");
  CHECK(refusal("a.stl", "solid a\nendsolid\n") == "a.stl: there is no vertex in this file");
  CHECK(refusal("a.stl", binary_stl(2, triangle({}))) ==
        "a.stl: not an STL file: it neither begins with \"solid\" nor is as long as its triangles");
  CHECK(refusal("a.stl", binary_stl(1, triangle({0, 0, 0, 0, 0, 0, 0, 0, std::nanf("")}))) ==
        "a.stl: triangle 1 has a vertex that is not finite");
}

}  // namespace slipwave::app
