#include "app/commands/check.hpp"

#include "app/case/case_file.hpp"
#include "app/model/build_system.hpp"
#include "app/model/few_dofs_model.hpp"
#include "app/model/memory_estimate.hpp"
#include "app/model/solids_model.hpp"
#include "app/results/disk_estimate.hpp"
#include "app/run/system_limits.hpp"
#include "fem/step_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

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

/// Each group with how many bodies it has.
void print_bodies(const SolidsModel& model) {
  std::map<std::string, int> counts;
  for (const BodyEntry& body : model.scene().bodies) ++counts[body.group];
  std::string groups;
  for (const std::string& group : model.scene().groups)
    groups += fmt::format(" \"{}\" ({})", group, counts[group]);
  double mass = 0.0;
  for (const BodyEntry& body : model.scene().bodies)
    if (model.scene().is_free(body)) mass += body.mass;
  fmt::print("bodies     {}, of which {} move, together {:.6g}{}\n  groups  {}\n",
             model.solids().body_count(), model.free_count(), mass, model.case_file().unit("mass"),
             groups);
}

void print_contacts(const SolidsModel& model, const std::vector<dynamics::SolidContact>& contacts) {
  std::set<std::pair<int, int>> pairs;
  double least = 0.0, largest = 0.0;
  for (const dynamics::SolidContact& contact : contacts) {
    pairs.emplace(contact.A, contact.B);
    least = std::min(least, contact.gap);
    largest = std::max(largest, contact.gap);
  }
  fmt::print("contacts   {} points of {} pairs within {:g}{} at the start", contacts.size(),
             pairs.size(), model.scene().alert, model.case_file().unit("length"));
  if (!contacts.empty()) fmt::print(", gaps from {:.3g} to {:.3g}", least, largest);
  fmt::print("\n");
}

/// How fast the bodies are when the fastest of them start.
struct Speeds {
  double velocity = 0.0, spin = 0.0;
};

Speeds speeds_of(const SolidsModel& model) {
  Speeds speeds;
  for (const dynamics::Solid& body : model.solids().bodies) {
    if (body.kind != dynamics::Solid::Kind::free) continue;
    speeds.velocity = std::max(speeds.velocity, body.velocity.norm());
    speeds.spin = std::max(speeds.spin, body.spin.norm());
  }
  return speeds;
}

/// What bodies do in a step: a tenth of a radian, or of the smallest body, is much.
void print_motion_advice(const Case& c, const SolidsModel& model) {
  double h = 0.0;
  for (const StepPiece& piece : c.pieces) h = std::max(h, piece.step);
  const Speeds speeds = speeds_of(model);
  const double size = model.scene().size, way = 2.0 * h * speeds.velocity,
               fall = h * h * model.solids().gravity.norm(), turn = h * speeds.spin;
  const std::string length = c.unit("length");
  print_pieces(c);
  fmt::print(
      "  in a step the fastest body at the start goes {:.3g}{} and turns by {:.3g} rad, and one "
      "that falls gains {:.3g}{}; the smallest body is {:.4g}{} thick\n",
      0.5 * way, length, turn, fall, length, size, length);
  double limit = std::numeric_limits<double>::infinity();
  if (way > 0.1 * size) limit = std::min(limit, h * 0.1 * size / way);
  if (turn > 0.1) limit = std::min(limit, h * 0.1 / turn);
  if (fall > 1e-3 * size) limit = std::min(limit, h * std::sqrt(1e-3 * size / fall));
  if (std::isfinite(limit))
    fmt::print("  that is much: where bodies meet, choose time.step <= {:.3g}{}\n",
               rounded_down(limit), c.unit("time"));
}

ExitCode check_solids(const Case& c, const std::string& case_file) {
  const SolidsModel model(c);
  const std::vector<dynamics::SolidContact> contacts = contacts_at_start(model);
  const auto count = static_cast<int>(contacts.size());
  print_bodies(model);
  print_contacts(model, contacts);
  print_motion_advice(c, model);
  const double memory = memory_needs_of(model, count);
  fmt::print("memory     about {:.0f} MB\n", memory / 1e6);
  const OutputNeeds needs = needs_of(model, count);
  print_output(needs, "bodies.csv and joints.csv", needs.trajectory);
  require_address_space(memory);
  for (const std::string& warning : warnings_about(model)) fmt::print("warning: {}\n", warning);
  fmt::print("{}: ready to run\n", case_file);
  return success;
}

}  // namespace

ExitCode check_case(const std::string& case_file, const std::vector<std::string>& set, bool trust) {
  require_descriptors();
  const Case c = read_case(case_file, set);
  if (c.few_dofs) return check_finite(c, case_file);
  if (c.solids) return check_solids(c, case_file);
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
