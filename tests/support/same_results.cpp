#include "tests/support/same_results.hpp"

#include "app/results/file_list.hpp"
#include "files/new_file.hpp"

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

}  // namespace

std::string difference_of_results(const fs::path& one, const fs::path& other) {
  const std::set<fs::path> files = files_of(one), others = files_of(other);
  for (const fs::path& file : files)
    if (!others.contains(file)) return file.string() + " is missing in " + other.string();
  for (const fs::path& file : others)
    if (!files.contains(file)) return file.string() + " is missing in " + one.string();
  for (const fs::path& file : files)
    if (files::text_of(one / file) != files::text_of(other / file))
      return file.string() + " differs";
  return "";
}

}  // namespace slipwave::tests
