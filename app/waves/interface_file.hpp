#pragma once

#include "app/waves/interface_history.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace slipwave::app {

/// interface.h5 while it is written: chunked, compressed, and readable by others all the time.
class InterfaceFile {
 public:
  /// Makes the file with everything of the lines that does not change; `units` are those of a case.
  /// Throws std::runtime_error naming the file.
  InterfaceFile(const std::filesystem::path& file, const InterfaceHistory& lines,
                const std::map<std::string, std::string>& units, int rows_at_once);
  ~InterfaceFile();

  /// Adds the first rows of a history of the same lines.
  void append(const InterfaceHistory& history, int rows);

 private:
  struct Tables;
  std::filesystem::path file_;
  std::unique_ptr<Tables> tables_;
};

/// Reads interface.h5, of a run that goes on too. Throws UserError naming the file and what is
/// missing in it.
InterfaceHistory read_interface_history(const std::filesystem::path& file);

}  // namespace slipwave::app
