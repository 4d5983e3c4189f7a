#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// The command line of `slipwave run`.
struct RunOptions {
  std::string case_file;
  std::string out;                ///< empty: results/CASE
  std::optional<int> steps;       ///< instead of time.end
  std::vector<std::string> set;   ///< KEY=VALUE
  std::vector<int> dump_problem;  ///< steps whose contact problem is written
  int threads = 1;
  bool force = false;
  bool resume = false;  ///< from the newest checkpoint of the folder
  bool quiet = false;
  bool trust = false;  ///< let Gmsh do all that the mesh file says
  /// When the run began, for time.wall_limit.
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

}  // namespace slipwave::app
