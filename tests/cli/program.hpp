#pragma once

#include "tests/support/temporary_folder.hpp"

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

using tests::TemporaryFolder;

/// How a program ended and what it said.
struct ProgramResult {
  int exit_code = 0;  ///< minus the signal's number where a signal ended it
  std::string out, err;
};

/// A program running in a working directory, without a shell in between and without a terminal.
class Program {
 public:
  Program(const std::vector<std::string>& command, const std::filesystem::path& working_directory);
  ~Program();  ///< ends it if it still runs
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool running();
  void interrupt() const;  ///< what Ctrl-C does
  void terminate() const;  ///< what batch systems do before a time limit
  void kill() const;       ///< what nobody can answer
  /// Waits for its end; after the timeout it is killed, which gives the exit code -9.
  ProgramResult wait(std::chrono::seconds timeout = std::chrono::seconds(120));

 private:
  TemporaryFolder captured_;
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

/// Runs slipwave to its end.
ProgramResult slipwave(std::vector<std::string> arguments,
                       const std::filesystem::path& working_directory);

/// A file's text, empty where there is none.
std::string read_text(const std::filesystem::path& file);
/// Writes a file.
void write_text(const std::filesystem::path& file, const std::string& text);
/// The lines of a text, without their ends.
std::vector<std::string> lines_of(const std::string& text);
/// The fields of a row of comma-separated values.
std::vector<std::string> fields_of(const std::string& row);
/// The value at a dotted path of a JSON file, as Python reads and prints it.
std::string json_value(const std::filesystem::path& file, const std::string& path);
/// The files that a ParaView collection lists.
std::vector<std::filesystem::path> files_of_collection(const std::filesystem::path& pvd);

}  // namespace slipwave::cli_tests
