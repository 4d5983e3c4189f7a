#pragma once

#include "app/messages/user_error.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// What `slipwave solve --compare` is asked for.
struct CompareOptions {
  std::vector<std::string> files;
  double tolerance = 1e-10;
  int threads = 1;
  double limit = 20.0;  ///< s, for one solve
  std::string out = "results/compare";
};

/// Solves every file with every method of ours that suits it and, where the program
/// slipwave_siconos is found, with those of Siconos, all judged by our certificate. Prints a table
/// and the performance profile, and writes compare.csv, profile.csv and profile.svg into a folder.
/// Returns step_failed where auto leaves a file without certificate, bad_input where a file is no
/// problem (which is said, and the others go on), interrupted or terminated after a signal, with
/// what there is written.
ExitCode compare_solvers(const CompareOptions& options);

}  // namespace slipwave::app
