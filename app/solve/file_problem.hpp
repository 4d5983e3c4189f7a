#pragma once

#include "app/solve/mass_factor.hpp"
#include "app/solve/scaling.hpp"
#include "contact/fclib/fclib.hpp"
#include "contact/problem.hpp"
#include "contact/residual.hpp"
#include "contact/solvers/options.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

namespace slipwave::app {

/// A contact problem of a file, ready to be solved in the form that suits it: W as a dense band
/// (plane problems whose W is full, as those of elastic bodies, and where newton is asked for), W
/// by blocks, or bodies whose W is never formed. Of a problem in both forms the local one is
/// solved, and the other is read only for v.
struct FileProblem {
  std::filesystem::path file;
  std::string title;
  contact::StoredForm form = contact::StoredForm::local;
  int unknowns = 0;       ///< of the global form
  double skewness = 0.0;  ///< of W, or of M: |A − Aᵀ| / |A|
  int rank = 0;  ///< of W where it is singular, perhaps less; 0 where it is regular, or not known
  Scaling scaling;
  std::variant<contact::Problem, contact::SparseProblem, contact::BodyProblem> problem;
  std::optional<contact::StoredSolution> stored;  ///< the solution in the file
  std::optional<contact::StoredGlobalProblem> global;
  std::optional<MassFactor> mass;  ///< of the global form, where that is read

  int dimension() const;
  int contact_count() const;
};

/// Reads a problem to solve it with this method; with v where a solution is going to be stored.
/// Throws contact::FclibError, and std::invalid_argument where it is none that can be solved.
FileProblem read_problem(const std::filesystem::path& file, contact::Method method, bool with_v);

/// What a method made of a problem.
struct Solved {
  contact::SolverReport report;
  contact::Solution solution;  ///< of the scaled problem
  double seconds = 0.0;        ///< with all that the method prepares
};

/// Solves it from p = 0.
Solved solve(const FileProblem& problem, const contact::SolverOptions& options);

/// Both residuals of impulses, those of the file itself, not of the scaled problem.
contact::Residual residual_of(const FileProblem& problem, const Eigen::VectorXd& p);

}  // namespace slipwave::app
