#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>

namespace slipwave::app {

/// Throws UserError if the folder already has results and they may not be replaced, if the case
/// file is one of them, or if the folder is a file.
void check_output_folder(const std::filesystem::path& folder,
                         const std::filesystem::path& case_file, bool force);

/// Makes the folder, removing the results of an earlier run (and nothing else) first.
/// Throws UserError where the folder cannot be written to.
void prepare_output_folder(const std::filesystem::path& folder);

/// Writes a file under a temporary name and renames it, so that a reader never sees half of it.
/// Throws std::runtime_error naming the file when it cannot be written.
void write_whole(const std::filesystem::path& file,
                 const std::function<void(std::ostream&)>& write);

/// A file's text, empty where it cannot be read.
std::string text_of(const std::filesystem::path& file);

}  // namespace slipwave::app
