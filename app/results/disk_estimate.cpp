#include "app/results/disk_estimate.hpp"

#include "app/messages/user_error.hpp"
#include "files/file_error.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>

#include <set>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

constexpr double mega = 1e6;

int frame_count(const Case& c) {
  const auto at_times = static_cast<int>(c.frame_steps.size());
  if (c.frames_every == 0) return at_times;
  return at_times + c.step_count / c.frames_every + 1 +
         (c.step_count % c.frames_every != 0 ? 1 : 0);
}

double rows(const Case& c, int every) { return c.step_count / every + 1; }

/// Three numbers for a contact line, or five, and two for a prescribed group.
OutputNeeds needs_of_tables(const Case& c, std::size_t lines, std::size_t groups) {
  OutputNeeds needs;
  needs.frame_count = frame_count(c);
  needs.ledger = 260.0 * rows(c, c.ledger_every);
  const double numbers = 2.0 + 3.5 * static_cast<double>(lines) + 2.0 * static_cast<double>(groups);
  if (c.forces_every > 0) needs.forces = 19.0 * numbers * rows(c, c.forces_every);
  return needs;
}

std::size_t group_count(const Case& c) {
  std::set<std::string> names;
  for (const PrescribedEntry& entry : c.prescribed) names.insert(entry.on);
  return names.size();
}

/// The newest, the one before, and the one being written.
double three_checkpoints(const Case& c, double dofs, double contacts) {
  return c.has_checkpoints() ? 3.0 * (16000.0 + 48.0 * dofs + 64.0 * contacts) : 0.0;
}

}  // namespace

OutputNeeds needs_of(const Case& c, const Body& body, int contacts) {
  OutputNeeds needs = needs_of_tables(c, c.contacts.size(), group_count(c));
  const double nodes = body.mesh.node_count();
  // Measured on compressed files: about 55 bytes a node and 66 a triangle, 90 a contact.
  needs.frames = needs.frame_count *
                 (3000.0 + 55.0 * nodes + 66.0 * body.mesh.triangle_count() + 90.0 * contacts);
  // 21 bytes a contact and step, which compress to about half.
  if (c.interface_every > 0) needs.history = 10.5 * contacts * rows(c, c.interface_every);
  needs.checkpoints = three_checkpoints(c, 2.0 * nodes, contacts);
  return needs;
}

OutputNeeds needs_of(const FewDofsModel& model) {
  const Case& c = model.case_file();
  OutputNeeds needs = needs_of_tables(c, static_cast<std::size_t>(model.contact_count()), 0);
  needs.frames = 2000.0 * needs.frame_count;
  needs.trajectory =
      20.0 * (3 + 2 * model.dof_count() + 6 * model.contact_count()) * rows(c, c.trajectory_every);
  needs.checkpoints = three_checkpoints(c, model.dof_count(), model.contact_count());
  return needs;
}

OutputNeeds needs_of(const SolidsModel& model, int contacts) {
  const Case& c = model.case_file();
  const double bodies = model.solids().body_count();
  OutputNeeds needs = needs_of_tables(c, 0, 0);
  needs.frames = needs.frame_count * (3000.0 + 600.0 * bodies + 150.0 * contacts);
  const double body_rows = c.trajectory_every > 0 ? rows(c, c.trajectory_every) : needs.frame_count;
  needs.trajectory = 300.0 * bodies * body_rows + 40.0 * contacts * needs.frame_count;
  needs.checkpoints = three_checkpoints(c, 13.0 * bodies, 2.0 * contacts);
  return needs;
}

double free_bytes(const fs::path& folder) {
  std::error_code error;
  fs::path place = fs::absolute(folder, error);
  while (!files::is_folder(place) && place.has_relative_path()) place = place.parent_path();
  const fs::space_info space = fs::space(place, error);
  return error ? std::numeric_limits<double>::infinity() : static_cast<double>(space.available);
}

void require_room(const fs::path& folder, const OutputNeeds& needs, double share, double replaced) {
  const double free = free_bytes(folder) + replaced, wanted = share * needs.total();
  if (wanted <= free) return;
  throw files::OutputError(fmt::format(
      "{}: the disk has {:.1f} MB free and the run needs about {:.1f} MB: frames {:.1f}, "
      "energy.csv {:.1f}, forces.csv {:.1f}, interface.h5 {:.1f}, trajectory.csv {:.1f}, "
      "checkpoints {:.1f}. Make "
      "room, choose another disk with --out, or write less: output.frames_every, "
      "output.interface_every, output.ledger_every, output.forces_every",
      folder.string(), free / mega, wanted / mega, share * needs.frames / mega,
      share * needs.ledger / mega, share * needs.forces / mega, share * needs.history / mega,
      share * needs.trajectory / mega, share * needs.checkpoints / mega));
}

}  // namespace slipwave::app
