#include "app/model/explain_singular_matrix.hpp"

#include "app/model/node_labels.hpp"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

namespace slipwave::app {

namespace {

constexpr double round_off = 1e-13;
/// Below it 1/m may not be finite.
constexpr double smallest_mass = std::numeric_limits<double>::min();

/// From the smallest to the largest of some numbers.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  bool empty() const { return low > high; }
  double length() const { return empty() ? 0.0 : high - low; }
};

/// The rigid motions of a body that the fixed dofs allow. A dof along x resists turning about
/// points off its line along x, a dof along y likewise: the body turns where all lines meet.
std::string free_motions(const fem::Mesh& mesh, const std::set<int>& nodes,
                         const std::vector<bool>& is_fixed) {
  Range x, y, x_of_fixed_y, y_of_fixed_x;
  for (const int node : nodes) {
    x.add(mesh.nodes(0, node));
    y.add(mesh.nodes(1, node));
    if (is_fixed[static_cast<std::size_t>(2 * node)]) y_of_fixed_x.add(mesh.nodes(1, node));
    if (is_fixed[static_cast<std::size_t>(2 * node) + 1]) x_of_fixed_y.add(mesh.nodes(0, node));
  }
  const double same = 1e-9 * std::max(x.length(), y.length());
  std::vector<std::string> motions;
  if (y_of_fixed_x.empty()) motions.emplace_back("move along x");
  if (x_of_fixed_y.empty()) motions.emplace_back("move along y");
  if (y_of_fixed_x.length() <= same && x_of_fixed_y.length() <= same) motions.emplace_back("turn");
  return fmt::format("{}", fmt::join(motions, ", "));
}

std::string body_text(const fem::Mesh& mesh, const std::set<int>& nodes) {
  const std::set<std::string> surfaces = surfaces_of(mesh, nodes);
  const std::string name =
      surfaces.empty() ? "with " + node_text(mesh, *nodes.begin()) : "of " + quoted(surfaces);
  return fmt::format("the body {} ({} nodes)", name, nodes.size());
}

/// The `on` of a material's key: which of several it is.
std::string material_text(const Case& c, std::size_t index) {
  const MaterialEntry& entry = c.materials[index];
  return entry.on ? fmt::format("material on \"{}\"", *entry.on) : "[material]";
}

/// Where D is not positive definite within round-off, or nothing.
std::string bad_material(const Case& c) {
  for (std::size_t i = 0; i < c.materials.size(); ++i) {
    const fem::Material& material = c.materials[i].material;
    const Eigen::Vector3d stiffnesses =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(fem::elasticity(material)).eigenvalues();
    if (stiffnesses[0] > round_off * stiffnesses[2]) continue;
    return fmt::format(
        "{}: poisson_ratio = {} is too near its limit: the stiffnesses of the "
        "material go from {:.3g} to {:.3g}",
        material_text(c, i), material.poisson_ratio, stiffnesses[0], stiffnesses[2]);
  }
  return "";
}

std::size_t material_at(const Body& body, int node) {
  int triangle = 0;
  while ((body.mesh.triangles.col(triangle).array() != node).all()) ++triangle;
  return static_cast<std::size_t>(body.materials.of_triangle[static_cast<std::size_t>(triangle)]);
}

std::string no_mass(const Case& c, const Body& body, int node) {
  const std::size_t index = material_at(body, node);
  const fem::Material& material = c.materials[index].material;
  return fmt::format("the body has next to no mass. Check {}: density = {:g}, thickness = {:g}",
                     material_text(c, index), material.density, material.thickness);
}

}  // namespace

std::string free_bodies(const fem::Mesh& mesh, const std::vector<bool>& is_fixed) {
  std::map<int, std::set<int>> bodies;
  const std::vector<int> body_of = fem::body_of_nodes(mesh);
  for (int node = 0; node < mesh.node_count(); ++node)
    bodies[body_of[static_cast<std::size_t>(node)]].insert(node);
  std::string text;
  int more = 0;
  constexpr int shown = 3;
  for (const auto& [first, nodes] : bodies) {
    const std::string motions = free_motions(mesh, nodes, is_fixed);
    if (motions.empty() || ++more > shown) continue;
    text += fmt::format("{}{} is free to {}", text.empty() ? "" : "; ", body_text(mesh, nodes),
                        motions);
  }
  return more > shown ? fmt::format("{}; and {} more", text, more - shown) : text;
}

std::string explain_singular_static(const Case& c, const Body& body,
                                    const std::vector<bool>& is_fixed) {
  if (const std::string free = free_bodies(body.mesh, is_fixed); !free.empty())
    return free + "; hold it with [[initial.prescribed]]";
  if (const std::string material = bad_material(c); !material.empty()) return material;
  return "every body is held, but so little that its motion is lost in round-off: hold it at "
         "points further apart, or bring the stiffnesses of the materials closer together";
}

std::string explain_singular_step(const Case& c, const Body& body, int dof, double step) {
  const fem::Matrices matrices = fem::assemble(body.mesh, body.materials, c.mass);
  const double mass = matrices.M.coeff(dof, dof);
  const double stiffness = step * step * matrices.K.coeff(dof, dof);
  const std::string where = fmt::format(
      "no positive pivot at {} along {}, with mass {:.3g} and stiffness x step^2 {:.3g}",
      place_text(body, dof / 2), dof % 2 == 0 ? "x" : "y", mass, stiffness);
  if (mass < std::max(round_off * stiffness, smallest_mass))
    return fmt::format("{}: {}; or choose a smaller time.step", where, no_mass(c, body, dof / 2));
  if (const std::string bad = bad_material(c); !bad.empty()) return where + ". " + bad;
  return where + ": the numbers of [material], [mesh] and time.step are too far apart";
}

std::string explain_no_mass(const Case& c, const Body& body) {
  const Eigen::VectorXd mass = fem::assemble(body.mesh, body.materials, c.mass).M.diagonal();
  int dof = 0;
  if (mass.minCoeff(&dof) >= smallest_mass) return "";
  return fmt::format("{} has the mass {:.3g}: {}", place_text(body, dof / 2), mass[dof],
                     no_mass(c, body, dof / 2));
}

}  // namespace slipwave::app
