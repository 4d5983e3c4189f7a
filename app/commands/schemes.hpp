#pragma once

#include "app/run/run_case.hpp"

namespace slipwave::app {

/// Prints every scheme with its parameters, order, conditions and references.
ExitCode list_schemes();

}  // namespace slipwave::app
