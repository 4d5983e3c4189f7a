#include "bench/structured_block.hpp"

#include "contact/frames.hpp"
#include "fem/assembly.hpp"
#include "fem/boundary.hpp"
#include "fem/loads.hpp"
#include "linear/static_solve.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace slipwave::bench {

fem::Mesh structured_block(int nodes) {
  const int ny = static_cast<int>(std::lround(std::sqrt(nodes * 25.0 / 40.0)));
  return block_of_cells(static_cast<int>(std::lround(ny * 40.0 / 25.0)), ny);
}

fem::Mesh block_of_cells(int nx, int ny) {
  fem::Mesh mesh;
  mesh.source = "structured block";
  mesh.nodes.resize(2, (nx + 1) * (ny + 1));
  mesh.triangles.resize(3, 2 * nx * ny);
  const auto id = [&](int i, int j) { return j * (nx + 1) + i; };
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) mesh.nodes.col(id(i, j)) << 40.0 * i / nx, 25.0 * j / ny;
  int e = 0;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const bool turned = (i + j) % 2 == 0;
      mesh.triangles.col(e++) << id(i, j), id(i + 1, j), turned ? id(i, j + 1) : id(i + 1, j + 1);
      mesh.triangles.col(e++) << (turned ? id(i + 1, j) : id(i, j)), id(i + 1, j + 1), id(i, j + 1);
    }
  for (int i = 0; i < nx; ++i) mesh.curves["bottom"].push_back({id(i, 0), id(i + 1, 0)});
  for (int i = 0; i < nx; ++i) mesh.curves["top"].push_back({id(i, ny), id(i + 1, ny)});
  for (int j = 0; j < ny; ++j) mesh.curves["left"].push_back({id(0, j), id(0, j + 1)});
  mesh.node_tags.resize(static_cast<std::size_t>(mesh.node_count()));
  mesh.triangle_tags.resize(static_cast<std::size_t>(mesh.triangle_count()));
  std::iota(mesh.node_tags.begin(), mesh.node_tags.end(), std::size_t{1});
  std::iota(mesh.triangle_tags.begin(), mesh.triangle_tags.end(), std::size_t{1});
  fem::check_and_orient(mesh);
  return mesh;
}

fem::MaterialMap paper_material(const fem::Mesh& mesh) {
  fem::Material material;
  material.young_modulus = 5750.0;
  material.poisson_ratio = 0.358;
  material.density = 1.17e-3;
  material.thickness = 15.0;
  return {{material}, std::vector<int>(static_cast<std::size_t>(mesh.triangle_count()), 0)};
}

SlidingBlock sliding_block(const fem::Mesh& mesh) {
  const fem::MaterialMap materials = paper_material(mesh);
  fem::Matrices matrices = fem::assemble(mesh, materials);
  SlidingBlock block;
  dynamics::System& system = block.system;
  system.M = std::move(matrices.M);
  system.K = std::move(matrices.K);
  system.C = std::move(matrices.C);
  system.anchor.assign(static_cast<std::size_t>(mesh.node_count()), 0);
  system.loads.push_back(
      {fem::gravity_load(system.M, 1).sparseView(), [](double) { return -1e-3; }});
  system.loads.push_back(
      {fem::traction_load(mesh, materials, "left", 0).sparseView(),
       [](double t) { return std::sin(4.0 * std::numbers::pi * t) >= 0.0 ? 2.0 : -2.0; }});
  const fem::BoundaryLine bottom = fem::boundary_line(mesh, "bottom");
  std::vector<bool> is_fixed(static_cast<std::size_t>(mesh.dof_count()), false);
  block.state.q = block.state.v = Eigen::VectorXd::Zero(mesh.dof_count());
  dynamics::PrescribedMotion top;
  top.value = [](double) { return 0.0; };
  for (const int node : fem::nodes_of_group(mesh, "top")) {
    top.dofs.push_back(2 * node + 1);
    is_fixed[static_cast<std::size_t>(2 * node) + 1] = true;
    block.state.q[2 * node + 1] = -0.005;
  }
  system.prescribed.push_back(top);
  for (const int node : bottom.nodes) {
    dynamics::ContactPoint contact;
    contact.law.friction = 0.5;
    contact.law.gap_tolerance = 1e-12 * bottom.mean_edge_length;
    system.add_contact(contact, {{2 * node, contact::local_frame({})}});
    is_fixed[static_cast<std::size_t>(2 * node)] =
        is_fixed[static_cast<std::size_t>(2 * node) + 1] = true;
  }
  linear::static_solve(system.K, Eigen::VectorXd::Zero(mesh.dof_count()), is_fixed, block.state.q);
  return block;
}

}  // namespace slipwave::bench
