#include "app/case/case_file.hpp"

#include "app/case/contact_law.hpp"
#include "app/case/toml_reader.hpp"
#include "app/messages/user_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace slipwave::app {

namespace {

constexpr std::size_t most_pieces = 1000;  // of time.steps: each frame is looked for in all of them

void read_units(TableReader table, Case& result) {
  for (const std::string quantity : quantities)
    if (table.has(quantity))
      result.units[quantity] = table.text(quantity);
    else
      table.text(quantity, "");
  table.finish();
}

void read_mesh_section(TableReader table, Case& result) {
  result.mesh_file = table.path("file");
  if (table.has("size")) result.mesh_size = table.positive("size");
  if (table.has("time_limit")) result.mesh_seconds = table.duration("time_limit");
  if (table.has("memory_limit")) result.mesh_memory = 1e6 * table.positive("memory_limit");
  result.mass = table.choice("mass_matrix", fem::mass_kinds, {fem::MassKind::consistent});
  table.finish();
}

MaterialEntry read_material(TableReader& table) {
  MaterialEntry entry;
  if (table.has("on")) entry.on = table.text("on");
  entry.material.young_modulus = table.positive("young_modulus");
  entry.material.poisson_ratio = table.number("poisson_ratio");
  entry.material.density = table.positive("density");
  entry.material.thickness = table.positive("thickness", 1.0);
  entry.material.hypothesis =
      table.choice("hypothesis", fem::hypotheses, {fem::Hypothesis::plane_stress});
  const bool strain = entry.material.hypothesis == fem::Hypothesis::plane_strain;
  entry.material.rayleigh_mass = table.at_least_zero("rayleigh_mass", 0.0);
  entry.material.rayleigh_stiffness = table.at_least_zero("rayleigh_stiffness", 0.0);
  // Outside this range D is not positive definite; at 1/2 plane strain has no finite stiffness.
  const double highest = strain ? 0.5 : 1.0;
  const double nu = entry.material.poisson_ratio;
  if (nu <= -1.0 || nu >= highest)
    table.fail("poisson_ratio", fmt::format("must be greater than -1 and less than {:g} in {}",
                                            highest, strain ? "plane strain" : "plane stress"));
  table.finish();
  return entry;
}

/// displacement_x, displacement_y, velocity_x, velocity_y of one table.
void read_prescribed(TableReader& table, bool displacements_only,
                     std::vector<PrescribedEntry>& entries) {
  using Kind = dynamics::PrescribedMotion::Kind;
  const std::string on = table.text("on");
  const std::size_t before = entries.size();
  for (int component = 0; component < 2; ++component) {
    const std::string axis = component == 0 ? "x" : "y";
    const std::string key = "displacement_" + axis;
    if (const auto formula = displacements_only ? table.formula(key, {"x", "y"}) : std::nullopt) {
      entries.push_back({on, component, Kind::displacement, {table.text(key), {}}, formula});
      continue;
    }
    const auto displacement = table.expression(key);
    if (displacement)
      entries.push_back({on, component, Kind::displacement, *displacement, std::nullopt});
    if (displacements_only) continue;
    const auto velocity = table.expression("velocity_" + axis);
    if (velocity && displacement)
      table.fail("velocity_" + axis,
                 fmt::format("displacement_{} is prescribed too; give one of them", axis));
    if (velocity) entries.push_back({on, component, Kind::velocity, *velocity, std::nullopt});
  }
  table.finish();
  if (entries.size() == before)
    table.fail("on", displacements_only
                         ? "nothing is prescribed; give displacement_x or displacement_y"
                         : "nothing is prescribed; give velocity_x, velocity_y, displacement_x "
                           "or displacement_y");
}

TractionEntry read_traction(TableReader& table) {
  TractionEntry entry{table.text("on"), table.expression("x"), table.expression("y"),
                      table.expression("pressure")};
  table.finish();
  if (!entry.x && !entry.y && !entry.pressure)
    table.fail("on", "no traction is given; give x, y or pressure");
  return entry;
}

contact::Obstacle read_obstacle(TableReader& table) {
  if (table.has("circle")) {
    for (const std::string key : {"point", "normal"})
      if (table.has(key)) table.fail(key, "belongs to a half-plane, and circle is given too");
    return contact::Circle{table.vector("circle"), table.positive("radius")};
  }
  if (table.has("radius")) table.fail("radius", "belongs to a circle; give its centre as circle");
  contact::HalfPlane plane;
  plane.point = table.vector("point", Eigen::Vector2d::Zero());
  plane.normal = table.vector("normal", Eigen::Vector2d::UnitY());
  if (plane.normal.isZero(0.0)) table.fail("normal", "must not be zero");
  plane.normal.stableNormalize();
  return plane;
}

ContactEntry read_contact(TableReader& table, const SchemeChoice& scheme,
                          std::vector<std::string>& notes) {
  ContactEntry entry;
  entry.on = table.text("on");
  entry.law = read_contact_law(table, scheme.impact, notes);
  entry.projection = table.flag("projection", false);
  entry.obstacle = read_obstacle(table);
  table.finish();
  return entry;
}

/// displacement_x, displacement_y, velocity_x, velocity_y: formulas of x and y.
void read_initial_fields(TableReader& table, InitialEntry& initial) {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string axis = i == 0 ? "x" : "y";
    initial.displacement_of_place[i] = table.formula("displacement_" + axis, {"x", "y"});
    initial.velocity_of_place[i] = table.formula("velocity_" + axis, {"x", "y"});
    if (initial.displacement_of_place[i] && initial.static_solve)
      table.fail("displacement_" + axis, "initial.static = true gives the displacements");
    if (initial.velocity_of_place[i] && !initial.velocity.isZero(0.0))
      table.fail("velocity_" + axis, "initial.velocity gives the velocity");
  }
}

