#include "app/report/run_data.hpp"

#include "app/messages/user_error.hpp"
#include "app/report/curve_data.hpp"
#include "app/report/forces_data.hpp"
#include "app/report/interface_picture.hpp"
#include "app/report/movie.hpp"
#include "app/report/packed.hpp"
#include "app/report/scene.hpp"
#include "app/results/interface_file.hpp"
#include "app/results/read_run.hpp"
#include "app/results/read_solids.hpp"
#include "app/waves/track_waves.hpp"
#include "dynamics/works.hpp"
#include "files/new_file.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

constexpr std::array energies{"kinetic", "strain", "algorithmic_energy"};
constexpr std::array extremes{"max_tangential_work", "min_tangential_work"};

std::vector<const char*> work_columns() {
  std::vector<const char*> columns;
  for (const dynamics::WorkTerm& term : dynamics::work_terms) columns.push_back(term.column);
  return columns;
}

/// Of the named columns of energy.csv, row by row.
std::vector<double> sum_of(const RunResults& run, const auto& names) {
  std::vector<double> sum(run.ledger("t").size(), 0.0);
  for (const char* name : names)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += run.ledger(name)[i];
  return sum;
}

/// [AC24, Figures 9 and 10]: energies, works, the total energy, and what it should be by the works:
///     E_k = E_0 + sum of the works up to step k.
Json ledger_data(const RunResults& run) {
  const std::vector<double>& t = run.ledger("t");
  const std::vector<double> total = sum_of(run, energies);
  const std::vector<const char*> works = work_columns();
  std::vector<double> supplied = sum_of(run, works);
  for (double& value : supplied) value += total.front();
  Json curves{{"total_energy", curve_data(t, total)}, {"supplied_energy", curve_data(t, supplied)}};
  for (const char* name : energies) curves[name] = curve_data(t, run.ledger(name));
  for (const char* name : works) curves[name] = curve_data(t, run.ledger(name));
  for (const char* name : extremes) curves[name] = curve_data(t, run.ledger(name));
  return Json{{"rows", static_cast<int64_t>(t.size())}, {"curves", curves}};
}

Json trajectory_data(const Columns& columns) {
  Json curves = Json::object();
  for (const auto& [name, values] : columns)
    if (name != "t" && name != "step") curves[name] = curve_data(columns.at("t"), values);
  return Json{{"rows", static_cast<int64_t>(columns.at("t").size())}, {"curves", curves}};
}

void add_missing(Json& data, const char* what, const char* how) {
  data["missing"].push_back(Json{{"what", what}, {"how", how}});
}

/// A body that nothing holds and that touches nothing has no forces to tell of.
void add_forces(const RunResults& run, Json& data) {
  if (has_forces(run.folder())) {
    data["forces"] = forces_data(read_forces(run));
    return;
  }
  const std::string text = files::text_of(run.folder() / "case.toml");
  if (text.find("[[contact]]") != std::string::npos ||
      text.find("[[prescribed]]") != std::string::npos)
    add_missing(data, "forces.csv, the forces over time",
                "run the case again with output.forces_every = 1");
}

void add_interface(const fs::path& folder, Json& data, int runs) {
  if (!fs::exists(folder / "interface.h5"))
    return add_missing(data, "interface.h5, the history of the contact lines",
                       "run the case again with output.interface_every = 1");
  const InterfaceHistory history = read_interface_history(folder / "interface.h5");
  PictureBudget budget;
  budget.cells /= std::max(1, runs / 2);
  data["interface"] = interface_picture(history, budget);
  data["waves"] = waves_table(track_waves(history));
}

void add_movie(const RunResults& run, Json& data, int runs) {
  const std::vector<FrameEntry> frames = run.frames();
  if (frames.empty())
    return add_missing(data, "frames.pvd, the deformed body over time",
                       "run the case again with output.frames_every above 0");
  MovieBudget budget;
  budget.values /= std::max(1, runs);
  budget.nodes /= std::max(1, runs / 2);
  data["movie"] = movie_of(frames, budget);
}

void add_scene(const RunResults& run, Json& data, int runs) {
  if (run.frames().empty())
    return add_missing(data, "frames.pvd, the bodies over time",
                       "run the case again with output.frames_every above 0");
  SceneBudget budget;
  budget.poses /= static_cast<std::size_t>(std::max(1, runs));
  data["scene"] = scene_of(run, budget);
}

}  // namespace

Json run_data(const fs::path& folder, int runs) {
  const RunResults run(folder);
  if (run.ledger("t").empty())
    throw UserError((folder / "energy.csv").string() + ": has no rows yet");
  if (!run.warning().empty()) fmt::print(stderr, "warning: {}\n", run.warning());
  Json data{{"folder", folder.string()},
            {"summary", run.summary()},
            {"case_file", files::text_of(folder / "case.toml")},
            {"ledger", ledger_data(run)},
            {"missing", Json::array()}};
  if (run.summary().empty())
    add_missing(data, "summary.json, the run in numbers",
                "wait for the end of the run, then write the report again");
  add_forces(run, data);
  if (fs::exists(folder / "trajectory.csv")) {
    data["trajectory"] = trajectory_data(run.columns_of("trajectory.csv"));
    return data;
  }
  if (has_scene(folder)) {
    add_scene(run, data, runs);
    return data;
  }
  add_interface(folder, data, runs);
  add_movie(run, data, runs);
  return data;
}

}  // namespace slipwave::app
