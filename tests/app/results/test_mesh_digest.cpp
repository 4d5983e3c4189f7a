#include "app/results/mesh_digest.hpp"

#include <doctest/doctest.h>

using namespace slipwave;
using namespace slipwave::app;

namespace {

fem::Mesh one_triangle() {
  fem::Mesh mesh;
  mesh.nodes.resize(2, 3);
  mesh.nodes << 0.0, 1.0, 0.0, 0.0, 0.0, 1.0;
  mesh.triangles.resize(3, 1);
  mesh.triangles << 0, 1, 2;
  mesh.node_tags = {1, 2, 3};
  mesh.curves["bottom"] = {{0, 1}};
  mesh.surfaces["body"] = {0};
  return mesh;
}

}  // namespace

TEST_CASE(
    "app/results/mesh_digest: changes with a coordinate, a triangle, a group and a group's name") {
  const std::string digest = mesh_digest(one_triangle());
  fem::Mesh same = one_triangle();
  same.source = "another/file.msh";
  CHECK(mesh_digest(same) == digest);
  fem::Mesh moved = one_triangle();
  moved.nodes(0, 1) = 1.0 + 1e-15;
  CHECK(mesh_digest(moved) != digest);
  fem::Mesh turned = one_triangle();
  turned.triangles << 1, 2, 0;
  CHECK(mesh_digest(turned) != digest);
  fem::Mesh longer = one_triangle();
  longer.curves["bottom"].push_back({1, 2});
  CHECK(mesh_digest(longer) != digest);
  fem::Mesh renamed = one_triangle();
  renamed.surfaces = {{"bodies", {0}}};
  CHECK(mesh_digest(renamed) != digest);
}
