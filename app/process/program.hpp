#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::app {

/// A program and its arguments. It is looked for in PATH unless its name has a slash.
using Command = std::vector<std::string>;

/// Starts a program that is killed should this one end; both its streams go to a log, made anew.
/// Returns its process, to be waited for. Throws std::system_error where it cannot be started.
pid_t start_logged(const Command& command, const std::filesystem::path& log);

/// Starts a program that outlives this one and its terminal, without streams. Throws
/// std::system_error where it cannot be started.
void start_detached(const Command& command);

/// What a program said on both streams, without the end of the last line, and whether it succeeded.
struct Answer {
  std::string text;
  bool succeeded = false;
};

/// Runs a program to its end; one that cannot be started has not succeeded, and the text says why.
Answer answer_of(const Command& command);

}  // namespace slipwave::app
