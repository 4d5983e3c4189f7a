#pragma once

#include "fem/gmsh/sandbox.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>

namespace slipwave::fem {

/// What a child process may use; zero where there is no limit.
struct ChildLimits {
  int seconds = 0;            ///< of computing
  std::size_t bytes = 0;      ///< of memory, beyond what the parent has
  double wall_seconds = 0.0;  ///< from its start, whatever it does
};

/// How a child process ended.
struct [[nodiscard]] ChildResult {
  std::optional<std::string> output;       ///< what the work returned, if it came to its end
  int signal = 0;                          ///< the signal that ended the process, if one did
  bool out_of_time = false;                ///< whether the wall seconds ended it
  std::size_t most_bytes = 0;              ///< of memory that it had in use at once
  bool confined = true;                    ///< false where the system refused, and nothing was run
  Deed forbidden;                          ///< what ended a confined process
  std::set<std::filesystem::path> opened;  ///< by a confined process, beside its file
};

/// Runs the work in a child process: whatever a library does there, to crash, to exit, to loop or
/// to fill the memory, is a value here. Nothing that it prints reaches the terminal. Costs a few
/// milliseconds. With `confined_to` the child is confined to what that file describes, as
/// confine() says, and ends with the first forbidden deed. Throws std::system_error where the
/// system has no process to give, or does not say how it ended.
ChildResult run_in_child(const std::function<std::string()>& work, const ChildLimits& limits = {},
                         const std::optional<std::filesystem::path>& confined_to = std::nullopt);

}  // namespace slipwave::fem