void read_initial(TableReader table, Case& result) {
  result.initial.static_solve = table.flag("static", false);
  result.initial.loads = table.flag("loads", false);
  result.initial.velocity = table.vector("velocity", Eigen::Vector2d::Zero());
  read_initial_fields(table, result.initial);
  for (TableReader& entry : table.tables("prescribed"))
    read_prescribed(entry, true, result.initial.prescribed);
  if (!result.initial.prescribed.empty() && !result.initial.static_solve)
    table.fail("prescribed", "has no effect without initial.static = true");
  if (result.initial.loads && !result.initial.static_solve)
    table.fail("loads", "has no effect without initial.static = true");
  table.finish();
}

/// Steps of the table's size from the time reached to `until`.
void add_piece(TableReader& table, double until, double& reached, Case& result) {
  const double step = table.positive("step");
  // A quotient a hair above a whole number is that number: 1 / 1e-4 must not give 10001 steps.
  const double count = std::max(1.0, std::ceil((until - reached) / step * (1.0 - 1e-12)));
  if (result.step_count + count > std::numeric_limits<int>::max())
    table.fail("step", "needs more than 2147483647 steps to the end");
  result.pieces.push_back({step, static_cast<int>(count)});
  result.step_count += static_cast<int>(count);
  reached += count * step;
}

void read_time(TableReader table, Case& result) {
  result.scheme = read_scheme(table);
  double reached = 0.0;
  if (table.has("steps")) {
    if (table.has("step")) table.fail("step", "time.steps gives the steps; leave one of them out");
    if (table.has("end")) table.fail("end", "the last `until` of time.steps is the end");
    std::vector<TableReader> pieces = table.tables("steps");
    if (pieces.empty() || pieces.size() > most_pieces)
      table.fail("steps", fmt::format("must have from 1 to {} entries", most_pieces));
    for (TableReader& piece : pieces) {
      const double until = piece.positive("until");
      if (until <= reached) piece.fail("until", fmt::format("must be greater than {:g}", reached));
      add_piece(piece, until, reached, result);
      piece.finish();
    }
  } else {
    add_piece(table, table.positive("end"), reached, result);
  }
  if (table.has("wall_limit")) result.wall_limit = table.duration("wall_limit");
  table.finish();
}

