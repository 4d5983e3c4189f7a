#include "dynamics/integrator.hpp"
#include "dynamics/static_solve.hpp"
#include "fem/boundary.hpp"
#include "fem/gmsh_reader.hpp"
#include "fem/loads.hpp"
#include <fstream>
#include <cmath>
#include <chrono>
#include <iostream>
#include <sstream>
using namespace slipwave;
int main(int argc, char** argv) {
  const std::string dir = argv[1]; const bool mj = std::string(argv[2]) == "moreau_jean"; (void)argc;
  auto mesh = fem::read_mesh(dir + "/sliding_block.msh");
  fem::MaterialMap mat; mat.materials = {{5750, .358, 1.17e-3, 15., fem::Hypothesis::plane_stress, 0, 0}}; mat.of_triangle.assign(mesh.triangle_count(), 0);
  auto A = fem::assemble(mesh, mat);
  dynamics::System s; s.M = A.M; s.K = A.K; s.C = A.C;
  Eigen::VectorXd g = fem::gravity_load(A.M, 1), tr = fem::traction_load(mesh, mat, "left", 0);
  s.loads.push_back({g.sparseView(), [](double) { return -1e-3; }});
  s.loads.push_back({tr.sparseView(), [](double t) { double x = std::sin(4 * M_PI * t); return 2. * ((x > 0) - (x < 0)); }});
  std::vector<int> topy; for (int n : fem::nodes_of_group(mesh, "top")) topy.push_back(2 * n + 1);
  s.prescribed.push_back({topy, dynamics::PrescribedMotion::Kind::velocity, [](double) { return 0.; }});
  auto line = fem::boundary_line(mesh, "bottom");
  contact::HalfPlane floor;
  for (int n : line.nodes) s.contacts.push_back({2 * n, contact::local_frame(floor), contact::gap(floor, mesh.nodes.col(n)), .5, 0., 1e-12 * line.mean_edge_length, mj ? dynamics::Activation::gap_and_velocity : dynamics::Activation::dissipative});
  dynamics::State st; st.q.setZero(mesh.dof_count()); st.v.setZero(mesh.dof_count());
  std::vector<bool> fixed(mesh.dof_count(), false);
  for (int d : topy) { fixed[d] = true; st.q[d] = -0.005; }
  for (int n : line.nodes) fixed[2 * n] = fixed[2 * n + 1] = true;
  dynamics::static_solve(s.K, Eigen::VectorXd::Zero(mesh.dof_count()), fixed, st.q);
  dynamics::Integrator I(s, mj ? dynamics::moreau_jean(.5) : dynamics::moreau_jean_fremond(.5), 1e-4, {});
  std::ifstream f(dir + "/" + argv[2] + "/energy.csv"); std::string l; std::getline(f, l); std::getline(f, l); std::cout << l << " ours " << dynamics::energy(s, st.q, st.v).strain << "\n";
  dynamics::Works W; double worst = 0, wr = 0, mx = 0; long sw = 0; auto t0 = std::chrono::steady_clock::now();
  std::getline(f, l); double maxT = 0, maxN = 0, pen = 0;
  for (int k = 1; k <= 10000; k++) {
    auto r = I.advance(st); W += r.energy.works; sw += r.contact.sweeps; if (!r.contact.converged) std::cout << "fail " << k << "\n";
    wr = std::max(wr, std::abs(r.energy.residual())); maxT = std::max(maxT, r.max_tangential_work); maxN = std::max(maxN, r.max_normal_work); pen = std::max(pen, r.penetration);
    if (std::stoi(l) == k) { std::stringstream ss(l); std::string c; std::vector<double> v; while (std::getline(ss, c, ',')) v.push_back(std::stod(c));
      double e = std::max({std::abs(v[2] - r.energy.energy.kinetic), std::abs(v[3] - r.energy.energy.strain), std::abs(v[4] - W.external), std::abs(v[7] - W.contact_normal), std::abs(v[8] - W.contact_tangential)}); worst = std::max(worst, e); mx = std::max(mx, std::abs(v[4])); if (k==1||k==20||k%2000==0) std::cout << k << " err " << e << " maxwork " << mx << " kin " << r.energy.energy.kinetic << "\n"; std::getline(f, l); }
  }
  std::cout << "worst " << worst << " rel " << worst / mx << " ledger " << wr << " sweeps " << sw << " maxT " << maxT << " maxN " << maxN << " pen " << pen << " time " << std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count() << "\n";
}
