#pragma once

#include "app/messages/user_error.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// The command line of `slipwave solve`.
struct SolveOptions {
  std::string file;
  std::string method = "auto";
  double tolerance = 1e-10;
  int threads = 1;
  bool write_solution = false;  ///< store r and u (and v of a global problem) in the file
};

/// What --method may be.
std::vector<std::string> solve_methods();

/// Solves a contact problem in FCLIB form and prints how well. Returns step_failed for a solution
/// without certificate. Throws UserError for a file that cannot be read or written, and for a
/// problem that is not one.
ExitCode solve_problem(const SolveOptions& options);

}  // namespace slipwave::app
