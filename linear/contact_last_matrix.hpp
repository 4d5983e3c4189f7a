#pragma once

#include "linear/factor.hpp"
#include "linear/step_matrix.hpp"

namespace slipwave::linear {

/// The matrix of a step by its Cholesky factor with the dofs of the contacts last: begin() is one
/// forward solve and the trailing block backwards, finish() the trailing block forward and one
/// backward solve. The permuted vector is formed and read stretch by stretch, never copied whole.
class ContactLastMatrix : public StepMatrix {
 public:
  /// Throws NotPositiveDefinite with the dof where A fails.
  ContactLastMatrix(const fem::SparseMatrix& A, const StepDofs& dofs);

  Eigen::MatrixXd on_contacts() const override;
  void begin(Form b, Eigen::VectorXd& x) override;
  void finish(const Eigen::VectorXd& f, Eigen::VectorXd& x, Use use) override;
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const override;
  std::size_t stored_values() const override { return factor_.L().stored_values(); }

  const ContactLastFactor& factor() const { return factor_; }

 private:
  int dof_count() const { return static_cast<int>(place_.size()); }

  StepDofs dofs_;
  ContactLastFactor factor_;
  std::vector<int> place_;             // of each dof in the factor's order, -1 if not free
  std::vector<int> free_on_contacts_;  // the contacts' dofs that are free, in the factor's order
  Eigen::VectorXd y_, y_last_;         // of the step, in the factor's order
  mutable Eigen::VectorXd work_;       // of solve()
};

/// A ContactLastMatrix: what every integrator uses if nothing else is asked for.
std::unique_ptr<StepMatrix> contact_last(const fem::SparseMatrix& A, const StepDofs& dofs);

}  // namespace slipwave::linear
