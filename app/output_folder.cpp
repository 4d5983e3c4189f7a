#include "app/output_folder.hpp"

#include "app/user_error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

/// Everything a run writes.
constexpr std::array files{
    "energy.csv",   "trajectory.csv", "forces.csv",   "summary.json", "frames.pvd",
    "contact.pvd",  "case.toml",      "interface.h5", "waves.json",   "checkpoint.previous.h5",
    "checkpoint.h5"};
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

/// Those of later steps.
void remove_problems(const fs::path& folder, int step) {
  std::error_code error;
  std::vector<fs::path> ours;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string stem = entry.path().stem().string();
    if (is_problem(entry.path()) && std::atoi(stem.c_str() + stem.rfind('_') + 1) > step)
      ours.push_back(entry.path());
  }
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

bool has_results(const fs::path& folder) {
  const auto is_there = [&](const char* name) { return fs::exists(folder / name); };
  return std::any_of(files.begin(), files.end(), is_there) ||
         std::any_of(series.begin(), series.end(), is_there);
}

}  // namespace

void check_output_folder(const fs::path& folder, const fs::path& case_file, bool force,
                         bool resume) {
  std::error_code error;
  if ((force || !resume) && fs::equivalent(folder / "case.toml", case_file, error))
    throw UserError(folder.string() +
                    ": the results would replace the case file; choose another folder with --out");
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw UserError(folder.string() + ": is a file; expected a folder for the results (--out)");
  if (!force && !resume && has_results(folder))
    throw UserError(folder.string() +
                    ": already has results; choose another folder with --out, go on with --resume, "
                    "or replace them with --force");
}

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw UserError(
      folder.string() +
      ": another run is writing here; wait for it, or choose another folder with --out");
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

void make_output_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw UserError(folder.string() + ": cannot be made: " + error.message());
  const fs::path probe = folder / ".write-test";
  errno = 0;
  if (!(std::ofstream(probe) << 'x' << std::flush)) {
    if (errno == ENOSPC) fail_to_write(probe);
    throw UserError(folder.string() + ": cannot be written to");
  }
  fs::remove(probe, error);
}

double size_of_folder(const fs::path& folder) {
  double bytes = 0.0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
    const auto size = entry.is_regular_file(error) ? entry.file_size(error) : 0;
    if (!error) bytes += static_cast<double>(size);
  }
  return bytes;
}

void remove_results(const fs::path& folder) {
  std::error_code error;
  for (const char* name : files) fs::remove(folder / name, error);
  for (const char* name : series) remove_series(folder, name);
  remove_problems(folder, -1);
}

void remove_results_after(const fs::path& folder, int step) {
  std::error_code error;
  for (const char* name : {"summary.json", "waves.json"}) fs::remove(folder / name, error);
  remove_problems(folder, step);
}

void write_whole(const fs::path& file, const std::function<void(std::ostream&)>& write) {
  const fs::path temporary = file.string() + ".part";
  errno = 0;
  std::ofstream stream(temporary, std::ios::binary);
  write(stream);
  stream.close();
  if (!stream) {
    const int reason = errno;
    std::error_code error;
    fs::remove(temporary, error);
    errno = reason;
    fail_to_write(file);
  }
  fs::rename(temporary, file);
}

void fail_to_write(const fs::path& file) {
  throw OutputError(fmt::format("{}: could not be written: {}", file.string(),
                                errno != 0 ? std::strerror(errno) : "is the disk full?"));
}

void sync_to_disk(const fs::path& file) {
  const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = opened >= 0 && fsync(opened) == 0;
  const int reason = errno;
  if (opened >= 0) close(opened);
  errno = reason;
  if (!synced) fail_to_write(file);
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace slipwave::app
