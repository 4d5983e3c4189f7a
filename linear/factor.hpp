#pragma once

#include "fem/assembly.hpp"
#include "linear/supernodal_triangle.hpp"

#include <Eigen/Core>
#include <stdexcept>
#include <string>
#include <vector>

namespace slipwave::linear {

/// A matrix that is not positive definite; `row` is the row of the matrix where the factorisation
/// stopped.
class NotPositiveDefinite : public std::runtime_error {
 public:
  explicit NotPositiveDefinite(int row);
  int row = 0;
};

/// Sparse Cholesky factor A = P^T L L^T P of a symmetric positive definite matrix in which a chosen
/// list of unknowns comes last, in the given order (docs/theory.md section 10). With L_cc the
/// trailing block of those unknowns, the part of A^-1 on them is (L_cc L_cc^T)^-1: a right-hand
/// side that touches only them needs only L_cc. CHOLMOD orders (METIS on the graph in which the
/// last unknowns form a clique) and factorises, on one thread so that the bits do not depend on the
/// machine's load; the solves are our own kernels over its supernodes and allocate nothing.
class ContactLastFactor {
 public:
  /// Only the lower triangle of A is read. Throws NotPositiveDefinite.
  ContactLastFactor(const fem::SparseMatrix& A, const std::vector<int>& last);

  int size() const { return L_.size(); }
  int last_count() const { return L_.last_count(); }
  /// The triangle L, in the factor's order.
  const SupernodalTriangle& L() const { return L_; }
  /// position(i): where unknown i of A stands in the factor's order.
  const std::vector<int>& position() const { return position_; }

  /// (L_cc L_cc^T)^-1: the rows and columns of A^-1 that belong to the last unknowns, dense.
  Eigen::MatrixXd inverse_on_last() const;
  /// x := A^-1 x in the order of A; allocates, for set-up work.
  Eigen::VectorXd solve(const Eigen::VectorXd& x) const;

 private:
  SupernodalTriangle L_;
  std::vector<int> position_;
};

/// Version of CHOLMOD, such as "3.0.14".
std::string cholmod_version_string();

/// Name and version of the BLAS that CHOLMOD uses where it says so, such as "OpenBLAS 0.3.21".
std::string blas_version_string();

}  // namespace slipwave::linear
