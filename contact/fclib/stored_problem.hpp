#pragma once

#include "contact/problem.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace slipwave::contact {

/// A file that cannot be read or written: the message names the file, what is wrong and what was
/// expected.
class FclibError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// "file: what is wrong".
  FclibError(const std::filesystem::path& file, const std::string& what)
      : std::runtime_error(file.string() + ": " + what) {}
};

/// A contact problem as a file holds it: any W, also one that is not a Delassus operator.
struct StoredProblem {
  int dimension = 2;              ///< rows per contact, 2 or 3
  Eigen::SparseMatrix<double> W;  ///< as it is given: perhaps unsymmetric, perhaps singular
  Eigen::VectorXd b;              ///< FCLIB's q
  Eigen::VectorXd mu;             ///< one per contact
  std::string title;
  std::string description;

  int contact_count() const { return static_cast<int>(mu.size()); }
};

/// A problem before condensation: M v = H r + f, u = H^T v + w.
struct StoredGlobalProblem {
  int dimension = 2;              ///< columns of H per contact, 2 or 3
  Eigen::SparseMatrix<double> M;  ///< n x n, as it is given
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

/// How far a square matrix is from symmetric: |A − Aᵀ| / |A| in the Frobenius norm, between 0
/// (symmetric to the last bit) and 2 (skew); 0 for A = 0. Any size of its numbers.
double skewness(const Eigen::SparseMatrix<double>& A);

/// The problem with all contacts active. Dense: (dimension * contacts)^2 doubles. Throws
/// std::invalid_argument where W is none of a contact problem: see DenseBand.
Problem problem_of(const StoredProblem& stored);
/// A problem's active contacts as a problem of their own.
StoredProblem active_part(const Problem& problem);
/// The same of bodies: a global problem with f = 0, w = b.
StoredGlobalProblem active_part(const BodyProblem& problem);
/// The same of a solution.
StoredSolution active_part(const Problem& problem, const Solution& solution);
/// The same of bodies: v is what the impulses add to their velocities.
StoredSolution active_part(const BodyProblem& problem, const Solution& solution);

}  // namespace slipwave::contact
