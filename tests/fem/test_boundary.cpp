#include "fem/boundary.hpp"
#include "fem/gmsh/gmsh_reader.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace slipwave::fem {

namespace {

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// The area inside the closed polygon of the line's nodes: positive if walked counter-clockwise.
double enclosed_area(const Mesh& mesh, const std::vector<int>& nodes) {
  double area = 0.0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Eigen::Vector2d a = mesh.nodes.col(nodes[k]);
    const Eigen::Vector2d b = mesh.nodes.col(nodes[(k + 1) % nodes.size()]);
    area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
  }
  return area;
}

const char* const frame_geo = R"(
Point(1) = {0, 0, 0, 1}; Point(2) = {4, 0, 0, 1}; Point(3) = {4, 4, 0, 1}; Point(4) = {0, 4, 0, 1};
Point(5) = {1, 1, 0, 1}; Point(6) = {3, 1, 0, 1}; Point(7) = {3, 3, 0, 1}; Point(8) = {1, 3, 0, 1};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Line(5) = {5, 6}; Line(6) = {6, 7}; Line(7) = {7, 8}; Line(8) = {8, 5};
Curve Loop(1) = {1, 2, 3, 4}; Curve Loop(2) = {5, 6, 7, 8};
Plane Surface(1) = {1, 2};
Physical Curve("outside") = {1, 2, 3, 4};
Physical Curve("hole") = {5, 6, 7, 8};
Physical Surface("frame") = {1};
)";

}  // namespace

TEST_CASE("fem/boundary: a side is walked with the material on the left") {
  const Mesh mesh = read_mesh(mesh_file("sliding_block_2mm.msh"));
  const std::map<std::string, Eigen::Vector2d> directions = {
      {"bottom", {1.0, 0.0}}, {"right", {0.0, 1.0}}, {"top", {-1.0, 0.0}}, {"left", {0.0, -1.0}}};
  for (const auto& side : directions) {
    const auto& [name, direction] = side;
    CAPTURE(side.first);
    const BoundaryLine line = boundary_line(mesh, name);
    CHECK(line.nodes.size() == curve(mesh, name).size() + 1);
    CHECK(std::all_of(line.piece.begin(), line.piece.end(), [](int piece) { return piece == 0; }));
    for (std::size_t k = 1; k < line.nodes.size(); ++k) {
      const Eigen::Vector2d along =
          mesh.nodes.col(line.nodes[k]) - mesh.nodes.col(line.nodes[k - 1]);
      CHECK(along.dot(direction) > 0.0);
    }
  }
}

TEST_CASE("fem/boundary: the tributary lengths sum to the length of the curve") {
  const Mesh mesh = read_mesh(mesh_file("sliding_block_2mm.msh"));
  for (const auto& [name, length] :
       std::map<std::string, double>{{"bottom", 40.0}, {"right", 25.0}}) {
    const BoundaryLine line = boundary_line(mesh, name);
    CHECK(sum(line.tributary) == doctest::Approx(length).epsilon(1e-14));
    CHECK(line.mean_edge_length ==
          doctest::Approx(length / double(line.nodes.size() - 1)).epsilon(1e-14));
    CHECK(line.tributary.front() == doctest::Approx(0.5 * line.tributary[1]).epsilon(1e-9));
    CHECK(line.tributary.back() == doctest::Approx(0.5 * line.tributary[1]).epsilon(1e-9));
  }
}

TEST_CASE("fem/boundary: the edges have unit outward normals and the triangle behind them") {
  const Mesh mesh = read_mesh(mesh_file("sliding_block_4mm.msh"));
  for (const BoundaryEdge& edge : boundary_edges(mesh, "left")) {
    CHECK(edge.normal == Eigen::Vector2d(-1.0, 0.0));
    CHECK(edge.length ==
          doctest::Approx(mesh.nodes(1, edge.nodes[0]) - mesh.nodes(1, edge.nodes[1])));
    const Eigen::Vector3i behind = mesh.triangles.col(edge.triangle);
    for (const int node : edge.nodes) CHECK((behind.array() == node).any());
  }
}

