#pragma once

#include <stdexcept>

namespace slipwave::app {

/// Something the user gave cannot be used. The message is one line: where, what, what was expected.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How the program ends.
enum ExitCode {
  success = 0,
  internal_error = 1,
  bad_input = 2,
  step_failed = 3,
  interrupted = 130
};

}  // namespace slipwave::app
