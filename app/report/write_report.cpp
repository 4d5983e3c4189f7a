#include "app/report/write_report.hpp"

#include "app/report/palette_data.hpp"
#include "app/report/run_data.hpp"
#include "app/results/version.hpp"
#include "files/new_file.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

namespace slipwave::app {

namespace fs = std::filesystem;

/// page.html of the build folder, bundled by app/report/page/bundle.mjs; empty in a program that
/// was built without it.
std::string_view report_page();

namespace {

constexpr std::string_view place_of_data = "{\"runs\":[]}";
constexpr std::string_view begin_of_three = "<script id=\"three\">", end_of_script = "</script>\n";

/// The page without the library that draws rigid bodies, where there are none.
std::string without_three(std::string page) {
  const std::size_t begin = page.find(begin_of_three);
  const std::size_t end = page.find(end_of_script, begin) + end_of_script.size();
  return page.erase(begin, end - begin);
}

std::string without_tags(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

/// The last part of a folder's path: b of a/b and of a/b/.
std::string name_of(const std::string& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

/// The page of one run is in its folder. One that compares runs has a name of its own there, with
/// theirs in it, so that neither page takes the other's place.
fs::path default_file(const std::vector<std::string>& folders) {
  std::string name = "report";
  for (std::size_t i = 1; i < folders.size(); ++i)
    name += (i == 1 ? "_with_" : "_") + name_of(folders[i]);
  constexpr std::size_t longest = 200;  // of the 255 bytes that file systems take
  return fs::path(folders.front()) / (name.substr(0, longest) + ".html");
}

fs::path file_of(const ReportOptions& options) {
  fs::path file = options.out.empty() ? default_file(options.folders) : fs::path(options.out);
  if (fs::is_directory(file))
    throw UserError(file.string() + ": is a folder; expected a file for the report (--out)");
  if (!options.out.empty() && file.has_parent_path() && !fs::is_directory(file.parent_path()))
    throw UserError(file.parent_path().string() + ": no such folder (--out)");
  return file;
}

}  // namespace

std::string page_with(const std::string& json) {
  const std::string_view page = report_page();
  const std::size_t place = page.find(place_of_data);
  return fmt::format("{}{}{}", page.substr(0, place), without_tags(json),
                     page.substr(place + place_of_data.size()));
}

ExitCode write_report(const ReportOptions& options) {
  if (report_page().empty())
    throw UserError(
        "this slipwave was built without the page of a report; build it with cmake "
        "-DSLIPWAVE_REPORT=ON, which needs npm and node");
  const fs::path file = file_of(options);
  Json runs = Json::array();
  for (const std::string& folder : options.folders)
    runs.push_back(run_data(folder, static_cast<int>(options.folders.size())));
  const bool has_bodies =
      std::any_of(runs.begin(), runs.end(), [](const Json& run) { return run.contains("scene"); });
  std::string text = page_with(
      compact_text(Json{{"slipwave", version()}, {"palette", palette_data()}, {"runs", runs}}));
  if (!has_bodies) text = without_three(std::move(text));
  files::write_whole(file, [&](std::ostream& stream) { stream << text; });
  fmt::print("{}: {} run(s), {:.1f} MB\n", file.string(), options.folders.size(),
             static_cast<double>(text.size()) / 1e6);
  return success;
}

}  // namespace slipwave::app
