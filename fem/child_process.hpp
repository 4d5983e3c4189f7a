#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace slipwave::fem {

/// What a child process may use; zero where there is no limit.
struct ChildLimits {
  int seconds = 0;        ///< of computing
  std::size_t bytes = 0;  ///< of memory, beyond what the parent has
};

/// How a child process ended.
struct [[nodiscard]] ChildResult {
  std::optional<std::string> output;  ///< what the work returned, if it came to its end
  int signal = 0;                     ///< the signal that ended the process, if one did
};

/// Runs the work in a child process: whatever a library does there, to crash, to exit, to loop or
/// to fill the memory, is a value here. Nothing that it prints reaches the terminal. Costs a few
/// milliseconds. Throws std::system_error where the system has no process to give.
ChildResult run_in_child(const std::function<std::string()>& work, const ChildLimits& limits = {});

}  // namespace slipwave::fem
