#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>

namespace slipwave::app {

/// Throws UserError if the folder already has results that may neither be replaced nor resumed, if
/// the case file is one of those to be replaced, if something that is not Slipwave's is in the way,
/// or if the folder is a file. To be asked again once the folder is locked.
void check_output_folder(const std::filesystem::path& folder,
                         const std::filesystem::path& case_file, bool force, bool resume);

/// Throws UserError if a study may not be written into a folder: it is a file, its name is too
/// long, or the study file is in it under the name that the folder's own copy has.
void check_study_folder(const std::filesystem::path& folder,
                        const std::filesystem::path& study_file);

/// Throws UserError if the case file is the one that a run would write.
void require_other_case_file(const std::filesystem::path& folder,
                             const std::filesystem::path& case_file);

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

/// Writes a file in a folder of results whole, NAME or FOLDER/NAME, which goes into the folder's
/// list of files (app/results/file_list.hpp) if it keeps one.
void write_result(const std::filesystem::path& folder, const std::string& name,
                  const std::function<void(std::ostream&)>& write);

}  // namespace slipwave::app
