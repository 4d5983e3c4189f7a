#pragma once

#include "app/messages/user_error.hpp"

namespace slipwave::app {

/// Does what the words of a command line ask for; help and mistakes in them are printed. Throws
/// what the commands throw, and OutputError where what one prints cannot be written.
ExitCode run_command_line(int argc, char** argv);

}  // namespace slipwave::app
