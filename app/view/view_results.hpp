#pragma once

#include "app/messages/user_error.hpp"

#include <filesystem>
#include <optional>

namespace slipwave::app {

/// What `slipwave view` was asked for.
struct ViewOptions {
  std::filesystem::path folder;
  std::optional<double> warp;  ///< displacements are drawn so many times as large; view.py says 100
  bool open = true;            ///< start ParaView if it is there
  bool force = false;          ///< replace a view.py that somebody changed
};

/// Writes view.py, a script for ParaView, beside the results of a run, and opens it if ParaView is
/// installed and there is a screen; else prints what to type. A view.py that differs is kept.
/// Throws UserError where the folder has no frames.
ExitCode view_results(const ViewOptions& options);

}  // namespace slipwave::app
