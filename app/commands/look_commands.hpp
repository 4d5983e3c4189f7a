#pragma once

#include "app/messages/user_error.hpp"

#include <CLI/CLI.hpp>

#include <functional>

namespace slipwave::app {

/// What the command line asks for.
using Action = std::function<ExitCode()>;

/// Lets an option be given several times, with one value each.
void take_all(CLI::Option* option);

/// The commands that look at the results of runs: waves, report, view, plot.
void add_look_commands(CLI::App& app, Action& action);

}  // namespace slipwave::app