TEST_CASE("fem/boundary: a closed curve gives each node once, and a hole is walked clockwise") {
  const TemporaryFile file("a.geo", frame_geo);
  const Mesh mesh = read_mesh(file.path());
  const BoundaryLine outside = boundary_line(mesh, "outside");
  const BoundaryLine hole = boundary_line(mesh, "hole");
  CHECK(outside.nodes.size() == 16);
  CHECK(hole.nodes.size() == 8);
  CHECK(enclosed_area(mesh, outside.nodes) == doctest::Approx(16.0).epsilon(1e-10));
  CHECK(enclosed_area(mesh, hole.nodes) == doctest::Approx(-4.0).epsilon(1e-10));
  CHECK(sum(outside.tributary) == doctest::Approx(16.0).epsilon(1e-14));
  CHECK(sum(hole.tributary) == doctest::Approx(8.0).epsilon(1e-14));
}

TEST_CASE("fem/boundary: a curve in two pieces gives one after the other") {
  const Mesh mesh = read_mesh(mesh_file("two_parts_41_ascii.msh"));
  const BoundaryLine line = boundary_line(mesh, "sides");
  CHECK(line.piece == std::vector<int>{0, 0, 0, 1, 1, 1});
  CHECK(sum(line.tributary) == doctest::Approx(2.0).epsilon(1e-14));
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(mesh.nodes(0, line.nodes[k]) == mesh.nodes(0, line.nodes[k < 3 ? 0 : 3]));
  CHECK(mesh.nodes(0, line.nodes[0]) != mesh.nodes(0, line.nodes[3]));
}

TEST_CASE("fem/boundary: the direction of the edges in the file does not matter") {
  Mesh mesh = read_mesh(mesh_file("sliding_block_4mm.msh"));
  const std::vector<int> expected = boundary_line(mesh, "bottom").nodes;
  for (std::size_t k = 0; k < mesh.curves["bottom"].size(); k += 2)
    std::swap(mesh.curves["bottom"][k][0], mesh.curves["bottom"][k][1]);
  std::reverse(mesh.curves["bottom"].begin(), mesh.curves["bottom"].end());
  CHECK(boundary_line(mesh, "bottom").nodes == expected);
}

TEST_CASE("fem/boundary: no node is lost where two triangles touch in one") {
  const Mesh mesh = make_mesh({{0.0, 0.0}, {1.0, -0.5}, {1.0, 0.5}, {-1.0, 0.5}, {-1.0, -0.5}},
                              {{0, 1, 2}, {0, 3, 4}},
                              {{"all", {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}, {4, 0}}}});
  const BoundaryLine line = boundary_line(mesh, "all");
  std::vector<int> sorted = line.nodes;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(sum(line.tributary) == doctest::Approx(2.0 + 4.0 * std::sqrt(1.25)).epsilon(1e-14));
}

TEST_CASE("fem/boundary: a curve inside the body, or beside it, is refused") {
  const Mesh mesh = read_mesh(mesh_file("two_parts_41_ascii.msh"));
  CHECK_THROWS_WITH_AS(boundary_edges(mesh, "interface"),
                       (mesh.source + ": physical curve \"interface\": the edge between nodes 2 "
                                      "and 13 is inside the body, between two triangles; expected "
                                      "a side of exactly one")
                           .c_str(),
                       MeshError);
  const Mesh square = make_mesh({{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}},
                                {{0, 1, 2}, {0, 2, 3}}, {{"diagonal", {{1, 3}}}});
  CHECK_THROWS_WITH_AS(boundary_line(square, "diagonal"),
                       "made by hand: physical curve \"diagonal\": the edge between nodes 2 and 4 "
                       "is a side of no triangle; expected a side of exactly one",
                       MeshError);
}

TEST_CASE("fem/boundary: the nodes of a group are those of the curve, else of the surface") {
  const Mesh mesh = read_mesh(mesh_file("two_parts_41_ascii.msh"));
  CHECK(nodes_of_group(mesh, "interface") == std::vector<int>{1, 4, 12});
  const std::vector<int> left = nodes_of_group(mesh, "left part");
  CHECK(left.size() == 12);
  CHECK(std::is_sorted(left.begin(), left.end()));
  for (const int node : left) CHECK(mesh.nodes(0, node) <= 1.0);
  CHECK_THROWS_AS(nodes_of_group(mesh, "nothing"), MeshError);
}

}  // namespace slipwave::fem
