#pragma once

#include "files/sha256.hpp"

#include <filesystem>
#include <string>

namespace slipwave::app {

/// How far a file has come, and what is in it so far.
struct FileMark {
  long bytes = 0;      ///< 0: nothing is written yet
  std::string sha256;  ///< of these bytes
};

/// Throws UserError where a file is shorter than its mark, or what it has up to there was changed.
void require_unchanged(const std::filesystem::path& file, const FileMark& mark);

/// A file of lines that grows during a run. What a reader finds ends with a whole line, after a
/// full disk too.
class AppendedFile {
 public:
  /// Makes the file with a first line, or goes on after the mark of one that is there: what follows
  /// it goes. The file is in the list of those that Slipwave wrote into the folder. Throws
  /// OutputError, and UserError where the file is shorter than the mark or was changed.
  AppendedFile(std::filesystem::path file, const std::string& first_line, const FileMark& mark);
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  /// Takes a line in, its end included; now and then the lines go to the file.
  void add(const std::string& line);
  /// Hands all lines to the system. Throws OutputError.
  void flush();
  /// The same, and returns when they would survive the machine's going out.
  void sync();
  /// Of everything taken in.
  FileMark mark() const;

 private:
  void make(const std::string& first_line);
  void go_on_after(const FileMark& mark);

  std::filesystem::path file_;
  int descriptor_ = -1;
  long written_ = 0;
  std::string waiting_;
  files::Sha256 hash_;  // of all lines taken in
};

}  // namespace slipwave::app
