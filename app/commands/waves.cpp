#include "app/commands/waves.hpp"

#include "app/messages/units.hpp"
#include "app/results/file_list.hpp"
#include "app/results/interface_file.hpp"
#include "app/results/json.hpp"
#include "app/results/read_run.hpp"
#include "app/study/table.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <utility>

namespace slipwave::app {

namespace {

namespace fs = std::filesystem;

/// The labels of the case that was run; none where it cannot be read.
Units units_of(const fs::path& folder) {
  try {
    return units_in(folder / "case.toml");
  } catch (const UserError&) {
    return {};
  }
}

/// A number and its error with two digits of the error: "1239.26 ± 0.74".
std::string with_error(double value, double error) {
  const double digits =
      std::isfinite(error) && error > 0.0 ? 1.0 - std::floor(std::log10(error)) : 4.0;
  const int decimals = static_cast<int>(std::clamp(digits, 0.0, 9.0));
  return fmt::format("{:.{}f} ± {:.{}f}", value, decimals, error, decimals);
}

const LineHistory& line_named(const InterfaceHistory& history, const std::string& name) {
  std::vector<std::string> names;
  for (const LineHistory& line : history.lines) {
    if (line.name == name) return line;
    names.push_back(fmt::format("\"{}\"", line.name));
  }
  throw UserError(
      fmt::format("no contact line named \"{}\"; the run has {}", name, fmt::join(names, ", ")));
}

bool is_listed(const Wave& wave, const WavesOptions& options) {
  const bool class_fits =
      options.classes.empty() ||
      std::any_of(wave_classes().begin(), wave_classes().end(), [&](const WaveClassKey& entry) {
        return entry.type == wave.type &&
               std::count(options.classes.begin(), options.classes.end(), entry.key) > 0;
      });
  return class_fits && (options.line.empty() || wave.line == options.line);
}

double distance(const Wave& wave) { return std::abs(wave.end.x - wave.start.x); }

/// The `count` waves that went furthest, in their order.
std::vector<Wave> furthest(std::vector<Wave> waves, std::size_t count) {
  if (waves.size() <= count) return waves;
  std::vector<double> distances;
  for (const Wave& wave : waves) distances.push_back(distance(wave));
  const auto nth = distances.begin() + static_cast<std::ptrdiff_t>(count) - 1;
  std::nth_element(distances.begin(), nth, distances.end(), std::greater<>());
  std::erase_if(waves, [least = *nth](const Wave& wave) { return distance(wave) < least; });
  waves.resize(std::min(waves.size(), count));
  return waves;
}

using Row = std::vector<std::string>;

Row header(const Units& units) {
  const std::string length = unit_of(units, "length"), time = unit_of(units, "time");
  return {"line",
          "class",
          after_name("x", length),
          "",
          after_name("t", time),
          after_name("speed", velocity_unit(units)),
          "/c_R",
          "/c_s",
          "/c_p",
          after_name("length", length),
          after_name("duration", time),
          after_name("slip", length)};
}

Row row_of(const Wave& wave, const ReferenceSpeeds& c) {
  const bool front = wave.duration == 0.0;
  const double speed = std::abs(wave.speed);
  return {wave.line,
          name_of(wave.type),
          fmt::format("{:.4g} to {:.4g}", wave.start.x, wave.end.x),
          wave.speed > 0.0 ? "→" : "←",
          fmt::format("{:.5g} to {:.5g}", wave.start.t, wave.end.t),
          with_error(speed, wave.speed_error),
          fmt::format("{:.3f}", speed / c.rayleigh),
          fmt::format("{:.3f}", speed / c.shear),
          fmt::format("{:.3f}", speed / c.pressure),
          front ? "" : fmt::format("{:.3g}", wave.length),
          front ? "" : fmt::format("{:.3g}", wave.duration),
          fmt::format("{:.3g}", wave.slip)};
}

void print_rows(const std::vector<Row>& rows, bool with_line) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k)
      widths[k] = std::max(widths[k], character_count(row[k]));
  for (const Row& row : rows) {
    std::string text;
    for (std::size_t k = with_line ? 0 : 1; k < row.size(); ++k) {
      const std::string blank(widths[k] - character_count(row[k]), ' ');
      text += k < 2 ? row[k] + blank : blank + row[k];
      text += "  ";
    }
    fmt::print("{}\n", text.substr(0, text.find_last_not_of(' ') + 1));
  }
}

