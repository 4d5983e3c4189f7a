#include "app/results/run_folder.hpp"

#include "app/messages/user_error.hpp"
#include "app/results/file_list.hpp"
#include "files/file_error.hpp"
#include "files/new_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

/// What a run may write, besides frames and contact problems.
constexpr std::array files{
    "energy.csv",   "trajectory.csv", "forces.csv",   "summary.json", "frames.pvd",
    "contact.pvd",  "case.toml",      "interface.h5", "waves.json",   "checkpoint.previous.h5",
    "checkpoint.h5"};
constexpr std::array series{"frames", "contact"};
constexpr std::array problems{"problem_", "failed_step_"};

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The step in PREFIX, digits, an extension; -1 where the name is another.
int step_in(const fs::path& name, const std::string& prefix, const std::string& extension) {
  const std::string stem = name.stem().string();
  if (name.extension() != extension || !stem.starts_with(prefix)) return -1;
  const std::string digits = stem.substr(prefix.size());
  return is_number(digits) ? std::atoi(digits.c_str()) : -1;
}

/// The step whose contact problem has this name, -1 if none.
int step_of_problem(const fs::path& name) {
  int step = -1;
  for (const char* prefix : problems) step = std::max(step, step_in(name, prefix, ".hdf5"));
  return step;
}

bool begins_with(const fs::path& file, const std::string& text) {
  std::string begin(text.size(), '\0');
  std::ifstream stream(file, std::ios::binary);
  return files::is_plain_file(file) && stream.read(begin.data(), static_cast<long>(begin.size())) &&
         begin == text;
}

/// Earlier versions kept no list. Their results are known by what the files say.
bool has_unlisted_results(const fs::path& folder) {
  return !has_file_list(folder) &&
         (begins_with(folder / "energy.csv", "step,t,kinetic,") ||
          begins_with(folder / "checkpoint.h5", "Slipwave checkpoint, version "));
}

/// The list that such a version would have kept: files of exactly the names that it gave.
void list_old_results(const fs::path& folder) {
  std::vector<std::string> names;
  for (const char* name : files) names.emplace_back(name);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (step_of_problem(entry.path().filename()) >= 0)
      names.push_back(entry.path().filename().string());
  for (const std::string name : series) {
    if (fs::is_symlink(folder / name, error)) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / name, error)) {
      const fs::path file = entry.path().filename();
      if (step_in(file, name + "_", ".vtu") >= 0 || step_in(file, name + "_", ".vtp") >= 0)
        names.push_back(name + "/" + file.string());
    }
  }
  std::erase_if(names,
                [&](const std::string& name) { return !files::is_plain_file(folder / name); });
  adopt_files(folder, names);
}

bool has_results(const fs::path& folder) {
  const std::set<std::string> listed = listed_files(folder);
  return has_unlisted_results(folder) ||
         std::any_of(listed.begin(), listed.end(), [&](const std::string& name) {
           return !name.ends_with('/') && files::is_there(folder / name);
         });
}

/// Throws UserError naming something in the way of a run that is not Slipwave's.
void require_ours(const fs::path& folder) {
  if (has_unlisted_results(folder)) return;
  const std::set<std::string> listed = listed_files(folder);
  const auto refuse = [&](const std::string& name, const std::string& why) {
    throw UserError(
        fmt::format("{}: {} and is not touched; move it away, or choose another folder with --out",
                    (folder / name).string(), why));
  };
  for (const std::string name : files)
    for (const std::string& place : {name, name + ".part"}) {
      if (!files::is_there(folder / place)) continue;
      if (!listed.contains(name))
        refuse(place, fmt::format("was not written by Slipwave (it is not in {})", file_list_name));
      if (!files::is_plain_file(folder / place))
        refuse(place, "is not the file that Slipwave wrote");
    }
  for (const char* name : series)
    if (files::is_there(folder / name) && !files::is_own_folder(folder / name))
      refuse(name, "is a link or a file, where frames would be written,");
}

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code error;
  return fs::equivalent(one, other, error);
}

std::string shortened(const fs::path& path) {
  const std::string text = path.string();
  return text.size() > 200 ? text.substr(0, 200) + "..." : text;
}

/// Whatever is in it, results or a study can be written into a folder of this name.
void require_possible(const fs::path& folder, const std::string& what) {
  if (is_same_file(folder, "/"))
    throw UserError(
        fmt::format("{}: is the root of all files; expected a folder for the {} (--out)",
                    folder.string(), what));
  const bool there = files::is_there(folder);
  if (!there && errno == ENAMETOOLONG)
    throw UserError(
        fmt::format("{}: the name is too long, {} characters; choose a shorter one (--out)",
                    shortened(folder), folder.string().size()));
  if (there && !files::is_folder(folder))
    throw UserError(
        fmt::format("{}: is a file; expected a folder for the {} (--out)", folder.string(), what));
}

}  // namespace

void check_output_folder(const fs::path& folder, const fs::path& case_file, bool force,
                         bool resume) {
  require_possible(folder, "results");
  const bool has_own_case =
      has_unlisted_results(folder) || listed_files(folder).contains("case.toml");
  if (force || !resume || !has_own_case) require_other_case_file(folder, case_file);
  if (!force && !resume && has_results(folder))
    throw UserError(folder.string() +
                    ": already has results; choose another folder with --out, go on with --resume, "
                    "or replace them with --force");
  require_ours(folder);
}

void check_study_folder(const fs::path& folder, const fs::path& study_file) {
  require_possible(folder, "study");
  if (is_same_file(folder / "study.toml", study_file))
    throw UserError(folder.string() +
                    ": the study would replace its own file; choose another folder with --out");
}

void require_other_case_file(const fs::path& folder, const fs::path& case_file) {
  if (is_same_file(folder / "case.toml", case_file))
    throw UserError(folder.string() +
                    ": the results would replace the case file; choose another folder with --out");
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
  if (!files::is_folder(folder))
    throw UserError(fmt::format("{}: cannot be made: {}", shortened(folder), error.message()));
  try {
    try_file_list(folder);
  } catch (const files::OutputError& failure) {
    if (failure.may_be_room()) throw;
    throw UserError(shortened(folder) + ": cannot be written to");
  }
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
  if (has_unlisted_results(folder)) list_old_results(folder);
  remove_listed_parts(folder);
  remove_listed(folder, [](const std::string&) { return true; });
  remove_file_list(folder);
}

void remove_results_after(const fs::path& folder, int step) {
  if (has_unlisted_results(folder)) list_old_results(folder);
  remove_listed_parts(folder);
  remove_listed(folder, [&](const std::string& name) {
    return name == "summary.json" || name == "waves.json" || step_of_problem(name) > step;
  });
}

void write_result(const fs::path& folder, const std::string& name,
                  const std::function<void(std::ostream&)>& write) {
  if (has_file_list(folder)) list_file(folder, name);
  files::write_whole(folder / name, write);
}

}  // namespace slipwave::app