void read_solver(TableReader table, Case& result) {
  result.solver.method = table.choice("method", contact::methods, {contact::Method::automatic});
  const bool rigid =
      result.few_dofs && std::holds_alternative<dynamics::RigidBodyData>(result.few_dofs->model);
  if (rigid && result.solver.method == contact::Method::newton)
    table.fail("method", "keeps a factor of W, which changes as the body turns; choose auto");
  if (result.solids && result.solver.method == contact::Method::newton)
    table.fail("method",
               "wants W of contacts along a line, in a band, and those of bodies in space are not; "
               "choose auto or proximal-newton");
  result.solver.tolerance = table.positive("tolerance", 1e-10);
  result.solver.max_iterations = table.integer("max_iterations", 10000);
  if (result.solver.max_iterations < 1) table.fail("max_iterations", "must be at least 1");
  result.solver.relaxation = table.number("relaxation", 1.0);
  if (!(result.solver.relaxation > 0.0 && result.solver.relaxation < 2.0))
    table.fail("relaxation", "must be greater than 0 and less than 2");
  const std::vector<std::string> ways{"stop", "continue"};
  result.continue_on_failure = table.choice("on_failure", ways, 0) == 1;
  result.continue_on_several = table.choice("on_several", ways, result.few_dofs ? 0 : 1) == 1;
  table.finish();
}

/// The steps that end nearest to the given times.
void read_frames_at(TableReader& table, Case& result) {
  const double end = result.time_after(result.step_count);
  for (const double t : table.number_list("frames_at")) {
    if (t < 0.0 || t > end * (1.0 + 1e-12))
      table.fail("frames_at", fmt::format("must be from 0 to the end, t = {:g}", end));
    result.frame_steps.push_back(result.step_nearest(t));
  }
  std::sort(result.frame_steps.begin(), result.frame_steps.end());
}

void read_output(TableReader table, Case& result) {
  result.frames_every = table.integer("frames_every", 100);
  read_frames_at(table, result);
  result.ledger_every = table.integer("ledger_every", 1);
  if (result.ledger_every < 1) table.fail("ledger_every", "must be at least 1");
  result.forces_every = table.integer("forces_every", result.ledger_every);
  if (table.has_number("checkpoint_every"))
    result.checkpoint_steps = table.integer("checkpoint_every");
  else
    result.checkpoint_seconds = table.duration("checkpoint_every", "10 min");
  if (result.few_dofs || result.solids) {
    result.trajectory_every = table.integer("trajectory_every", result.solids ? 0 : 1);
    if (result.few_dofs && result.trajectory_every < 1)
      table.fail("trajectory_every", "must be at least 1");
  } else {
    result.interface_every = table.integer("interface_every", 1);
  }
  table.finish();
}

void warn_about_dissipation(Case& result) {
  for (const ContactEntry& contact : result.contacts)
    for (const std::string& broken : dynamics::broken_conditions(
             result.scheme.scheme, contact.law.impact, contact.law.restitution))
      result.warnings.push_back(fmt::format(
          "{} for the contact on \"{}\": dissipation is not guaranteed", broken, contact.on));
}

/// The last piece is as long as it must be.
void stop_after(int steps, Case& result) {
  result.step_count = steps;
  int left = steps;
  for (std::size_t k = 0; k < result.pieces.size(); ++k) {
    StepPiece& piece = result.pieces[k];
    if (piece.count >= left || k + 1 == result.pieces.size()) {
      piece.count = left;
      result.pieces.resize(k + 1);
    }
    left -= piece.count;
  }
}

