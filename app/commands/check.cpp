#include "app/commands/check.hpp"

#include "app/case/case_file.hpp"
#include "app/model/build_system.hpp"
#include "app/model/few_dofs_model.hpp"
#include "app/model/memory_estimate.hpp"
#include "app/results/disk_estimate.hpp"
#include "app/run/system_limits.hpp"
#include "fem/step_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slipwave::app {

namespace {

void print_sizes(const Body& body) {
  fmt::print("mesh       {}: {} nodes, {} triangles, {} dofs\n", body.mesh.source,
             body.mesh.node_count(), body.mesh.triangle_count(), body.mesh.dof_count());
  std::string curves, surfaces;
  for (const auto& [name, edges] : body.mesh.curves)
    curves += fmt::format(" \"{}\" ({} edges)", name, edges.size());
  for (const auto& [name, cells] : body.mesh.surfaces)
    surfaces += fmt::format(" \"{}\" ({} triangles)", name, cells.size());
  fmt::print("  curves  {}\n  surfaces{}\n", curves.empty() ? " none" : curves,
             surfaces.empty() ? " none" : surfaces);
  for (const ContactLine& line : body.lines)
    fmt::print("contact    \"{}\": {} nodes, mean edge {:g}\n", line.group, line.line.nodes.size(),
               line.line.mean_edge_length);
}

void print_materials(const Case& c) {
  for (const MaterialEntry& entry : c.materials) {
    const fem::Material& m = entry.material;
    const fem::WaveSpeeds speeds = fem::wave_speeds(m);
    const bool strain = m.hypothesis == fem::Hypothesis::plane_strain;
    fmt::print("material   {}: E = {:.6g}{}, nu = {:.6g}, rho = {:.6g}{}, plane {}\n",
               entry.on ? fmt::format("\"{}\"", *entry.on) : "everywhere", m.young_modulus,
               c.unit("stress"), m.poisson_ratio, m.density,
               after_number(quotient_unit(c.units, "mass", "length", "^3")),
               strain ? "strain" : "stress");
    fmt::print("  waves    c_p = {:.6g}, c_s = {:.6g}, c_R = {:.6g}{}\n", speeds.pressure,
               speeds.shear, speeds.rayleigh, after_number(velocity_unit(c.units)));
  }
}

void print_pieces(const Case& c) {
  fmt::print("time       {}\n", c.scheme.description());
  int steps = 0;
  for (const StepPiece& piece : c.pieces)
    fmt::print("           {} steps of {:g}{} to t = {:g}{}\n", piece.count, piece.step,
               c.unit("time"), c.time_after(steps += piece.count), c.unit("time"));
}

/// To the three digits that are printed, so that what is printed is stable too.
double rounded_down(double x) {
  const double unit = std::pow(10.0, std::floor(std::log10(x)) - 2.0);
  return unit * std::floor(x / unit);
}

void print_time_advice(const Case& c, const Body& body) {
  const double edge = fem::mean_edge_length(body.mesh);
  double fastest = 0.0;
  for (const fem::Material& material : body.materials.materials)
    fastest = std::max(fastest, fem::wave_speeds(material).pressure);
  double longest = 0.0;
  for (const StepPiece& piece : c.pieces) longest = std::max(longest, piece.step);
  const double courant = fastest * longest / edge;
  print_pieces(c);
  fmt::print("  a pressure wave crosses {:.3g} mean edges ({:.4g}{}) in a step; ", courant, edge,
             c.unit("length"));
  if (courant > 1.0)
    fmt::print("waves are not resolved: for that choose time.step <= {:.3g}{}\n", edge / fastest,
               c.unit("time"));
  else
    fmt::print("waves are resolved (at most {:.3g}{} resolves them)\n", edge / fastest,
               c.unit("time"));
  if (std::holds_alternative<dynamics::ExplicitScheme>(c.scheme.scheme))
    fmt::print(
        "  moreau-explicit is stable for h omega_max <= 2 only: choose time.step <= {:.3g}{}\n",
        rounded_down(fem::explicit_step_limit(body.mesh, body.materials, c.mass)), c.unit("time"));
}

void print_output(const OutputNeeds& needs, const std::string& other, double other_bytes) {
  const double mega = 1e6;
  fmt::print(
      "output     {} frames, about {:.1f} MB; energy.csv about {:.1f} MB, forces.csv {:.1f} MB; {} "
      "about {:.1f} MB; "
      "checkpoints about {:.1f} MB\n",
      needs.frame_count, needs.frames / mega, needs.ledger / mega, needs.forces / mega, other,
      other_bytes / mega, needs.checkpoints / mega);
}

ExitCode check_finite(const Case& c, const std::string& case_file) {
  const FewDofsModel model(c);
  (void)model.make_stepper(c.first_step());
  fmt::print("system     {}: {} dofs, {} contact(s)\n", c.few_dofs->kind, model.dof_count(),
             model.contact_count());
  print_pieces(c);
  const OutputNeeds needs = needs_of(model);
  print_output(needs, "trajectory.csv", needs.trajectory);
  for (const std::string& warning : warnings_about(model)) fmt::print("warning: {}\n", warning);
  fmt::print("{}: ready to run\n", case_file);
  return success;
}

}  // namespace

ExitCode check_case(const std::string& case_file, const std::vector<std::string>& set, bool trust) {
  require_descriptors();
  const Case c = read_case(case_file, set);
  if (c.few_dofs) return check_finite(c, case_file);
  const Body body = make_body(c, trust);
  const dynamics::System system = make_system(c, body);
  print_sizes(body);
  print_materials(c);
  print_time_advice(c, body);
  const double memory = memory_needs_of(c, body, system);
  fmt::print("memory     about {:.0f} MB\n", memory / 1e6);
  const OutputNeeds needs = needs_of(c, body, system.contact_count());
  print_output(needs, "interface.h5", needs.history);
  require_address_space(memory);
  if (const std::string warning = memory_warning(memory); !warning.empty())
    fmt::print("warning: {}\n", warning);
  for (const std::string& warning : warnings_about(c, body, system, initial_state(c, body, system)))
    fmt::print("warning: {}\n", warning);
  fmt::print("{}: ready to run\n", case_file);
  return success;
}

}  // namespace slipwave::app
