#pragma once

#include <string>
#include <vector>

namespace slipwave::app {

/// A word that a shell takes as it is.
std::string quoted(const std::string& word);

/// The words of a command as a line for a shell.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace slipwave::app
