#pragma once

#include "app/messages/user_error.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// The command line of `slipwave solve`.
struct SolveOptions {
  std::vector<std::string> files;
  std::string method = "auto";
  double tolerance = 1e-10;
  int threads = 1;
  bool write_solution = false;          ///< store r and u (and v of a global problem) in the file
  bool compare = false;                 ///< all methods side by side: see app/solve/compare.hpp
  std::string out = "results/compare";  ///< folder for what was compared
  double limit = 20.0;                  ///< s, for one solve that is compared
};

/// What --method may be.
std::vector<std::string> solve_methods();

/// Solves contact problems in FCLIB form one after the other and prints how well, or compares
/// solvers on them. Returns step_failed for a solution without certificate. Throws UserError for a
/// file that cannot be read or written, and for a problem that is not one; of several files that is
/// said, the others are solved, and the largest exit code is returned.
ExitCode solve_problems(const SolveOptions& options);

}  // namespace slipwave::app
