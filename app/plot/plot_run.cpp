#include "app/plot/plot_run.hpp"

#include "app/plot/comparison_figures.hpp"
#include "app/plot/forces_figure.hpp"
#include "app/plot/render.hpp"
#include "app/plot/run_figures.hpp"
#include "app/results/interface_file.hpp"
#include "app/results/read_run.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace slipwave::app {

namespace {

double read_time(const PlotOptions& options, std::string_view text) {
  double t = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), t);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(t))
    throw UserError(
        fmt::format("--time {}: expected a time T, or two as T0:T1 with T0 < T1", options.time));
  return t;
}

/// T0:T1.
std::optional<Range> time_range(const PlotOptions& options) {
  if (options.time.empty()) return std::nullopt;
  const std::size_t colon = options.time.find(':');
  if (colon == std::string::npos)
    throw UserError(fmt::format("--time {}: the figure \"{}\" is of a stretch of time, T0:T1",
                                options.time, options.figure));
  const std::string_view text = options.time;
  const Range range{read_time(options, text.substr(0, colon)),
                    read_time(options, text.substr(colon + 1))};
  if (!(range.lower < range.upper))
    throw UserError(fmt::format("--time {}: expected T0 < T1", options.time));
  return range;
}

/// The frame nearest to the time asked for, or to the middle of those there are.
FrameEntry frame_for(const RunResults& results, const PlotOptions& options) {
  const std::vector<FrameEntry> frames = results.frames();
  if (frames.empty())
    throw UserError(fmt::format(
        "{}: the run wrote no frames; run it with --set output.frames_every=100", options.folder));
  if (frames.front().file.extension() != ".vtu")
    throw UserError(fmt::format("{}: its frames are not of an elastic body", options.folder));
  const double t = options.time.empty() ? 0.5 * (frames.front().t + frames.back().t)
                                        : read_time(options, options.time);
  return *std::min_element(frames.begin(), frames.end(),
                           [t](const FrameEntry& a, const FrameEntry& b) {
                             return std::abs(a.t - t) < std::abs(b.t - t);
                           });
}

Figure plot_snapshot(const RunResults& results, const PlotOptions& options) {
  const FrameEntry entry = frame_for(results, options);
  return snapshot_figure(read_body_frame(entry.file), {entry.t, options.warp, options.field},
                         results.units(), {options.width, {}});
}

Figure plot_interface(const RunResults& results, const PlotOptions& options) {
  const std::filesystem::path file = results.folder() / "interface.h5";
  if (!std::filesystem::exists(file))
    throw UserError(fmt::format("{}: the run wrote no interface history", file.string()));
  const InterfaceHistory history = read_interface_history(file);
  std::vector<std::string> names;
  for (const LineHistory& line : history.lines) names.push_back(line.name);
  const auto found =
      options.line.empty() ? names.begin() : std::find(names.begin(), names.end(), options.line);
  if (found == names.end())
    throw UserError(fmt::format("{}: no contact line \"{}\"; it has {}", file.string(),
                                options.line, fmt::join(names, ", ")));
  Figure figure =
      interface_figure(history, history.lines[static_cast<std::size_t>(found - names.begin())],
                       results.units(), {options.width, time_range(options)});
  if (options.line.empty() && names.size() > 1)
    figure.notes.push_back(
        fmt::format("of the lines {} the first is drawn; --line chooses", fmt::join(names, ", ")));
  return figure;
}

/// The last part of a folder's path: b of a/b and of a/b/.
std::string name_of(const std::string& folder) {
  const std::filesystem::path path = std::filesystem::absolute(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

bool compares(const std::string& figure) {
  return figure == "dissipation" || figure == "contact-work";
}

Figure plot_comparison(const RunResults& results, const PlotOptions& options) {
  std::vector<NamedLedger> ledgers{{name_of(options.folder), results.ledger()}};
  for (const std::string& folder : options.others)
    ledgers.push_back({name_of(folder), RunResults(folder).ledger()});
  const PrintOptions print{options.width, time_range(options)};
  return options.figure == "dissipation" ? dissipation_figure(ledgers, results.units(), print)
                                         : contact_work_figure(ledgers, results.units(), print);
}

Figure make_figure(const PlotOptions& options) {
  if (!options.others.empty() && !compares(options.figure))
    throw UserError(
        fmt::format("--figure {}: is of one run; dissipation and contact-work compare several",
                    options.figure));
  const RunResults results(options.folder);
  if (!results.warning().empty()) fmt::print(stderr, "warning: {}\n", results.warning());
  if (options.figure == "snapshot") return plot_snapshot(results, options);
  if (options.figure == "interface") return plot_interface(results, options);
  if (compares(options.figure)) return plot_comparison(results, options);
  const PrintOptions print{options.width, time_range(options)};
  if (options.figure == "forces")
    return forces_figure(read_forces(results), results.units(), print);
  return options.figure == "work" ? work_figure(results.ledger(), results.units(), print)
                                  : energy_figure(results.ledger(), results.units(), print);
}

std::string bytes_of(const Figure& figure, const PlotOptions& options) {
  if (options.format == "pdf") return svg_to_pdf(figure.svg);
  if (options.format == "png") return svg_to_png(figure.svg, options.dpi);
  return figure.svg;
}

void require_one_of(const std::vector<std::string>& names, const char* option,
                    const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw UserError(fmt::format("{} {}: expected one of {}", option, name, fmt::join(names, ", ")));
}

}  // namespace

const std::vector<std::string>& plot_figures() {
  static const std::vector<std::string> names{"energy",   "work",        "forces",      "interface",
                                              "snapshot", "dissipation", "contact-work"};
  return names;
}

const std::vector<std::string>& plot_formats() {
  static const std::vector<std::string> names{"svg", "pdf", "png"};
  return names;
}

ExitCode plot_run(const PlotOptions& options) {
  require_one_of(plot_figures(), "--figure", options.figure);
  require_one_of(plot_formats(), "--format", options.format);
  const Figure figure = make_figure(options);
  const std::filesystem::path file =
      options.out.empty()
          ? std::filesystem::path(options.folder) / (options.figure + "." + options.format)
          : std::filesystem::path(options.out);
  const std::string bytes = bytes_of(figure, options);
  if (file.has_parent_path() && !std::filesystem::is_directory(file.parent_path()))
    throw UserError(fmt::format("{}: no such folder", file.parent_path().string()));
  if (std::filesystem::is_directory(file))
    throw UserError(fmt::format("{}: is a folder; expected a file (--out)", file.string()));
  files::write_whole(file, [&](std::ostream& out) { out << bytes; });
  for (const std::string& note : figure.notes) fmt::print("note: {}\n", note);
  fmt::print("{}\n", file.string());
  return success;
}

}  // namespace slipwave::app
