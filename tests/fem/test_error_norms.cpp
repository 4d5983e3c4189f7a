#include "fem/assembly.hpp"
#include "fem/error_norms.hpp"
#include "fem/gmsh/gmsh_reader.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace slipwave::fem {

namespace {

const ExactField smooth{[](const Eigen::Vector2d& x) {
                          return Eigen::Vector2d(std::sin(2.0 * x[0] + x[1]),
                                                 std::cos(x[0] - 2.0 * x[1] + 0.5));
                        },
                        [](const Eigen::Vector2d& x) {
                          const double a = std::cos(2.0 * x[0] + x[1]);
                          const double b = std::sin(x[0] - 2.0 * x[1] + 0.5);
                          return Eigen::Matrix2d{{2.0 * a, a}, {-b, 2.0 * b}};
                        }};

const ExactField quadratic{[](const Eigen::Vector2d& x) {
                             return Eigen::Vector2d(x[0] * x[0] - 2.0 * x[0] * x[1],
                                                    3.0 * x[1] * x[1] - x[0] + x[1]);
                           },
                           {}};

const ExactField linear{[](const Eigen::Vector2d& x) {
                          return Eigen::Vector2d(1.0 + 2.0 * x[0] - 3.0 * x[1],
                                                 4.0 - 5.0 * x[0] + 6.0 * x[1]);
                        },
                        {}};

const Material unit{1.0, 0.25, 1.0, 1.0, Hypothesis::plane_stress, 0.0, 0.0};

/// The error of the interpolant against the field.
Norms interpolation_error(const Mesh& mesh, const ExactField& field, int degree = 4) {
  return error_norms(mesh, uniform(mesh, unit), nodal_values(mesh, field.value), field, degree)
      .error;
}

/// The error of the interpolant on the coarser mesh against that on the finer one.
FieldError interpolation_error(const Mesh& coarser, const Mesh& finer, const ExactField& field,
                               int degree = 4) {
  return error_norms(PointLocator(coarser), nodal_values(coarser, field.value), finer,
                     uniform(finer, unit), nodal_values(finer, field.value), degree);
}

/// The factors by which the error falls.
Norms ratio(const Norms& coarse, const Norms& fine) { return relative({coarse, fine}); }

Norms order(const Norms& coarse, const Norms& fine) {
  const Norms fall = ratio(coarse, fine);
  return {std::log2(fall.L2), std::log2(fall.H1), std::log2(fall.energy), std::log2(fall.max)};
}

double largest(const Norms& norms) {
  return std::max({norms.L2, norms.H1, norms.energy, norms.max});
}

std::vector<Mesh> refinements(const Mesh& coarsest, int count) {
  std::vector<Mesh> meshes{coarsest};
  while (int(meshes.size()) < count) meshes.push_back(refined(meshes.back()));
  return meshes;
}

/// The unit disc: a polygon whose sides have at most the given size.
Mesh disc(double size) {
  const TemporaryFile geo("disc.geo", R"(
DefineConstant[ size = {1.0, Name "size"} ];
SetFactory("Built-in");
Point(1) = {0, 0, 0, size};
Point(2) = {1, 0, 0, size};
Point(3) = {0, 1, 0, size};
Point(4) = {-1, 0, 0, size};
Point(5) = {0, -1, 0, size};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Surface("disc") = {1};
)");
  return read_mesh(geo.path(), size);
}

/// Two squares that touch along x = 1 without sharing nodes.
Mesh two_squares(int cells) {
  const Mesh square = rectangle(cells, cells);
  std::vector<Eigen::Vector2d> nodes;
  std::vector<Eigen::Vector3i> triangles;
  for (const int part : {0, 1}) {
    const int first = int(nodes.size());
    for (const auto& x : square.nodes.colwise()) nodes.emplace_back(x[0] + part, x[1]);
    for (const auto& node : square.triangles.colwise()) triangles.push_back(node.array() + first);
  }
  return make_mesh(nodes, triangles);
}

}  // namespace

