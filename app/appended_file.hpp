#pragma once

#include <filesystem>
#include <string>

namespace slipwave::app {

/// A file of lines that grows during a run. What a reader finds ends with a whole line, after a
/// full disk too.
class AppendedFile {
 public:
  /// Makes the file with a first line, in place of one that is there. Throws OutputError.
  AppendedFile(std::filesystem::path file, const std::string& first_line);
  /// Opens a file to go on after so many bytes; what follows them goes. Throws UserError where the
  /// file is shorter or no line ends there.
  AppendedFile(std::filesystem::path file, long length);
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  /// Takes a line in, its end included; now and then the lines go to the file.
  void add(const std::string& line);
  /// Hands all lines to the system. Throws OutputError.
  void flush();
  /// The same, and returns when they would survive the machine's going out.
  void sync();
  /// Bytes with everything taken in.
  long length() const { return written_ + static_cast<long>(waiting_.size()); }

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  long written_ = 0;
  std::string waiting_;
};

}  // namespace slipwave::app
