#include "app/output_folder.hpp"

#include "app/user_error.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

/// Everything a run writes.
constexpr std::array files{"energy.csv",  "trajectory.csv", "summary.json", "frames.pvd",
                           "contact.pvd", "case.toml",      "interface.h5", "waves.json"};
constexpr std::array series{"frames", "contact"};
constexpr std::array problems{"problem_", "failed_step_"};

/// A contact problem that a run wrote: a prefix, digits, .hdf5.
bool is_problem(const fs::path& file) {
  const std::string stem = file.stem().string();
  return file.extension() == ".hdf5" &&
         std::any_of(problems.begin(), problems.end(), [&](const std::string& prefix) {
           return stem.size() > prefix.size() && stem.starts_with(prefix) &&
                  stem.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
         });
}

bool has_results(const fs::path& folder) {
  const auto is_there = [&](const char* name) { return fs::exists(folder / name); };
  return std::any_of(files.begin(), files.end(), is_there) ||
         std::any_of(series.begin(), series.end(), is_there);
}

void remove_problems(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> ours;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (is_problem(entry.path())) ours.push_back(entry.path());
  for (const fs::path& file : ours) fs::remove(file, error);
}

/// Removes NAME/NAME_*, and the folder if nothing else is in it.
void remove_series(const fs::path& folder, const std::string& name) {
  std::error_code error;
  std::vector<fs::path> ours;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / name, error))
    if (entry.path().filename().string().starts_with(name + "_")) ours.push_back(entry.path());
  for (const fs::path& file : ours) fs::remove(file, error);
  fs::remove(folder / name, error);
}

}  // namespace

void check_output_folder(const fs::path& folder, const fs::path& case_file, bool force) {
  std::error_code error;
  if (fs::equivalent(folder / "case.toml", case_file, error))
    throw UserError(folder.string() +
                    ": the results would replace the case file; choose another folder with --out");
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw UserError(folder.string() + ": is a file; expected a folder for the results (--out)");
  if (!force && has_results(folder))
    throw UserError(
        folder.string() +
        ": already has results; choose another folder with --out, or replace them with --force");
}

void prepare_output_folder(const fs::path& folder) {
  std::error_code error;
  for (const char* name : files) fs::remove(folder / name, error);
  for (const char* name : series) remove_series(folder, name);
  remove_problems(folder);
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw UserError(folder.string() + ": cannot be made: " + error.message());
  const fs::path probe = folder / ".write-test";
  if (!(std::ofstream(probe) << 'x' << std::flush))
    throw UserError(folder.string() + ": cannot be written to");
  fs::remove(probe, error);
}

void write_whole(const fs::path& file, const std::function<void(std::ostream&)>& write) {
  const fs::path temporary = file.string() + ".part";
  std::ofstream stream(temporary, std::ios::binary);
  write(stream);
  stream.close();
  if (!stream)
    throw std::runtime_error(file.string() + ": could not be written (is the disk full?)");
  fs::rename(temporary, file);
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace slipwave::app
