#pragma once

#include "contact/fclib/stored_problem.hpp"
#include "linear/factor.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <memory>
#include <optional>

namespace slipwave::app {

/// The factor of a global problem's M, symmetric or not.
class MassFactor {
 public:
  /// Throws std::invalid_argument where M is singular, or symmetric and not positive definite.
  explicit MassFactor(const contact::StoredGlobalProblem& global);

  /// M⁻¹ f.
  Eigen::VectorXd solve(const Eigen::VectorXd& f) const;
  /// W = Hᵀ M⁻¹ H, b = Hᵀ M⁻¹ f + w: the local problem of a global one. Where M is symmetric and H
  /// touches few unknowns they come last and M⁻¹ is formed on them alone; otherwise one solve per
  /// column of H.
  contact::StoredProblem condensed(const contact::StoredGlobalProblem& global) const;

 private:
  Eigen::MatrixXd delassus(const Eigen::SparseMatrix<double>& H) const;

  std::optional<linear::ContactLastFactor> symmetric_;
  std::unique_ptr<Eigen::SparseLU<Eigen::SparseMatrix<double>>> unsymmetric_;
};

}  // namespace slipwave::app
