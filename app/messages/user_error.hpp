#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>

namespace slipwave::app {

/// Something the user gave cannot be used. The message is one line: where, what, what was expected.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file of the results could not be written, most often because the disk is full. The message
/// names the file.
class OutputError : public std::runtime_error {
 public:
  /// The reason is a value of errno, or 0 where nobody knows it.
  explicit OutputError(const std::string& message, int reason = 0)
      : std::runtime_error(message), reason_(reason) {}
  /// Whether room on the disk may be what is missing.
  bool may_be_room() const { return reason_ == 0 || reason_ == ENOSPC || reason_ == EDQUOT; }

 private:
  int reason_;
};

/// How the program ends.
enum ExitCode {
  success = 0,
  internal_error = 1,
  bad_input = 2,
  step_failed = 3,
  no_room = 4,      ///< the results could not be written
  out_of_time = 5,  ///< time.wall_limit came before the end
  interrupted = 130,
  terminated = 143
};

}  // namespace slipwave::app
