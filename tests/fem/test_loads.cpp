#include "fem/gmsh/gmsh_reader.hpp"
#include "fem/loads.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

namespace slipwave::fem {

namespace {

Eigen::Vector2d resultant(const Eigen::VectorXd& load) {
  return {load(Eigen::seq(0, Eigen::last, 2)).sum(), load(Eigen::seq(1, Eigen::last, 2)).sum()};
}

}  // namespace

TEST_CASE("fem/loads: unit gravity weighs the mass, along its component only") {
  const Mesh mesh = read_mesh(mesh_file("sliding_block_4mm.msh"));
  const double mass = 40.0 * 25.0 * 15.0 * 1.17e-3;
  for (const MassKind kind : {MassKind::consistent, MassKind::lumped}) {
    const SparseMatrix M = assemble(mesh, uniform(mesh, block_material()), kind).M;
    for (int component = 0; component < 2; ++component) {
      const Eigen::Vector2d total = resultant(gravity_load(M, component));
      CHECK(total[component] == doctest::Approx(mass).epsilon(1e-14));
      CHECK(total[1 - component] == 0.0);
    }
  }
}

TEST_CASE("fem/loads: a unit traction pulls with length times thickness, on the curve only") {
  const Mesh mesh = read_mesh(mesh_file("sliding_block_4mm.msh"));
  const MaterialMap materials = uniform(mesh, block_material());
  for (int component = 0; component < 2; ++component) {
    Eigen::VectorXd load = traction_load(mesh, materials, "left", component);
    const Eigen::Vector2d total = resultant(load);
    CHECK(total[component] == doctest::Approx(25.0 * 15.0).epsilon(1e-14));
    CHECK(total[1 - component] == 0.0);
    for (const int node : nodes_of_group(mesh, "left")) {
      CHECK(load[2 * node + component] > 0.0);
      load.segment<2>(2 * node).setZero();
    }
    CHECK(load.isZero(0.0));
  }
}

TEST_CASE("fem/loads: each edge's force uses the thickness of the body behind it") {
  const Mesh mesh = read_mesh(mesh_file("two_parts_41_ascii.msh"));
  Material thin = block_material(), thick = block_material();
  thin.thickness = 1.0;
  thick.thickness = 4.0;
  const MaterialMap materials = two_materials(mesh, thin, thick, "12");
  const Eigen::VectorXd load = traction_load(mesh, materials, "bottom", 0);
  CHECK(resultant(load)[0] == doctest::Approx(1.0 + 4.0).epsilon(1e-14));
  CHECK(load[2 * 2] == 0.5 * 0.5 * 4.0);        // the corner (2, 0), one edge of length 1/2
  CHECK(load[2 * 7] == 2.0 * 0.5 * 0.5 * 4.0);  // (3/2, 0), two of them
  CHECK(load[2 * 1] == doctest::Approx(0.5 * 0.5 * 5.0).epsilon(1e-11));  // (1, 0), one of each
}

TEST_CASE("fem/loads: pressure pushes into the body, and all around it balances") {
  const Mesh mesh = read_mesh(mesh_file("sliding_block_4mm.msh"));
  const MaterialMap materials = uniform(mesh, block_material());
  const std::map<std::string, Eigen::Vector2d> expected = {{"bottom", {0.0, 600.0}},
                                                           {"top", {0.0, -600.0}},
                                                           {"left", {375.0, 0.0}},
                                                           {"right", {-375.0, 0.0}}};
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (const auto& [name, force] : expected) {
    const Eigen::Vector2d total = resultant(pressure_load(mesh, materials, name));
    CHECK((total - force).norm() <= 1e-12 * force.norm());
    sum += total;
  }
  CHECK(sum.norm() <= 1e-11);
}

TEST_CASE("fem/loads: the tractions of a uniform stress balance its internal forces") {
  const Mesh mesh = read_mesh(mesh_file("sliding_block_4mm.msh"));
  const MaterialMap materials = uniform(mesh, block_material());
  const Eigen::Vector3d sigma = elasticity(block_material()) * Eigen::Vector3d(1e-3, -2e-3, 5e-3);
  const auto field = [](const Eigen::Vector2d& x) {
    return Eigen::Vector2d(1e-3 * x[0] + 4e-3 * x[1], 1e-3 * x[0] - 2e-3 * x[1]);
  };
  const Eigen::VectorXd internal = assemble(mesh, materials).K * nodal_values(mesh, field);
  const auto traction = [&](const char* name, double n_x, double n_y) {
    const double t_x = sigma[0] * n_x + sigma[2] * n_y, t_y = sigma[2] * n_x + sigma[1] * n_y;
    return Eigen::VectorXd(t_x * traction_load(mesh, materials, name, 0) +
                           t_y * traction_load(mesh, materials, name, 1));
  };
  const Eigen::VectorXd external = traction("bottom", 0.0, -1.0) + traction("right", 1.0, 0.0) +
                                   traction("top", 0.0, 1.0) + traction("left", -1.0, 0.0);
  CHECK((internal - external).norm() <= 1e-12 * external.norm());
}

}  // namespace slipwave::fem
