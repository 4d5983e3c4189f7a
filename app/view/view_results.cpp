#include "app/view/view_results.hpp"

#include "app/plot/colour_map.hpp"
#include "app/plot/palette.hpp"
#include "app/process/program.hpp"
#include "app/process/shell.hpp"
#include "app/results/read_run.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace slipwave::app {

namespace fs = std::filesystem;

/// view.py as it is in the sources.
std::string_view view_script();

namespace {

constexpr std::string_view default_warp = "\nWARP = None\n";
constexpr std::string_view no_palette = "\nSTATUS, COLOURS, SIGNED_COLOURS = (), (), ()\n";

void check_folder(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw UserError(
        fmt::format("{}: no such folder; expected the results of a run (--out)", folder.string()));
  if (!fs::exists(folder / "frames.pvd"))
    throw UserError(fmt::format(
        "{}: no frames.pvd; run the case again with output.frames_every > 0, e.g. --set "
        "output.frames_every=100",
        folder.string()));
  for (const char* name : {"frames.pvd", "contact.pvd"})
    static_cast<void>(read_collection(folder / name));  // ParaView would show what there is
}

/// Colours as a tuple of Python.
std::string stops(const ColourMap& map) {
  std::vector<std::string> colours;
  for (const std::uint32_t colour : map) colours.push_back(fmt::format("\"{}\"", hex(colour)));
  return fmt::format("({})", fmt::join(colours, ", "));
}

/// The palette of all figures as Python.
std::string palette_lines() {
  std::string lines = "\nSTATUS = (\n";
  for (const palette::StatusLook& status : palette::statuses)
    lines += fmt::format("    (\"{}\", \"{}\"),\n", status.name, hex(status.colour));
  return lines + fmt::format(")\nCOLOURS = {}\nSIGNED_COLOURS = {}\n", stops(sequential_map()),
                             stops(diverging_map()));
}

std::string script_with(const std::optional<double>& warp) {
  if (warp && !std::isfinite(*warp))
    throw UserError(fmt::format("--warp = {}: expected a finite number", *warp));
  std::string script(view_script());
  script.replace(script.find(no_palette), no_palette.size(), palette_lines());
  if (warp)
    script.replace(script.find(default_warp), default_warp.size(),
                   fmt::format("\nWARP = {}\n", *warp));
  return script;
}

/// Writes the script unless another is there that may not be replaced; then says so.
void write_script(const fs::path& file, const ViewOptions& options) {
  const std::string script = script_with(options.warp);
  const bool is_other = fs::exists(file) && files::text_of(file) != script;
  if (is_other && !options.force) {
    fmt::print("{}: kept; it differs from what would be written (--force replaces it)\n",
               file.string());
    return;
  }
  files::write_whole(file, [&](std::ostream& out) { out << script; });
  fmt::print("{}: written\n", file.string());
}

bool has_screen() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

/// Starts ParaView so that it outlives this program and its terminal.
bool start_paraview(const fs::path& script) {
  try {
    start_detached({"paraview", "--script=" + script.string()});
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

void print_commands(const fs::path& script) {
  const std::string file = quoted(script.string());
  fmt::print(
      "  paraview --script={0}             to look at it\n"
      "  pvpython {0} --png picture.png    for a picture\n"
      "  pvpython {0} --movie film.avi     for a film\n",
      file);
}

}  // namespace

ExitCode view_results(const ViewOptions& options) {
  check_folder(options.folder);
  const fs::path script = options.folder / "view.py";
  write_script(script, options);
  if (options.open && has_screen() && start_paraview(script)) {
    fmt::print("ParaView is starting\n");
    return success;
  }
  if (options.open)
    fmt::print("ParaView is not opened: {}\n",
               has_screen() ? "no program of the name paraview is found" : "there is no screen");
  print_commands(script);
  return success;
}

}  // namespace slipwave::app
