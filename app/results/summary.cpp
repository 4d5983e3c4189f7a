#include "app/results/summary.hpp"

#include "app/results/json.hpp"
#include "app/results/version.hpp"
#include "files/new_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <ostream>

namespace slipwave::app {

namespace {

Json energies(const RunStatistics& r) {
  Json table = Json::object();
  put(table, "initial", r.initial_energy.total());
  put(table, "kinetic", r.final_energy.kinetic);
  put(table, "strain", r.final_energy.strain);
  for (const dynamics::WorkTerm& term : dynamics::work_terms)
    put(table, term.column, r.works.*term.value);
  return table;
}

/// Rotations are those of a meshed body: a [system] has none that is not exact.
Json worst(const RunStatistics& r, bool meshed) {
  Json table = Json::object();
  put(table, "contact_residual", r.worst_raw);
  put(table, "scaled_contact_residual", r.worst_scaled);
  put(table, "balance_residual_relative", r.worst_balance);
  put(table, "max_tangential_work", r.max_tangential_work);
  put(table, "min_tangential_work", r.min_tangential_work);
  put(table, "max_normal_work", r.max_normal_work);
  put(table, "penetration", r.penetration);
  if (!meshed) return table;
  put(table, "body_rotation", r.linearity.body_rotation);
  put(table, "local_rotation", r.linearity.local_rotation);
  put(table, "sliding_over_disc", r.linearity.sliding);
  return table;
}

Json forces_table(const ForceMeans& forces) {
  Json table = Json::object();
  put(table, "from", forces.from);
  put(table, "to", forces.to);
  for (const auto& [column, mean] : forces.means) put(table, column.c_str(), mean);
  return table;
}

Json build_table() {
  const Build build = this_build();
  Json table{{"git_commit", build.git.commit},
             {"compiler", build.compiler},
             {"type", build.type},
             {"flags", build.flags}};
  if (build.git.dirty) table["git_dirty"] = *build.git.dirty;
  return table;
}

Json digests(const Provenance& provenance) {
  Json table = Json::object();
  for (const auto& [name, digest] : provenance.sha256()) table[name] = digest;
  Json included = Json::object();
  for (const auto& [file, digest] : provenance.included()) included[file] = digest;
  if (!included.empty()) table["mesh_included"] = included;
  return table;
}

}  // namespace

void write_summary(const std::filesystem::path& file, const Summary& s) {
  Json units = Json::object(), sizes = Json::object(), times = Json::object(),
       versions{{"slipwave", version()}};
  for (const auto& [quantity, unit] : s.c.units) units[quantity] = unit;
  for (const auto& [name, count] : s.sizes) sizes[name] = std::int64_t{count};
  for (const auto& [phase, seconds] : s.times) times[phase] = seconds;
  for (const auto& [name, number] : library_versions()) versions[name] = number;
  Json parameters = Json::object();
  for (const auto& [key, value] : s.c.scheme.values) parameters[key] = value;
  Json warnings = Json::array();
  for (const std::string& warning : s.warnings) warnings.push_back(warning);
  const RunStatistics& r = s.statistics;
  Json root{{"case", s.c.name},
            {"exit_reason", s.exit_reason},
            {"scheme", s.c.scheme.name},
            {"scheme_parameters", parameters},
            {"step", s.c.pieces.back().step},
            {"steps", s.steps_done},
            {"time", s.c.time_after(s.steps_done)},
            {"threads", s.threads.used},
            {"threads_asked", s.threads.asked},
            {"processors_available", s.threads.available},
            {"started", s.provenance.started_text()},
            {"duration", s.provenance.seconds_since_start()},
            {"sha256", digests(s.provenance)},
            {"build", build_table()},
            {"machine", Json{{"cpu", cpu_model()}, {"os", operating_system()}}},
            {"units", units},
            {"sizes", sizes},
            {"energy", energies(r)},
            {"worst", worst(r, s.c.has_mesh())},
            {"counts", Json{{"failed_steps", r.failed_steps},
                            {"non_unique_steps", r.non_unique_steps},
                            {"several_solutions_steps", r.several_steps},
                            {"failed_projections", r.failed_projections},
                            {"shared_node_steps", r.shared_node_steps},
                            {"newton_steps", r.newton_steps},
                            {"fallback_steps", r.fallback_steps},
                            {"iterations", std::int64_t{r.iterations}},
                            {"max_iterations_in_a_step", r.max_iterations}}},
            {"seconds", times},
            {"versions", versions},
            {"warnings", warnings}};
  if (!s.forces.means.empty()) root["forces"] = forces_table(s.forces);
  if (s.deterministic) root["deterministic"] = *s.deterministic;
  if (s.resumed_at > 0) root["resumed_at"] = s.resumed_at;
  files::write_whole(file, [&](std::ostream& out) { out << indented_text(root); });
}

}  // namespace slipwave::app