TEST_CASE("fem/error_norms: a linear field has no error on any mesh, nor against any other mesh") {
  std::vector<Mesh> meshes;
  for (const char* size : {"4", "2", "1"})
    meshes.push_back(read_mesh(mesh_file("sliding_block_" + std::string(size) + "mm.msh")));
  for (const Mesh& mesh : meshes) {
    const FieldError exact = error_norms(mesh, uniform(mesh, block_material()),
                                         nodal_values(mesh, linear.value), linear);
    CHECK(relative(exact).L2 <= 1e-14);
    CHECK(relative(exact).max <= 1e-14);
    CHECK(largest(relative(exact)) <= 1e-10);  // central differences
    for (const Mesh& other : meshes) {
      const FieldError error = interpolation_error(mesh, other, linear);
      CHECK(largest(relative(error)) <= 1e-12);
      CHECK(error.points_outside == 0);
    }
  }
}

TEST_CASE("fem/error_norms: the norms of a known field") {
  // A scalar field x on a rectangle 2 x 1 of thickness 3, with nothing to compare it with.
  const Mesh mesh = rectangle(5, 4, 2.0, 1.0);
  Material material = unit;
  material.thickness = 3.0;
  const ExactField field{[](const Eigen::Vector2d& x) { return Eigen::Vector2d(x[0], 0.0); }, {}};
  const FieldError error =
      error_norms(mesh, uniform(mesh, material), Eigen::VectorXd::Zero(mesh.dof_count()), field);
  CHECK(error.reference.L2 == doctest::Approx(std::sqrt(8.0)).epsilon(1e-14));
  CHECK(error.reference.H1 == doctest::Approx(std::sqrt(6.0)).epsilon(1e-12));
  CHECK(error.reference.energy ==
        doctest::Approx(std::sqrt(6.0 * elasticity(material)(0, 0))).epsilon(1e-12));
  CHECK(error.reference.max == 2.0);
  CHECK(largest(relative(error)) == 1.0);
}

TEST_CASE(
    "fem/error_norms: the squares are q^T K q and q^T M q / rho, with each part's thickness") {
  const Mesh mesh = read_mesh(mesh_file("two_parts_41_ascii.msh"));
  Material other{30.0, 0.1, 2.0, 5.0, Hypothesis::plane_strain, 0.0, 0.0};
  other.density = block_material().density;
  const MaterialMap materials = two_materials(mesh, block_material(), other, "left part");
  const Eigen::VectorXd q = nodal_values(mesh, smooth.value);
  const FieldError error =
      error_norms(PointLocator(mesh), Eigen::VectorXd::Zero(q.size()), mesh, materials, q, 2);
  const auto [M, K, C] = assemble(mesh, materials);
  CHECK(error.reference.energy == doctest::Approx(std::sqrt(q.dot(K * q))).epsilon(1e-14));
  CHECK(error.reference.L2 ==
        doctest::Approx(std::sqrt(q.dot(M * q) / other.density)).epsilon(1e-14));
  CHECK(error.error.energy == error.reference.energy);
  CHECK(error.error.L2 == error.reference.L2);
}

TEST_CASE("fem/error_norms: interpolation is of order 2 in L2 and max, 1 in H1 and energy") {
  for (const Mesh& coarsest : {rectangle(8, 8), rectangle(5, 12, 1.0, 1.5)}) {
    const auto meshes = refinements(coarsest, 4);
    for (std::size_t i = 1; i < meshes.size(); ++i) {
      const Norms found =
          order(interpolation_error(meshes[i - 1], smooth), interpolation_error(meshes[i], smooth));
      CHECK(std::abs(found.L2 - 2.0) <= 0.005);
      CHECK(std::abs(found.H1 - 1.0) <= 0.005);
      CHECK(std::abs(found.energy - 1.0) <= 0.005);
      CHECK(std::abs(found.max - 2.0) <= 0.01);
    }
  }
}

TEST_CASE("fem/error_norms: degree 4 is exact for quadratic fields") {
  const Mesh mesh = read_mesh(mesh_file("sliding_block_4mm.msh"));
  const Norms found =
      ratio(interpolation_error(mesh, quadratic, 4), interpolation_error(mesh, quadratic, 6));
  CHECK(found.L2 == doctest::Approx(1.0).epsilon(1e-13));
  CHECK(found.H1 == doctest::Approx(1.0).epsilon(1e-9));
  // Degree 2 is not.
  CHECK(std::abs(
            ratio(interpolation_error(mesh, quadratic, 2), interpolation_error(mesh, quadratic, 4))
                .L2 -
            1.0) >= 1e-2);
}

