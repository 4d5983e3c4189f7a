#include "app/results/read_run.hpp"

#include "app/case/toml_reader.hpp"
#include "app/messages/user_error.hpp"
#include "app/results/json.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace slipwave::app {

namespace {

/// What summary.json has of every run, however it ended.
constexpr std::array required{"case",     "exit_reason",         "scheme",  "steps",
                              "time",     "counts.failed_steps", "threads", "versions.slipwave",
                              "duration", "sha256.resolved_case"};

Json read_summary(const std::filesystem::path& file, const std::string& text) {
  const auto fail = [&](const std::string& what) {
    throw UserError(
        fmt::format("{}: {}; remove it, and the run's command with --resume writes it anew",
                    file.string(), what));
  };
  Json summary;
  try {
    summary = read_json(text);
  } catch (const std::runtime_error& error) {
    fail(error.what());
  }
  for (const char* key : required)
    if (!has(summary, key)) fail(fmt::format("has no \"{}\"", key));
  if (!summary["steps"].is_number_integer()) fail("has a \"steps\" that is no whole number");
  return summary;
}

}  // namespace

RunResults::RunResults(std::filesystem::path folder) : folder_(std::move(folder)) {
  if (!std::filesystem::is_directory(folder_))
    throw UserError(folder_.string() + ": no such folder; expected the results of a run");
  if (!std::filesystem::exists(folder_ / "energy.csv"))
    throw UserError(folder_.string() + ": has no energy.csv; expected the results of a run");
  const std::filesystem::path file = folder_ / "summary.json";
  if (std::filesystem::exists(file)) {
    summary_ = files::text_of(file);
    const Json summary = read_summary(file, summary_);
    // A disk that filled up may have taken the last rows.
    if (text_at(summary, "exit_reason") != "output failed") last_step_ = summary["steps"];
  }
  columns_ = columns_of("energy.csv");
}

Columns RunResults::columns_of(const std::string& name, EmptyCells empty) const {
  const std::filesystem::path file = folder_ / name;
  Columns columns =
      read_columns(file, last_step_ < 0 ? Writing::goes_on : Writing::has_ended, empty);
  const auto step = columns.find("step");
  if (last_step_ < 0 || step == columns.end()) return columns;
  if (step->second.empty() || step->second.back() != last_step_)
    throw UserError(fmt::format(
        "{}: {}, and summary.json says {} steps: the file was cut, or is of another run",
        file.string(),
        step->second.empty() ? "has no rows"
                             : fmt::format("ends after step {}", step->second.back()),
        last_step_));
  return columns;
}

std::string RunResults::warning() const {
  if (!summary_.empty()) return "";
  const auto step = columns_.find("step");
  return fmt::format("{}: has no summary.json: the run goes on, or was killed. Read up to step {}",
                     folder_.string(),
                     step == columns_.end() || step->second.empty() ? 0.0 : step->second.back());
}

const std::vector<double>& RunResults::ledger(const std::string& column) const {
  const auto found = columns_.find(column);
  if (found != columns_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, values] : columns_) names.push_back(name);
  throw UserError(
      fmt::format("no column \"{}\" in energy.csv; it has {}", column, fmt::join(names, ", ")));
}

std::size_t RunResults::row_at(double t) const {
  const std::vector<double>& times = ledger("t");
  if (times.empty()) throw UserError((folder_ / "energy.csv").string() + ": has no rows yet");
  const double limit = t + 1e-9 * std::abs(times.back());
  const auto after = std::upper_bound(times.begin(), times.end(), limit);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - times.begin() - 1, 0));
}

Units units_in(const std::filesystem::path& case_file) {
  Units units;
  if (!std::filesystem::exists(case_file)) return units;
  const TomlSource source = read_toml(case_file.string(), {});
  if (const toml::table* table = source.root["units"].as_table())
    for (const auto& [quantity, unit] : *table)
      units[std::string(quantity.str())] = unit.value_or(std::string());
  return units;
}

Units RunResults::units() const { return units_in(folder_ / "case.toml"); }

std::vector<FrameEntry> RunResults::frames(const std::string& series) const {
  return read_collection(folder_ / (series + ".pvd"));
}

std::filesystem::path RunResults::frame_file(const std::string& series, int step) const {
  return folder_ / series /
         fmt::format("{}_{:07d}.{}", series, step, series == "contact" ? "vtp" : "vtu");
}

}  // namespace slipwave::app
