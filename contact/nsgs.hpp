#pragma once

#include "contact/problem.hpp"
#include "contact/residual.hpp"

namespace slipwave::contact {

/// When to stop: both residuals at or below the tolerance, or after so many sweeps.
struct NsgsOptions {
  double tolerance = 1e-10;
  int max_sweeps = 10000;
};

/// What a solve did.
struct [[nodiscard]] NsgsReport {
  bool converged = true;
  int sweeps = 0;
  Residual residual;
  bool unique = true;   ///< false if a contact had mu |W_NT| >= W_NN
  int unsolvable = -1;  ///< a contact whose own problem had no solution in the last sweep, or -1
};

/// Nonsmooth Gauss–Seidel with the exact local solver, started from solution.p. Allocates nothing.
/// The impulses of inactive contacts are set to zero.
NsgsReport solve_nsgs(const Problem& problem, const NsgsOptions& options, Solution& solution);

}  // namespace slipwave::contact
