#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>

namespace slipwave::app {

/// Throws UserError if the folder already has results that may neither be replaced nor resumed, if
/// the case file is one of those to be replaced, or if the folder is a file.
void check_output_folder(const std::filesystem::path& folder,
                         const std::filesystem::path& case_file, bool force, bool resume);

/// Keeps other runs out of a folder while it lives.
class FolderLock {
 public:
  /// Throws UserError where another run writes into the folder.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

/// Makes the folder if it is not there. Throws UserError where it cannot be written to.
void make_output_folder(const std::filesystem::path& folder);

/// Bytes of all files in a folder.
double size_of_folder(const std::filesystem::path& folder);
/// Removes the results of an earlier run, and nothing else.
void remove_results(const std::filesystem::path& folder);
/// Removes what was made of a run's results, and the contact problems of later steps, for a run
/// that goes on after a step.
void remove_results_after(const std::filesystem::path& folder, int step);

/// Writes a file under a temporary name and renames it, so that a reader never sees half of it.
/// Throws OutputError naming the file when it cannot be written.
void write_whole(const std::filesystem::path& file,
                 const std::function<void(std::ostream&)>& write);

/// Throws OutputError saying that a file could not be written, and why if errno knows.
[[noreturn]] void fail_to_write(const std::filesystem::path& file);

/// Returns when what was written to a file, or the names in a folder, would survive the machine's
/// going out. Throws OutputError naming it.
void sync_to_disk(const std::filesystem::path& file);

/// A file's text, empty where it cannot be read.
std::string text_of(const std::filesystem::path& file);

}  // namespace slipwave::app
