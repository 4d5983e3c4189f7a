#pragma once

#include "app/messages/units.hpp"
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
                const Units& units, int rows_at_once, int kept = 0);
  ~InterfaceFile();
  InterfaceFile(const InterfaceFile&) = delete;
  InterfaceFile& operator=(const InterfaceFile&) = delete;

  /// Adds the first rows of a history of the same lines. Throws OutputError.
  void append(const InterfaceHistory& history, int rows);
  /// Returns when everything so far would survive the machine's going out.
  void sync() const;
  /// Closes the file and puts a compact one in its place, whose bytes depend on the rows alone and
  /// not on when they came. Nothing can be added any more. Throws OutputError; what is there then
  /// can still be read as if its writer had been killed.
  void finish();

 private:
  struct Tables;
  void create(const std::filesystem::path& part);
  void copy_rows(int count);
  void write_compact(const std::filesystem::path& part);
  void append_to_tables(const InterfaceHistory& history, int rows);
  void require_written() const;
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path file_;
  InterfaceHistory layout_;  // the lines without rows
  Units units_;
  int rows_at_once_;
  int error_ = 0;                   // of the first write that failed, as errno has it
  std::unique_ptr<Tables> tables_;  // none once it is finished
};

/// Finishes a file whose writer was killed: it is marked as being written, and other programs
/// refuse it. Does nothing to one that is finished, or not there. Throws UserError where it is
/// damaged, and OutputError.
void finish_interface_file(const std::filesystem::path& file, const Units& units);

/// Reads interface.h5, of a run that goes on too. Throws UserError naming the file and what is
/// missing in it; a file that is damaged is never waited for.
InterfaceHistory read_interface_history(const std::filesystem::path& file);

}  // namespace slipwave::app
