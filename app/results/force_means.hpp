#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace slipwave::app {

/// The means of the columns of forces.csv over the second half of a run, by name.
struct ForceMeans {
  double from = 0.0, to = 0.0;  ///< the time they are of
  std::vector<std::pair<std::string, double>> means;
};

/// Reads forces.csv row by row up to a time `end`, in little memory; nothing where there is none.
ForceMeans force_means(const std::filesystem::path& folder, double end);

}  // namespace slipwave::app