TEST_CASE("fem/error_norms: a higher degree than 4 changes the error by a higher order only") {
  double L2_before = 2e-4, H1_before = 1e-5;
  for (const Mesh& mesh : refinements(rectangle(8, 8), 4)) {
    const Norms found =
        ratio(interpolation_error(mesh, smooth, 4), interpolation_error(mesh, smooth, 6));
    const double L2 = std::abs(found.L2 - 1.0), H1 = std::abs(found.H1 - 1.0);
    CHECK(L2 <= L2_before / 3.9);                 // relative to the error, second order
    CHECK(H1 <= H1_before / 15.0);                // fourth order
    CHECK(std::abs(found.max - 1.064) <= 0.002);  // the same at all sizes
    L2_before = L2, H1_before = H1;
  }
}

TEST_CASE("fem/error_norms: central differences do as well as the gradient itself") {
  for (const Mesh& mesh : refinements(rectangle(8, 8), 4)) {
    const Norms found =
        ratio(interpolation_error(mesh, {smooth.value, {}}), interpolation_error(mesh, smooth));
    CHECK(std::abs(found.H1 - 1.0) <= 1e-8);
    CHECK(std::abs(found.energy - 1.0) <= 1e-8);
  }
}

TEST_CASE("fem/error_norms: on nested meshes the comparison is exact from degree 2") {
  const auto meshes = refinements(read_mesh(mesh_file("sliding_block_4mm.msh")), 3);
  const Norms found = ratio(interpolation_error(meshes[0], meshes[2], smooth, 2).error,
                            interpolation_error(meshes[0], meshes[2], smooth, 6).error);
  CHECK(found.L2 == doctest::Approx(1.0).epsilon(1e-13));
  CHECK(found.H1 == doctest::Approx(1.0).epsilon(1e-13));
  CHECK(found.energy == doctest::Approx(1.0).epsilon(1e-13));
  CHECK(found.max == doctest::Approx(1.0).epsilon(1e-13));
}

TEST_CASE(
    "fem/error_norms: errors C h^p of one shape, against the finest: 5 for p = 2, 3 for p = 1") {
  const auto meshes = refinements(rectangle(3, 4), 3);
  for (const double p : {1.0, 2.0}) {
    // Sizes 4h, 2h and h, with h = 1.
    const auto with_error = [&](std::size_t i) {
      const Eigen::VectorXd shape = nodal_values(meshes[i], linear.value);
      return Eigen::VectorXd(shape * (1.0 + std::pow(4.0 / double(1 << i), p)));
    };
    const auto error = [&](std::size_t i) {
      return error_norms(PointLocator(meshes[i]), with_error(i), meshes[2],
                         uniform(meshes[2], unit), with_error(2))
          .error;
    };
    const Norms found = ratio(error(0), error(1));
    for (const double norm : {found.L2, found.H1, found.energy, found.max})
      CHECK(norm == doctest::Approx(p == 1.0 ? 3.0 : 5.0).epsilon(1e-12));
  }
}

TEST_CASE("fem/error_norms: interpolants of 4h and 2h against h: sqrt(5), and 4.12 to 4.92 in L2") {
  // With u quadratic, u - I_2h u = sum_k alpha_k L_i L_j in a triangle; its interpolant on size h
  // is orthogonal, in the energy, to u - I_h u, whence E(4h, h)^2 = E(4h)^2 - E(h)^2. In L2 the
  // squares are alpha^T (2 I + J) alpha / 384 for 2h and 16 alpha^T (17/8 I + 29/16 J) alpha / 384
  // for 4h, J full of ones: the ratio is from 17 to 24.2.
  const auto meshes = refinements(read_mesh(mesh_file("sliding_block_4mm.msh")), 3);
  const Norms found = ratio(interpolation_error(meshes[0], meshes[2], quadratic).error,
                            interpolation_error(meshes[1], meshes[2], quadratic).error);
  CHECK(found.H1 == doctest::Approx(std::sqrt(5.0)).epsilon(1e-12));
  CHECK(found.energy == doctest::Approx(std::sqrt(5.0)).epsilon(1e-12));
  CHECK(found.L2 >= std::sqrt(17.0));
  CHECK(found.L2 <= std::sqrt(24.2));
}

