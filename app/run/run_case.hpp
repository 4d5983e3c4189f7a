#pragma once

#include "app/messages/user_error.hpp"
#include "app/run/run_options.hpp"

namespace slipwave::app {

/// Runs a case from mesh to movie. Throws UserError or fem::MeshError before anything is written.
ExitCode run_case(const RunOptions& options);

}  // namespace slipwave::app
