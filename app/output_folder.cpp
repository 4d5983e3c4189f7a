#include "app/output_folder.hpp"

#include "app/user_error.hpp"

#include <array>
#include <fstream>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

/// Everything a run writes.
constexpr std::array results{"energy.csv",  "summary.json", "frames.pvd", "contact.pvd",
                             "case.toml",   "frames",       "contact"};

bool has_results(const fs::path& folder) {
  for (const char* name : results)
    if (fs::exists(folder / name)) return true;
  return false;
}

}  // namespace

void check_output_folder(const fs::path& folder, bool force) {
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw UserError(folder.string() + ": is a file; expected a folder for the results (--out)");
  if (!force && has_results(folder))
    throw UserError(folder.string() + ": already has results; choose another folder with --out, or replace them with --force");
}

void prepare_output_folder(const fs::path& folder) {
  std::error_code error;
  for (const char* name : results) fs::remove_all(folder / name, error);
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) throw UserError(folder.string() + ": cannot be made: " + error.message());
  const fs::path probe = folder / ".write-test";
  if (!(std::ofstream(probe) << 'x' << std::flush)) throw UserError(folder.string() + ": cannot be written to");
  fs::remove(probe, error);
}

void write_whole(const fs::path& file, const std::function<void(std::ostream&)>& write) {
  const fs::path temporary = file.string() + ".part";
  std::ofstream stream(temporary, std::ios::binary);
  write(stream);
  stream.close();
  if (!stream) throw std::runtime_error(file.string() + ": could not be written (is the disk full?)");
  fs::rename(temporary, file);
}

}  // namespace slipwave::app