void print_summary(const std::vector<Wave>& waves, const std::string& unit_of_speed) {
  std::vector<std::string> counts;
  for (const auto& [type, key] : wave_classes()) {
    const auto n = std::count_if(waves.begin(), waves.end(),
                                 [type = type](const Wave& wave) { return wave.type == type; });
    const bool plural = n > 1 && type != WaveClass::schallamach;
    if (n > 0) counts.push_back(fmt::format("{} {}{}", n, name_of(type), plural ? "s" : ""));
  }
  std::vector<double> speeds;
  for (const Wave& wave : waves) speeds.push_back(std::abs(wave.speed));
  std::sort(speeds.begin(), speeds.end());
  const double median = 0.5 * (speeds[(speeds.size() - 1) / 2] + speeds[speeds.size() / 2]);
  fmt::print("{}; speeds: median {:.5g}, fastest {:.5g}{}\n", fmt::join(counts, ", "), median,
             speeds.back(), after_number(unit_of_speed));
}

void print_references(const InterfaceHistory& history, const WavesOptions& options,
                      const std::string& unit_of_speed) {
  for (const LineHistory& line : history.lines)
    if (options.line.empty() || line.name == options.line)
      fmt::print("{}: c_R = {:.5g}, c_s = {:.5g}, c_p = {:.5g}{}; {} nodes, {} recorded steps\n",
                 line.name, line.speeds.rayleigh, line.speeds.shear, line.speeds.pressure,
                 after_number(unit_of_speed), line.x.size(), history.t.size());
}

void print_waves(const std::vector<Wave>& waves, const InterfaceHistory& history,
                 const WavesOptions& options, const Units& units) {
  print_references(history, options, velocity_unit(units));
  if (waves.empty()) {
    fmt::print("no waves\n");
    return;
  }
  const std::vector<Wave> shown = furthest(waves, static_cast<std::size_t>(options.rows));
  std::vector<Row> rows{header(units)};
  for (const Wave& wave : shown)
    rows.push_back(row_of(wave, line_named(history, wave.line).speeds));
  print_rows(rows, history.lines.size() > 1);
  if (shown.size() < waves.size())
    fmt::print("... the {} of {} waves that went furthest; more with --rows, all in waves.json\n",
               shown.size(), waves.size());
  print_summary(waves, velocity_unit(units));
}

void print_growth(const InterfaceHistory& history, const WavesOptions& options,
                  const Units& units) {
  const std::string length = after_number(unit_of(units, "length")), time = unit_of(units, "time");
  const std::string rate = time.empty() ? "" : fmt::format(" 1/{}", time);
  for (const LineHistory& line : history.lines) {
    if (!options.line.empty() && line.name != options.line) continue;
    const ModeGrowth mode = mode_growth(line, history.t, options.wavelength, options.x,
                                        {options.tracker.from, options.tracker.to});
    const ReferenceSpeeds& c = line.speeds;
    fmt::print(
        "{}: wavelength {:.6g}{}, {} of them between x = {:.6g} and {:.6g}{}, t = {:.6g} to "
        "{:.6g}{}\n",
        line.name, options.wavelength, length, mode.wavelengths, mode.x.from, mode.x.to, length,
        mode.t.from, mode.t.to, after_number(time));
    fmt::print("  growth rate  {}{}\n", with_error(mode.growth, mode.growth_error), rate);
    fmt::print("  phase speed  {}{} = {:.4f} c_R = {:.4f} c_s = {:.4f} c_p\n",
               with_error(mode.phase_speed, mode.phase_speed_error),
               after_number(velocity_unit(units)), mode.phase_speed / c.rayleigh,
               mode.phase_speed / c.shear, mode.phase_speed / c.pressure);
    fmt::print("  amplitude    {:.4g} to {:.4g}{}\n", std::abs(mode.amplitude.front()),
               std::abs(mode.amplitude.back()), after_number(velocity_unit(units)));
  }
}