TEST_CASE("fem/error_norms: a smooth field against the finest has the same bias in the limit") {
  const auto meshes = refinements(rectangle(8, 8), 4);
  const auto found = [&](std::size_t i) {
    return ratio(interpolation_error(meshes[i - 2], meshes[i], smooth).error,
                 interpolation_error(meshes[i - 1], meshes[i], smooth).error);
  };
  for (std::size_t i = 2; i < meshes.size(); ++i) {
    CHECK(found(i).H1 == doctest::Approx(std::sqrt(5.0)).epsilon(1e-3));
    CHECK(found(i).energy == doctest::Approx(std::sqrt(5.0)).epsilon(1e-3));
    CHECK(found(i).L2 == doctest::Approx(4.795).epsilon(1e-3));
    // The largest error is in the middle of a side, a node of both finer meshes: no bias.
    CHECK(found(i).max == doctest::Approx(4.0).epsilon(5e-3));
  }
}

TEST_CASE("fem/error_norms: meshes that are not nested, against the finest and the exact field") {
  const std::string geo = std::string(SLIPWAVE_ROOT) + "/meshes/sliding_block.geo";
  const ExactField wave{[](const Eigen::Vector2d& x) { return smooth.value(x / 20.0); }, {}};
  const Mesh finest = read_mesh(geo, 0.5);
  for (const double size : {4.0, 2.0, 1.0}) {
    CAPTURE(size);
    const Mesh mesh = read_mesh(geo, size);
    const FieldError error = interpolation_error(mesh, finest, wave);
    CHECK(error.points_outside == 0);
    // The exact error, give or take that of the finest mesh.
    const double part = std::pow(0.5 / size, 2);
    const Norms found = ratio(error.error, interpolation_error(mesh, wave));
    CHECK(std::abs(found.L2 - 1.0) <= part);
    CHECK(std::abs(found.H1 - 1.0) <= 0.5 * part);
    CHECK(std::abs(found.energy - 1.0) <= 0.5 * part);
    CHECK(std::abs(found.max - 1.0) <= part + 0.03);
    // Degree 4 sees the jumps of the coarser gradient well enough.
    const Norms higher = ratio(error.error, interpolation_error(mesh, finest, wave, 6).error);
    CHECK(std::abs(higher.L2 - 1.0) <= 1e-3);
    CHECK(std::abs(higher.H1 - 1.0) <= 5e-3);
  }
}

TEST_CASE("fem/error_norms: a coarse polygon that does not cover the disc") {
  const Mesh finest = disc(0.025);
  int outside_before = 1000000;
  for (const double size : {0.4, 0.2, 0.1}) {
    CAPTURE(size);
    const Mesh mesh = disc(size);
    const FieldError error = interpolation_error(mesh, finest, smooth);
    // The sagitta of a side of this size.
    CHECK(error.farthest <= size * size / 8.0);
    CHECK(error.farthest >= 0.9 * size * size / 8.0);
    CHECK(error.points_outside > 0);
    CHECK(error.points_outside < outside_before);
    outside_before = error.points_outside;
    const Norms found = ratio(error.error, interpolation_error(mesh, smooth));
    CHECK(std::abs(found.L2 - 1.0) <= 0.06);
    CHECK(std::abs(found.H1 - 1.0) <= 0.06);
    CHECK(std::abs(found.max - 1.0) <= 0.12);
  }
}

TEST_CASE("fem/error_norms: bodies that touch keep their own values on the line between them") {
  const auto values = [](const Mesh& mesh) {
    Eigen::VectorXd q = Eigen::VectorXd::Ones(mesh.dof_count());
    q.tail(mesh.dof_count() / 2) *= -1.0;
    return q;
  };
  for (const int cells : {2, 3, 4}) {
    const Mesh coarser = two_squares(cells), finer = two_squares(6);
    const FieldError error = error_norms(PointLocator(coarser), values(coarser), finer,
                                         uniform(finer, unit), values(finer));
    CHECK(largest(error.error) <= 1e-13);
    CHECK(error.reference.max == doctest::Approx(std::sqrt(2.0)).epsilon(1e-14));
  }
}

TEST_CASE("fem/error_norms: meshes of different bodies are refused") {
  const Mesh coarser = rectangle(4, 4), finer = rectangle(16, 8, 2.0, 1.0);
  CHECK_THROWS_AS(static_cast<void>(interpolation_error(coarser, finer, smooth)), MeshError);
}

}  // namespace slipwave::fem
