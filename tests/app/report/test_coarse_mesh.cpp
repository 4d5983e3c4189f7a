#include "app/report/coarse_mesh.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace slipwave;

namespace {

/// A square of n x n nodes.
fem::Mesh square(int n) {
  fem::Mesh mesh;
  mesh.nodes.resize(2, n * n);
  mesh.triangles.resize(3, 2 * (n - 1) * (n - 1));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) mesh.nodes.col(j * n + i) << i / (n - 1.0), j / (n - 1.0);
  int e = 0;
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = j * n + i;
      mesh.triangles.col(e++) << a, a + 1, a + n + 1;
      mesh.triangles.col(e++) << a, a + n + 1, a + n;
    }
  return mesh;
}

double area(const fem::Mesh& mesh, const app::CoarseMesh& coarse) {
  double sum = 0.0;
  for (const auto& triangle : coarse.triangles) {
    Eigen::Matrix<double, 2, 3> p;
    for (int k = 0; k < 3; ++k)
      p.col(k) = mesh.nodes.col(
          coarse.nodes[static_cast<std::size_t>(triangle[static_cast<std::size_t>(k)])]);
    const Eigen::Vector2d b = p.col(1) - p.col(0), c = p.col(2) - p.col(0);
    sum += 0.5 * std::abs(b[0] * c[1] - b[1] * c[0]);
  }
  return sum;
}

}  // namespace

TEST_CASE("app/report/coarse_mesh: a coarse mesh has few nodes and covers the body") {
  const fem::Mesh mesh = square(101);
  const app::CoarseMesh coarse = app::coarsen(mesh, 500);
  CHECK(coarse.nodes.size() <= 500);
  CHECK(coarse.nodes.size() > 250);
  CHECK(area(mesh, coarse) == doctest::Approx(1.0).epsilon(0.03));
  const app::CoarseMesh all = app::coarsen(mesh, 10'201);
  CHECK(all.nodes.size() == 10'201);
  CHECK(area(mesh, all) == doctest::Approx(1.0).epsilon(1e-12));
}
