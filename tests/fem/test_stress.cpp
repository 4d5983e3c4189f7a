#include "fem/stress.hpp"
#include "parallel/team.hpp"
#include "tests/fem/fixtures.hpp"
#include "tests/support/processes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <thread>

namespace slipwave::fem {

namespace {

using Tensor = Eigen::Matrix<double, 6, 1>;

const Mesh triangle = make_mesh({{0.0, 0.0}, {2.0, 0.0}, {0.0, 2.0}}, {{0, 1, 2}});

Material material(Hypothesis hypothesis) { return {1000.0, 0.25, 1.0, 1.0, hypothesis, 0.0, 0.0}; }

/// The field on one triangle displaced by u = (e_xx x + gamma y, e_yy y).
StressField field_of(Hypothesis hypothesis, double e_xx, double e_yy, double gamma) {
  const auto u = [&](const Eigen::Vector2d& x) {
    return Eigen::Vector2d(e_xx * x[0] + gamma * x[1], e_yy * x[1]);
  };
  return stress(triangle, uniform(triangle, material(hypothesis)), nodal_values(triangle, u));
}

bool near(const Tensor& tensor, const Tensor& expected) {
  return (tensor - expected).norm() <= 1e-14 * expected.norm();
}

}  // namespace

TEST_CASE("fem/stress: in plane stress a pulled bar thins in both directions") {
  const StressField field = field_of(Hypothesis::plane_stress, 4e-3, -1e-3, 0.0);
  CHECK(near(field.strain.col(0), (Tensor() << 4e-3, -1e-3, -1e-3, 0.0, 0.0, 0.0).finished()));
  CHECK(near(field.stress.col(0), (Tensor() << 4.0, 0.0, 0.0, 0.0, 0.0, 0.0).finished()));
  CHECK(field.von_mises[0] == doctest::Approx(4.0).epsilon(1e-14));
}

TEST_CASE("fem/stress: in plane strain a held thickness pushes back") {
  // E/((1+nu)(1-2nu)) = 1600, so that sigma = 1600 [0.75, 0.25, 0.25] e_xx.
  const StressField field = field_of(Hypothesis::plane_strain, 1e-3, 0.0, 0.0);
  CHECK(near(field.strain.col(0), (Tensor() << 1e-3, 0.0, 0.0, 0.0, 0.0, 0.0).finished()));
  CHECK(near(field.stress.col(0), (Tensor() << 1.2, 0.4, 0.4, 0.0, 0.0, 0.0).finished()));
  CHECK(field.von_mises[0] == doctest::Approx(0.8).epsilon(1e-14));
}

TEST_CASE("fem/stress: pure shear has half its angle as tensor strain and sqrt(3) tau von Mises") {
  for (const Hypothesis hypothesis : {Hypothesis::plane_stress, Hypothesis::plane_strain}) {
    const StressField field = field_of(hypothesis, 0.0, 0.0, 2e-3);
    CHECK(near(field.strain.col(0), (Tensor() << 0.0, 0.0, 0.0, 1e-3, 0.0, 0.0).finished()));
    CHECK(near(field.stress.col(0), (Tensor() << 0.0, 0.0, 0.0, 0.8, 0.0, 0.0).finished()));
    CHECK(field.von_mises[0] == doctest::Approx(std::sqrt(3.0) * 0.8).epsilon(1e-14));
  }
}

TEST_CASE("fem/stress: starts no thread beside the one that asks, which is that of the writer") {
  const MaterialMap materials = uniform(triangle, material(Hypothesis::plane_stress));
  const Eigen::VectorXd q = Eigen::VectorXd::Zero(6);
  parallel::set_threads(3);
  const long before = tests::thread_count();
  long within = 0;
  std::thread([&] {
    CHECK(stress(triangle, materials, q).von_mises[0] == 0.0);
    within = tests::thread_count();
  }).join();
  CHECK(within == before + 1);
  parallel::set_threads(1);
}

TEST_CASE("fem/stress: each triangle has its own material") {
  const Mesh mesh =
      make_mesh({{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}}, {{0, 1, 2}, {0, 2, 3}});
  MaterialMap materials = uniform(mesh, material(Hypothesis::plane_stress));
  materials.materials.push_back(material(Hypothesis::plane_stress));
  materials.materials[1].young_modulus *= 2.0;
  materials.of_triangle[1] = 1;
  const auto u = [](const Eigen::Vector2d& x) { return Eigen::Vector2d(1e-3 * x[0], 0.0); };
  const StressField field = stress(mesh, materials, nodal_values(mesh, u));
  CHECK(near(field.stress.col(1), 2.0 * field.stress.col(0)));
  CHECK(near(field.strain.col(1), field.strain.col(0)));
}

TEST_CASE("fem/stress: a small rotation has no stress") {
  const auto u = [](const Eigen::Vector2d& x) { return Eigen::Vector2d(-x[1], x[0]); };
  const StressField field = stress(triangle, uniform(triangle, material(Hypothesis::plane_strain)),
                                   nodal_values(triangle, u));
  CHECK(field.strain.isZero(0.0));
  CHECK(field.stress.isZero(0.0));
  CHECK(field.von_mises[0] == 0.0);
}

}  // namespace slipwave::fem
