#pragma once

#include <stdexcept>
#include <string>

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
  no_room = 4,      ///< the results could not be written
  out_of_time = 5,  ///< time.wall_limit came before the end
  interrupted = 130,
  terminated = 143
};

}  // namespace slipwave::app
