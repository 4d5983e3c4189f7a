#include "fem/assembly.hpp"
#include "fem/gmsh/gmsh_reader.hpp"
#include "parallel/team.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace slipwave::fem {

namespace {

const Material soft{210.0, 0.3, 7.8, 2.0, Hypothesis::plane_stress, 0.0, 0.0};
const Material hard{5750.0, 0.2, 1.17, 0.5, Hypothesis::plane_strain, 0.0, 0.0};

/// The two parts with a material each: soft on the left, hard on the right.
struct TwoParts {
  Mesh mesh = read_mesh(mesh_file("two_parts_41_ascii.msh"));
  MaterialMap materials = two_materials(mesh, soft, hard, "12");
};

bool same_bits(const SparseMatrix& A, const SparseMatrix& B) {
  return A.nonZeros() == B.nonZeros() && A.rows() == B.rows() &&
         std::equal(A.outerIndexPtr(), A.outerIndexPtr() + A.rows() + 1, B.outerIndexPtr()) &&
         std::equal(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros(), B.innerIndexPtr()) &&
         std::equal(A.valuePtr(), A.valuePtr() + A.nonZeros(), B.valuePtr());
}

bool same_pattern(const SparseMatrix& A, const SparseMatrix& B) {
  return A.nonZeros() == B.nonZeros() && A.rows() == B.rows() &&
         std::equal(A.outerIndexPtr(), A.outerIndexPtr() + A.rows() + 1, B.outerIndexPtr()) &&
         std::equal(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros(), B.innerIndexPtr());
}

double largest(const SparseMatrix& A) { return A.coeffs().cwiseAbs().maxCoeff(); }

/// Assembly by the book: B as a 3x6 matrix from the coordinates, triplets, duplicates summed.
SparseMatrix brute_force_stiffness(const Mesh& mesh, const MaterialMap& materials) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int e = 0; e < mesh.triangle_count(); ++e) {
    const Eigen::Vector3i n = mesh.triangles.col(e);
    const Eigen::Vector3d x = mesh.nodes.row(0)(n), y = mesh.nodes.row(1)(n);
    const double area2 = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    Eigen::Matrix<double, 3, 6> B;
    B << y[1] - y[2], 0, y[2] - y[0], 0, y[0] - y[1], 0,  //
        0, x[2] - x[1], 0, x[0] - x[2], 0, x[1] - x[0],   //
        x[2] - x[1], y[1] - y[2], x[0] - x[2], y[2] - y[0], x[1] - x[0], y[0] - y[1];
    B /= area2;
    const Material& material = materials.at(e);
    const Eigen::Matrix<double, 6, 6> K =
        0.5 * area2 * material.thickness * B.transpose() * elasticity(material) * B;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        entries.emplace_back(2 * n[i / 2] + i % 2, 2 * n[j / 2] + j % 2, K(i, j));
  }
  SparseMatrix K(mesh.dof_count(), mesh.dof_count());
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

}  // namespace

TEST_CASE("fem/assembly: the total mass of two materials with two thicknesses is exact") {
  const TwoParts parts;
  const double expected = soft.density * soft.thickness + hard.density * hard.thickness;
  for (const MassKind kind : {MassKind::consistent, MassKind::lumped}) {
    const SparseMatrix M = assemble(parts.mesh, parts.materials, kind).M;
    for (int component = 0; component < 2; ++component) {
      Eigen::VectorXd field = Eigen::VectorXd::Zero(parts.mesh.dof_count());
      field(Eigen::seq(component, Eigen::last, 2)).setOnes();
      CHECK(std::abs(field.dot(M * field) - expected) <= 1e-14 * expected);
      CHECK((M * field)(Eigen::seq(1 - component, Eigen::last, 2)).isZero(0.0));
    }
  }
}

TEST_CASE(
    "fem/assembly: the lumped mass is diagonal and holds the row sums of the consistent one") {
  const TwoParts parts;
  const SparseMatrix M = assemble(parts.mesh, parts.materials).M;
  const SparseMatrix lumped = assemble(parts.mesh, parts.materials, MassKind::lumped).M;
  CHECK(lumped.nonZeros() == parts.mesh.dof_count());
  const Eigen::VectorXd row_sums = M * Eigen::VectorXd::Ones(parts.mesh.dof_count());
  CHECK((lumped.diagonal() - row_sums).norm() <= 1e-15 * row_sums.norm());
}

