#pragma once

#include "contact/problem.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

/// The interchange format of the Frictional Contact Library [ABKP14]: HDF5 files that other contact
/// solvers read and write. Its local problem is ours, letter for letter: u = W r + q with the
/// normal first in each contact, K* ∋ u + (mu |u_T|, 0) ⊥ r ∈ K; their q is our b, their r our p,
/// their u our w.
///
/// libfclib ends the program on most errors. So everything it will read is looked at first, and
/// what is wrong becomes an FclibError.
namespace slipwave::contact {

/// A file that cannot be read or written: the message names the file, what is wrong and what was
/// expected.
class FclibError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A contact problem as a file holds it: any W, also one that is not a Delassus operator.
struct StoredProblem {
  int dimension = 2;   ///< rows per contact, 2 or 3
  Eigen::MatrixXd W;   ///< dense
  Eigen::VectorXd b;   ///< FCLIB's q
  Eigen::VectorXd mu;  ///< one per contact
  std::string title;
  std::string description;

  int contact_count() const { return static_cast<int>(mu.size()); }
};

/// A problem before condensation: M v = H r + f, u = H^T v + w.
struct StoredGlobalProblem {
  int dimension = 2;              ///< columns of H per contact, 2 or 3
  Eigen::SparseMatrix<double> M;  ///< n x n
  Eigen::SparseMatrix<double> H;  ///< n x (dimension * contacts): the transpose of our H
  Eigen::VectorXd f;              ///< n
  Eigen::VectorXd w;              ///< one per column of H
  Eigen::VectorXd mu;             ///< one per contact
  std::string title;
  std::string description;

  int contact_count() const { return static_cast<int>(mu.size()); }
};

/// A solution beside a problem.
struct StoredSolution {
  Eigen::VectorXd r;  ///< impulses
  Eigen::VectorXd u;  ///< local velocities
  Eigen::VectorXd v;  ///< global velocities; empty for a local problem
};

/// The forms of its problem that a file can hold.
enum class StoredForm { local, global, both };

/// Which form a file holds. Throws FclibError for a file that is missing, not HDF5, truncated or
/// without a problem, and where two forms are not of one size: they are two problems.
StoredForm stored_form(const std::filesystem::path& file);

/// Reads a problem; its matrices may be triplets or compressed by rows or columns. Throws
/// FclibError, also for a mixed problem: equations (V and R, or G) beside the contacts.
StoredProblem read_local_problem(const std::filesystem::path& file);
/// The same for a global problem.
StoredGlobalProblem read_global_problem(const std::filesystem::path& file);
/// The solution in a file that holds a problem, if there is one.
std::optional<StoredSolution> read_solution(const std::filesystem::path& file);

/// Writes a problem, with a solution if there is one, under a temporary name and renames it: an
/// older file of that name is replaced whole. Throws FclibError, also for a problem without
/// contacts, which the format does not know.
void write_local_problem(const std::filesystem::path& file, const StoredProblem& problem,
                         const std::optional<StoredSolution>& solution = std::nullopt);
/// The same for a global problem.
void write_global_problem(const std::filesystem::path& file, const StoredGlobalProblem& problem,
                          const std::optional<StoredSolution>& solution = std::nullopt);
/// Puts a solution into a file that holds a problem, in place of one that is there.
void write_solution(const std::filesystem::path& file, const StoredSolution& solution);

/// The problem with all contacts active. Throws std::invalid_argument where W is none of a contact
/// problem: see DenseBand.
Problem problem_of(const StoredProblem& stored);
/// A problem's active contacts as a problem of their own.
StoredProblem active_part(const Problem& problem);
/// The same of its solution.
StoredSolution active_part(const Problem& problem, const Solution& solution);

/// Version of libfclib, such as "3.1.0".
std::string fclib_version();

}  // namespace slipwave::contact
