#pragma once

#include "bench/sequences.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slipwave::bench {

/// Both for us and for Siconos; an answer counts if contact::residual() over all entries of W says
/// so.
constexpr double tolerance = 1e-10;

/// What one solver made of one problem.
struct Attempt {
  bool tried = false;  ///< false once a solver has used up its time
  bool certified = false;
  double seconds = 0.0;  ///< the shortest of all passes
  int iterations = 0;
};

/// One solver on a whole sequence.
struct Outcome {
  std::string solver;
  std::vector<Attempt> attempts;  ///< one per problem

  int certified() const;
  bool certified_all() const { return certified() == static_cast<int>(attempts.size()); }
  /// Of the seconds of the problems it tried.
  double median() const;
  double longest() const;
};

/// All solvers on a sequence.
struct Contest {
  int contacts = 0;
  double condition = 0.0;
  std::vector<Outcome> outcomes;

  const Outcome& of(const std::string& solver) const;
  /// The solver of Siconos with the smallest median among those that certify every problem.
  const Outcome* fastest_siconos() const;
  /// The smallest, over the problems, of what the fastest of Siconos that certifies a problem takes
  /// there over what `auto` takes; none where Siconos certifies none.
  std::optional<double> worst_ratio() const;
  /// Problems that a solver of Siconos certifies and `auto` does not.
  int lost() const;
};

/// Names of the solvers in 2D or 3D, ours first.
std::vector<std::string> solver_names(int dimension);

/// Solves a sequence several times over with every solver in turn on each problem, so that noise
/// hits all of them alike. Each solver starts from its own last certified answer.
Contest hold_contest(Sequence sequence);

}  // namespace slipwave::bench