TEST_CASE("fem/assembly: the stiffness annihilates rigid motions") {
  const TwoParts parts;
  const SparseMatrix K = assemble(parts.mesh, parts.materials).K;
  const double round_off = 1e-14 * largest(K);
  const auto force = [&](const auto& field) {
    return (K * nodal_values(parts.mesh, field)).cwiseAbs().maxCoeff();
  };
  CHECK(force([](const auto&) { return Eigen::Vector2d(1.0, 0.0); }) <= round_off);
  CHECK(force([](const auto&) { return Eigen::Vector2d(0.0, 1.0); }) <= round_off);
  CHECK(force([](const auto& x) { return Eigen::Vector2d(-x[1], x[0]); }) <= round_off);
  CHECK(force([](const auto& x) { return Eigen::Vector2d(x[1], x[0]); }) >= 0.01 * largest(K));
}

TEST_CASE("fem/assembly: same bits on one, two and four threads") {
  const Mesh mesh = read_mesh(mesh_file("sliding_block_1mm.msh"));
  Material material = block_material();
  material.rayleigh_mass = 0.3;
  material.rayleigh_stiffness = 1e-3;
  const int threads_before = parallel::threads();
  parallel::set_threads(1);
  const Matrices one = assemble(mesh, uniform(mesh, material));
  for (const int threads : {2, 4}) {
    CAPTURE(threads);
    parallel::set_threads(threads);
    const Matrices many = assemble(mesh, uniform(mesh, material));
    CHECK(same_bits(many.M, one.M));
    CHECK(same_bits(many.K, one.K));
    CHECK(same_bits(many.C, one.C));
  }
  parallel::set_threads(threads_before);
}

TEST_CASE("fem/assembly: the damping is alpha M + beta K with each material's own coefficients") {
  TwoParts parts;
  const double alpha[2] = {0.25, 3.0}, beta[2] = {0.01, 0.5};
  for (const MassKind kind : {MassKind::consistent, MassKind::lumped}) {
    SparseMatrix expected(parts.mesh.dof_count(), parts.mesh.dof_count());
    MaterialMap damped = parts.materials;
    for (std::size_t k = 0; k < 2; ++k) {
      MaterialMap alone = parts.materials;
      alone.materials[1 - k].density = 0.0;
      alone.materials[1 - k].young_modulus = 0.0;
      const Matrices matrices = assemble(parts.mesh, alone, kind);
      expected += alpha[k] * matrices.M + beta[k] * matrices.K;
      damped.materials[k].rayleigh_mass = alpha[k];
      damped.materials[k].rayleigh_stiffness = beta[k];
    }
    const Matrices matrices = assemble(parts.mesh, damped, kind);
    CHECK((matrices.C - expected).norm() <= 1e-15 * expected.norm());
    CHECK(same_bits(matrices.K, assemble(parts.mesh, parts.materials, kind).K));
  }
}

TEST_CASE("fem/assembly: without damping C has no entries") {
  const TwoParts parts;
  const Matrices matrices = assemble(parts.mesh, parts.materials);
  CHECK(matrices.C.rows() == parts.mesh.dof_count());
  CHECK(matrices.C.nonZeros() == 0);
}

TEST_CASE(
    "fem/assembly: the matrices are symmetric, in pattern exactly and in value to round-off") {
  TwoParts parts;
  parts.materials.materials[0].rayleigh_stiffness = 0.1;
  const Matrices matrices = assemble(parts.mesh, parts.materials);
  for (const SparseMatrix* A : {&matrices.M, &matrices.K, &matrices.C}) {
    const SparseMatrix transposed = A->transpose();
    CHECK(same_pattern(*A, transposed));
    CHECK((*A - transposed).norm() <= 1e-15 * A->norm());
  }
}

TEST_CASE("fem/assembly: the stiffness equals the textbook assembly, with the same pattern") {
  const TwoParts parts;
  const SparseMatrix K = assemble(parts.mesh, parts.materials).K;
  const SparseMatrix expected = brute_force_stiffness(parts.mesh, parts.materials);
  CHECK(same_pattern(K, expected));
  CHECK((K - expected).norm() <= 1e-15 * expected.norm());
}

TEST_CASE("fem/assembly: the consistent mass integrates products of linear fields exactly") {
  const TwoParts parts;
  const SparseMatrix M = assemble(parts.mesh, uniform(parts.mesh, soft)).M;
  const auto x = nodal_values(parts.mesh, [](const auto& p) { return Eigen::Vector2d(p[0], 0.0); });
  const auto y = nodal_values(parts.mesh, [](const auto& p) { return Eigen::Vector2d(p[1], 0.0); });
  const double mass = soft.density * soft.thickness;  // over the 2 x 1 rectangle
  CHECK(x.dot(M * x) == doctest::Approx(mass * 8.0 / 3.0).epsilon(1e-14));
  CHECK(x.dot(M * y) == doctest::Approx(mass * 1.0).epsilon(1e-14));
}

}  // namespace slipwave::fem
