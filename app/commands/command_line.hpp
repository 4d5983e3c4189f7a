#pragma once

#include "app/messages/user_error.hpp"

#include <string>

namespace slipwave::app {

/// Does what the words of a command line ask for; help and mistakes in them are printed. Throws
/// what the commands throw, and OutputError where what one prints cannot be written.
ExitCode run_command_line(int argc, char** argv);

/// Prints one line to stderr that can be read, whatever line breaks and lengths a name or a value
/// brought into the message.
void print_error(std::string message);

}  // namespace slipwave::app
