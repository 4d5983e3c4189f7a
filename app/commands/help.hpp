#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace slipwave::app {

/// Gives the program and each of its commands examples in their --help. Every command has some.
void add_examples(CLI::App& app);

/// Of words that could not be understood, the first that is no command or no option, with the
/// nearest there is; empty where the trouble is another.
std::string wrong_word(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace slipwave::app
