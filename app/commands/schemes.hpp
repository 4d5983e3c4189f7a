#pragma once

#include "app/messages/user_error.hpp"

namespace slipwave::app {

/// Prints every scheme with its parameters, order, conditions and references.
ExitCode list_schemes();

}  // namespace slipwave::app
