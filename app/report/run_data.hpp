#pragma once

#include "app/results/json.hpp"

#include <filesystem>

namespace slipwave::app {

/// Everything a page shows of a run: the texts of summary.json and case.toml, the energy curves,
/// the trajectory, the interface with its waves, the movie, or the scene of rigid bodies. What the
/// folder does not have is left out, and `missing` says what and how to get it. The page is shared
/// by `runs` of them, which decides how much each may bring. Throws UserError where the folder is
/// no run's.
Json run_data(const std::filesystem::path& folder, int runs);

}  // namespace slipwave::app
