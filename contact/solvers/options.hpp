#pragma once

#include "contact/residual.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace slipwave::contact {

/// Ways to solve the contact problem: see contact/solvers/solver.hpp.
enum class Method { automatic, nsgs, newton, projected_gradient, proximal_newton, interior_point };

/// The methods by the names that people give them.
inline constexpr std::array<std::pair<std::string_view, Method>, 6> methods{
    {{"auto", Method::automatic},
     {"nsgs", Method::nsgs},
     {"newton", Method::newton},
     {"projected-gradient", Method::projected_gradient},
     {"proximal-newton", Method::proximal_newton},
     {"interior-point", Method::interior_point}}};

/// The name of a method.
constexpr std::string_view name_of(Method method) {
  for (const auto& [name, named] : methods)
    if (named == method) return name;
  return {};
}

/// How to solve, and when to stop: both residuals at or below the tolerance, or so many iterations.
struct SolverOptions {
  Method method = Method::automatic;
  double tolerance = 1e-10;
  int max_iterations = 10000;  ///< sweeps, or iterations of the other methods
  double relaxation = 1.0;     ///< of nsgs, in (0, 2): above 1 extrapolates each local solution
};

/// What a solve did. Converged means certified: both residuals over all entries of W.
struct [[nodiscard]] SolverReport {
  bool converged = false;
  int iterations = 0;  ///< of all methods that were tried
  Residual residual;
  Method finished_by = Method::automatic;  ///< the method whose answer this is
  bool fell_back = false;                  ///< newton gave up, and nsgs was asked
  /// false if an active contact has mu |W_NT| >= W_NN: then several solutions may exist, or none.
  bool unique = true;
  /// In 2D where not unique: a contact whose own problem, the others held, has several solutions or
  /// a continuum of them; or -1.
  int several = -1;
  int unsolvable = -1;  ///< a contact whose own problem had no solution in the last sweep, or -1
};

}  // namespace slipwave::contact