Json json_of(const Wave& wave, const ReferenceSpeeds& c) {
  Json table{{"line", wave.line}, {"class", name_of(wave.type)}};
  put(table, "x_start", wave.start.x);
  put(table, "x_end", wave.end.x);
  put(table, "t_start", wave.start.t);
  put(table, "t_end", wave.end.t);
  put(table, "speed", wave.speed);
  put(table, "speed_error", wave.speed_error);
  put(table, "speed_over_c_R", wave.speed / c.rayleigh);
  put(table, "speed_over_c_s", wave.speed / c.shear);
  put(table, "speed_over_c_p", wave.speed / c.pressure);
  put(table, "length", wave.length);
  put(table, "duration", wave.duration);
  put(table, "slip", wave.slip);
  put(table, "peak_velocity", wave.peak_velocity);
  Json path = Json::array();
  for (const WavePoint& p : wave.path) path.push_back(Json::array({p.x, p.t}));
  table["path"] = std::move(path);
  return table;
}

Json json_of(const TrackerOptions& options) {
  Json table{{"min_nodes", options.min_nodes}};
  put(table, "min_fraction", options.min_fraction);
  put(table, "settle", options.settle);
  put(table, "slowest", options.slowest);
  put(table, "fastest", options.fastest);
  put(table, "speed_change", options.speed_change);
  put(table, "surface_threshold", options.surface_threshold);
  put(table, "from", options.from);
  put(table, "to", options.to);
  return table;
}

}  // namespace

std::vector<std::string> wave_class_keys() {
  std::vector<std::string> keys;
  for (const auto& [type, key] : wave_classes()) keys.emplace_back(key);
  return keys;
}

void write_waves(const fs::path& file, const std::vector<Wave>& waves,
                 const InterfaceHistory& history, const Units& units,
                 const TrackerOptions& options) {
  Json labels = Json::object(), lines = Json::object();
  for (const auto& [quantity, label] : units) labels[quantity] = label;
  for (const LineHistory& line : history.lines)
    lines[line.name] = Json{
        {"c_R", line.speeds.rayleigh}, {"c_s", line.speeds.shear}, {"c_p", line.speeds.pressure}};
  Json list = Json::array();
  for (const Wave& wave : waves)
    list.push_back(json_of(wave, line_named(history, wave.line).speeds));
  const Json root{{"format", 1},
                  {"units", labels},
                  {"options", json_of(options)},
                  {"lines", lines},
                  {"waves", list}};
  files::write_whole(file, [&](std::ostream& out) { out << indented_text(root); });
}

ExitCode show_waves(const WavesOptions& options) {
  const fs::path folder = options.folder, file = folder / "interface.h5";
  if (!fs::is_directory(folder))
    throw UserError(fmt::format("{}: no such folder; give the folder of a run", folder.string()));
  if (!fs::exists(file))
    throw UserError(
        fmt::format("{}: there is no interface.h5; run the case with a [[contact]] and "
                    "output.interface_every = 1 (or more)",
                    folder.string()));
  const InterfaceHistory history = read_interface_history(file);
  if (!options.line.empty()) line_named(history, options.line);
  const Units units = units_of(folder);
  if (options.wavelength > 0.0) {
    print_growth(history, options, units);
    return success;
  }
  std::vector<Wave> waves = track_waves(history, options.tracker);
  if (has_file_list(folder)) list_file(folder, "waves.json");
  write_waves(folder / "waves.json", waves, history, units, options.tracker);
  std::erase_if(waves, [&](const Wave& wave) { return !is_listed(wave, options); });
  if (!options.json.empty()) write_waves(options.json, waves, history, units, options.tracker);
  print_waves(waves, history, options, units);
  return success;
}

}  // namespace slipwave::app
