#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>

namespace slipwave::files {

/// A file cannot be read. The message names it.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file could not be written, most often because the disk is full. The message names it.
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

}  // namespace slipwave::files
