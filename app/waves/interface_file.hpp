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
  /// The first `kept` rows of a file of the same lines that is there go over to the new one.
  /// Throws OutputError naming the file, and UserError if it has fewer rows.
  InterfaceFile(const std::filesystem::path& file, const InterfaceHistory& lines,
                const std::map<std::string, std::string>& units, int rows_at_once, int kept = 0);
  ~InterfaceFile();

  /// Adds the first rows of a history of the same lines.
  void append(const InterfaceHistory& history, int rows);
  /// Returns when everything so far would survive the machine's going out.
  void sync() const;

 private:
  struct Tables;
  void copy_rows(InterfaceHistory block, int rows_at_once, int count);

  std::filesystem::path file_;
  std::unique_ptr<Tables> tables_;
};

/// Reads interface.h5, of a run that goes on too. Throws UserError naming the file and what is
/// missing in it.
InterfaceHistory read_interface_history(const std::filesystem::path& file);

}  // namespace slipwave::app
