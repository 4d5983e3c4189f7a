// A block at rest on a rigid floor, through the libraries alone: mesh, matrices, steps, forces.
// Prints its weight and, for a few steps, the force of the floor in N.
#include <cstdio>
#include "contact/frames.hpp"
#include "dynamics/schemes/theta_integrator.hpp"
#include "fem/boundary.hpp"
#include "fem/gmsh/gmsh_reader.hpp"
#include "fem/loads.hpp"
#include "linear/static_solve.hpp"

using namespace slipwave;

int main(int /*count*/, char** words) {
  const fem::Mesh mesh = fem::read_mesh(words[1]);
  const fem::Material rubber{1e6, 0.3, 1100.0, 0.1};  // E in Pa, ν, ρ in kg/m³, thickness in m
  const fem::Matrices matrices =
      fem::assemble(mesh, {{rubber}, std::vector<int>(std::size_t(mesh.triangle_count()), 0)});
  const double h = 1e-3, g = 9.81;  // s, m/s²
  dynamics::System system{.M = matrices.M, .K = matrices.K, .C = matrices.C};
  const Eigen::VectorXd gravity = -g * fem::gravity_load(system.M, 1);
  system.loads.push_back({gravity.sparseView(), [](double) { return 1.0; }});
  std::vector<bool> is_fixed(std::size_t(mesh.dof_count()), false);
  for (const int node : fem::boundary_line(mesh, "bottom").nodes) {
    const dynamics::ContactLaw law{.friction = 5.0, .gap_tolerance = 1e-9};
    system.add_contact({law}, {{2 * node, contact::local_frame({})}});
    is_fixed[std::size_t(2 * node)] = is_fixed[std::size_t(2 * node + 1)] = true;
  }
  dynamics::State state;
  state.q = state.v = Eigen::VectorXd::Zero(mesh.dof_count());
  linear::static_solve(system.K, gravity, is_fixed, state.q);

  dynamics::ThetaIntegrator integrator(system, dynamics::moreau_jean_fremond(0.5), h, {});
  std::printf("weight %.17g\n", rubber.density * rubber.thickness * g);
  for (int step = 0; step < 5; ++step) {
    if (!integrator.advance(state).contact.converged) return 1;
    const Eigen::VectorXd& p = integrator.contact_impulses();
    std::printf("force %.17g\n", p(Eigen::seq(0, Eigen::last, 2)).sum() / h);
  }
}
