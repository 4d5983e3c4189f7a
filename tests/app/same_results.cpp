#include "tests/app/same_results.hpp"

#include "app/file_list.hpp"
#include "app/output_folder.hpp"
#include "app/waves/interface_file.hpp"

#include <set>

namespace slipwave::tests {

namespace fs = std::filesystem;

namespace {

std::set<fs::path> files_of(const fs::path& folder) {
  std::set<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.insert(fs::relative(entry.path(), folder));
  for (const char* name : {"summary.json", "checkpoint.previous.h5", app::file_list_name})
    files.erase(name);
  return files;
}

bool same_history(const fs::path& one, const fs::path& other) {
  const app::InterfaceHistory a = app::read_interface_history(one);
  const app::InterfaceHistory b = app::read_interface_history(other);
  if (a.step != b.step || a.t != b.t || a.lines.size() != b.lines.size()) return false;
  for (std::size_t k = 0; k < a.lines.size(); ++k) {
    if (a.lines[k].x != b.lines[k].x || a.lines[k].status != b.lines[k].status) return false;
    for (const app::LineField& field : app::line_fields())
      if (a.lines[k].*field.values != b.lines[k].*field.values) return false;
  }
  return true;
}

}  // namespace

std::string difference_of_results(const fs::path& one, const fs::path& other) {
  const std::set<fs::path> files = files_of(one), others = files_of(other);
  for (const fs::path& file : files)
    if (!others.contains(file)) return file.string() + " is missing in " + other.string();
  for (const fs::path& file : others)
    if (!files.contains(file)) return file.string() + " is missing in " + one.string();
  for (const fs::path& file : files) {
    const bool same = file == "interface.h5"
                          ? same_history(one / file, other / file)
                          : app::text_of(one / file) == app::text_of(other / file);
    if (!same) return file.string() + " differs";
  }
  return "";
}

}  // namespace slipwave::tests
