#include "app/summary.hpp"

#include "app/output_folder.hpp"
#include "app/version.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace slipwave::app {

RunStatistics::RunStatistics(const dynamics::Energy& initial)
    : initial_energy(initial), final_energy(initial), exchanged(initial.total()) {}

void RunStatistics::add(const dynamics::StepReport& report) {
  final_energy = report.energy.energy;
  works += report.energy.works;
  exchanged += report.energy.works.sum_of_magnitudes();
  const double balance = std::abs(report.energy.residual());
  if (balance > 0.0) worst_balance = std::max(worst_balance, balance / exchanged);
  worst_raw = std::max(worst_raw, report.contact.residual.raw);
  worst_scaled = std::max(worst_scaled, report.contact.residual.scaled);
  max_tangential_work = std::max(max_tangential_work, report.max_tangential_work);
  min_tangential_work = std::min(min_tangential_work, report.min_tangential_work);
  max_normal_work = std::max(max_normal_work, report.max_normal_work);
  penetration = std::max(penetration, report.penetration);
  sweeps += report.contact.sweeps;
  max_sweeps = std::max(max_sweeps, report.contact.sweeps);
  failed_steps += report.contact.converged ? 0 : 1;
  non_unique_steps += report.contact.unique ? 0 : 1;
}

namespace {

// JSON has no NaN: a run that ends in one says so in its exit reason.
double finite(double value) { return std::isfinite(value) ? value : -1.0; }

toml::table sizes(const Summary& s) {
  return toml::table{{"nodes", s.body.mesh.node_count()},
                     {"triangles", s.body.mesh.triangle_count()},
                     {"dofs", s.body.mesh.dof_count()},
                     {"contacts", s.integrator.system().contact_count()},
                     {"factor_values", static_cast<int64_t>(s.integrator.factor().stored_values())}};
}

toml::table energies(const RunStatistics& r) {
  return toml::table{{"initial", finite(r.initial_energy.total())},
                     {"kinetic", finite(r.final_energy.kinetic)},
                     {"strain", finite(r.final_energy.strain)},
                     {"external_work", finite(r.works.external)},
                     {"damping_work", finite(r.works.damping)},
                     {"prescribed_work", finite(r.works.prescribed)},
                     {"numerical_work", finite(r.works.numerical)},
                     {"contact_normal_work", finite(r.works.contact_normal)},
                     {"contact_tangential_work", finite(r.works.contact_tangential)}};
}

toml::table worst(const RunStatistics& r) {
  return toml::table{{"contact_residual", finite(r.worst_raw)},
                     {"scaled_contact_residual", finite(r.worst_scaled)},
                     {"balance_residual_relative", finite(r.worst_balance)},
                     {"max_tangential_work", finite(r.max_tangential_work)},
                     {"min_tangential_work", finite(r.min_tangential_work)},
                     {"max_normal_work", finite(r.max_normal_work)},
                     {"penetration", finite(r.penetration)}};
}

}  // namespace

void write_summary(const std::filesystem::path& file, const Summary& s) {
  toml::table units, times, versions{{"slipwave", version()}};
  for (const auto& [quantity, unit] : s.c.units) units.insert(quantity, unit);
  for (const auto& [phase, seconds] : s.times) times.insert(phase, seconds);
  for (const auto& [name, number] : library_versions()) versions.insert(name, number);
  toml::array warnings;
  for (const std::string& warning : s.warnings) warnings.push_back(warning);
  const RunStatistics& r = s.statistics;
  toml::table root{{"case", s.c.name},
                   {"exit_reason", s.exit_reason},
                   {"scheme", name_of(s.c.scheme)},
                   {"theta", s.c.theta},
                   {"step", s.c.step},
                   {"steps", s.steps_done},
                   {"time", s.steps_done * s.c.step},
                   {"threads", s.threads},
                   {"units", units},
                   {"sizes", sizes(s)},
                   {"energy", energies(r)},
                   {"worst", worst(r)},
                   {"counts", toml::table{{"failed_steps", r.failed_steps},
                                          {"non_unique_steps", r.non_unique_steps},
                                          {"sweeps", int64_t{r.sweeps}},
                                          {"max_sweeps_in_a_step", r.max_sweeps}}},
                   {"seconds", times},
                   {"versions", versions},
                   {"warnings", warnings}};
  write_whole(file, [&](std::ostream& out) { out << toml::json_formatter{root} << '\n'; });
}

}  // namespace slipwave::app