/// The sections of a meshed body.
void read_body(TableReader& root, const std::string& file, Case& result) {
  read_mesh_section(root.table("mesh"), result);
  for (TableReader& table : root.tables("material"))
    result.materials.push_back(read_material(table));
  if (result.materials.empty()) throw UserError(file + ": material: this section is missing");
  TableReader gravity = root.table("gravity");
  result.gravity_x = gravity.expression("x");
  result.gravity_y = gravity.expression("y");
  gravity.finish();
  for (TableReader& table : root.tables("prescribed"))
    read_prescribed(table, false, result.prescribed);
  for (TableReader& table : root.tables("traction"))
    result.tractions.push_back(read_traction(table));
  for (TableReader& table : root.tables("contact"))
    result.contacts.push_back(read_contact(table, result.scheme, result.warnings));
  read_initial(root.table("initial"), result);
  TableReader limits = root.table("limits");
  result.limits.rotation = limits.positive("rotation", result.limits.rotation);
  result.limits.sliding = limits.positive("sliding", result.limits.sliding);
  limits.finish();
}

void read_few_dofs(TableReader& root, Case& result) {
  if (root.has("mesh")) root.fail("mesh", "a case has either a [mesh] or a [system]");
  result.few_dofs = read_few_dofs_case(root, result.scheme);
  ContactEntry ground;
  ground.on = "ground";
  ground.law = contact_law(*result.few_dofs);
  for (const std::string& note : result.few_dofs->notes) result.warnings.push_back(note);
  result.contacts = {ground};
}

/// Bodies in space in place of a mesh.
void read_solids(TableReader& root, Case& result) {
  for (const std::string other : {"mesh", "system"})
    if (root.has(other))
      root.fail(other, fmt::format("a case has either a [{}] or [[body]] and [[pattern]]", other));
  result.solids = read_solids_case(root, result.scheme);
  for (const SolidsContactEntry& entry : result.solids->contacts)
    if (entry.law)
      result.contacts.push_back(
          {fmt::format("{} and {}", entry.between[0], entry.between[1]), *entry.law, false, {}});
  result.warnings = result.solids->notes;
}

bool has_solids(TableReader& root) {
  const bool has_shape = root.has("shape"), has_pattern = root.has("pattern");
  return root.has("body") || has_shape || has_pattern;
}

}  // namespace

double Case::time_after(int steps) const {
  double time = 0.0;
  for (const StepPiece& piece : pieces) {
    const int count = std::min(piece.count, steps);
    time += count * piece.step;
    steps -= count;
  }
  return time;
}

int Case::step_nearest(double t) const {
  int step = 0;
  for (const StepPiece& piece : pieces) {
    const double count = std::round(t / piece.step);
    if (count <= piece.count) return step + static_cast<int>(std::max(count, 0.0));
    step += piece.count;
    t -= piece.count * piece.step;
  }
  return step_count;
}

bool Case::is_frame(int step, bool is_last) const {
  if (frames_every > 0 && (step % frames_every == 0 || is_last)) return true;
  return std::binary_search(frame_steps.begin(), frame_steps.end(), step);
}

std::string Case::unit(const std::string& quantity) const {
  return after_number(unit_of(units, quantity));
}

Case read_case(const std::string& file, const std::vector<std::string>& replacements,
               std::optional<int> steps) {
  const TomlSource source = read_toml(file, replacements);
  toml::table resolved;
  TableReader root(source, &source.root, &resolved, "");
  Case result;
  result.name = std::filesystem::path(file).stem().string();
  read_units(root.table("units"), result);
  read_time(root.table("time"), result);
  if (has_solids(root))
    read_solids(root, result);
  else if (root.has("system"))
    read_few_dofs(root, result);
  else
    read_body(root, file, result);
  read_solver(root.table("solver"), result);
  TableReader energy = root.table("energy");
  result.energy_tolerance = energy.positive("tolerance", 1e-9);
  energy.finish();
  read_output(root.table("output"), result);
  root.finish();
  warn_about_dissipation(result);

  if (steps) {
    stop_after(*steps, result);
    if (result.pieces.size() == 1)
      (*resolved["time"].as_table()).insert_or_assign("end", *steps * result.first_step());
  }
  std::ostringstream text;
  text << resolved << '\n';
  result.resolved = text.str();
  return result;
}

}  // namespace slipwave::app
