#include "fem/gmsh/gmsh_reader.hpp"
#include "tests/support/case_run.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <fstream>

using namespace slipwave;

namespace {

/// Meshes a geometry of meshes/ and writes it as a Gmsh 2.2 file with its coordinates multiplied.
/// (Meshing a scaled geometry could give another mesh: round-off decides between equally good
/// triangulations.)
std::string scaled_mesh(const std::string& name, double size, double factor) {
  const fem::Mesh mesh = fem::read_mesh(SLIPWAVE_ROOT "/meshes/" + name + ".geo", size);
  static const tests::TemporaryFolder folder;
  const std::string file = (folder / fmt::format("{}_{:g}.msh", name, factor)).string();
  std::ofstream out(file);
  out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n" << mesh.curves.size() << '\n';
  int tag = 0, element = 0;
  std::size_t elements = static_cast<std::size_t>(mesh.triangle_count());
  for (const auto& [curve, edges] : mesh.curves) {
    out << fmt::format("1 {} \"{}\"\n", ++tag, curve);
    elements += edges.size();
  }
  out << "$EndPhysicalNames\n$Nodes\n" << mesh.node_count() << '\n';
  for (int i = 0; i < mesh.node_count(); ++i)
    out << fmt::format("{} {} {} 0\n", i + 1, factor * mesh.nodes(0, i), factor * mesh.nodes(1, i));
  out << "$EndNodes\n$Elements\n" << elements << '\n';
  tag = 0;
  for (const auto& [curve, edges] : mesh.curves) {
    ++tag;
    for (const fem::Edge& edge : edges)
      out << fmt::format("{} 1 2 {} {} {} {}\n", ++element, tag, tag, edge[0] + 1, edge[1] + 1);
  }
  for (int e = 0; e < mesh.triangle_count(); ++e)
    out << fmt::format("{} 2 2 0 1 {} {} {}\n", ++element, mesh.triangles(0, e) + 1,
                       mesh.triangles(1, e) + 1, mesh.triangles(2, e) + 1);
  out << "$EndElements\n";
  return file;
}

/// Another system of units or another size: how many new units make one old one.
struct Units {
  double length = 1.0, time = 1.0, mass = 1.0;
  double force() const { return mass * length / (time * time); }
  double stress() const { return mass / (length * time * time); }
  double energy() const { return force() * length; }
};

/// The dimensionless result: displacements, velocities and impulses over their units.
struct Result {
  Eigen::VectorXd q, v, p;
  double work = 0.0;
};

double distance(const Result& a, const Result& b) {
  return std::max({(a.q - b.q).norm() / a.q.norm(), (a.v - b.v).norm() / a.v.norm(),
                   (a.p - b.p).norm() / a.p.norm(), std::abs(a.work - b.work) / std::abs(a.work)});
}

Result run(const std::string& name, const Units& u, double size,
           const std::vector<std::string>& loads, int steps, double step, double thickness) {
  std::vector<std::string> settings{
      fmt::format("mesh.file={}", scaled_mesh(name, size, u.length)),
      "mesh.size=",
      fmt::format("material.young_modulus={}", 5750.0 * u.stress()),
      fmt::format("material.density={}", 1.17e-3 * u.mass / (u.length * u.length * u.length)),
      fmt::format("material.thickness={}", thickness * u.length),
      fmt::format("time.step={}", step * u.time),
      fmt::format("time.end={}", steps * step * u.time),
  };
  settings.insert(settings.end(), loads.begin(), loads.end());
  tests::CaseRun c(name, settings);
  dynamics::Works total;
  Eigen::VectorXd p = Eigen::VectorXd::Zero(2 * c.integrator->system().contact_count());
  while (c.state.step < steps) {
    total += c.advance().energy.works;
    p += c.integrator->contact().solution().p;
  }
  return {c.state.q / u.length, c.state.v * u.time / u.length, p / (u.force() * u.time),
          (total.contact_normal + total.contact_tangential) / u.energy()};
}

Result run_incline(const Units& u) {
  const double g = 9.8e-3 * u.length / (u.time * u.time);
  return run("incline", u, 5.0,
             {fmt::format("gravity.y={}", -g),
              fmt::format("material.rayleigh_stiffness={}", 5e-3 * u.time)},
             500, 5e-3, 15.0);
}

Result run_block(const Units& u) {
  return run("sliding_block", u, 2.0,
             {fmt::format("gravity.y={}", -1e-3 * u.length / (u.time * u.time)),
              fmt::format("initial.prescribed[0].displacement_y={}", -0.005 * u.length),
              fmt::format("traction.x={}*sgn(sin(4*pi*t/{}))", 2.0 * u.stress(), u.time)},
             500, 1e-4, 15.0);
}

// mm, ms, g as multiples of m, s, kg.
const Units si{1e-3, 1e-3, 1e-3};

/// A body `factor` times as large of the same material: the waves need `factor` times as long.
Units smaller(double factor) { return {factor, factor, factor * factor * factor}; }

}  // namespace

TEST_CASE(
    "verification/scales: the incline is the same at 1/10 and 1/100 of the size and in SI units") {
  const Result reference = run_incline({});
  CHECK(distance(reference, run_incline(smaller(0.1))) <= 1e-9);
  CHECK(distance(reference, run_incline(smaller(0.01))) <= 1e-9);
  CHECK(distance(reference, run_incline(si)) <= 1e-9);
}

TEST_CASE(
    "verification/scales: the sliding block is the same at 1/10 and 1/100 of the size and in SI "
    "units") {
  const Result reference = run_block({});
  CHECK(distance(reference, run_block(smaller(0.1))) <= 1e-9);
  CHECK(distance(reference, run_block(smaller(0.01))) <= 1e-9);
  CHECK(distance(reference, run_block(si)) <= 1e-9);
}
