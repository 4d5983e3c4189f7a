#pragma once

#include "linear/step_matrix.hpp"
#include "linear/submatrix.hpp"

#include <Eigen/SparseCholesky>
#include <memory>

namespace slipwave::tests {

/// The matrix of a step by Eigen's simplicial Cholesky factorisation: whole solves, nothing shared
/// with linear::ContactLastMatrix but what both promise.
class SimplicialMatrix : public linear::StepMatrix {
 public:
  SimplicialMatrix(const fem::SparseMatrix& A, const linear::StepDofs& dofs)
      : dofs_(dofs), index_(linear::numbering(dofs.free, static_cast<int>(A.rows()))) {
    const int n = static_cast<int>(dofs.free.size());
    factor_.compute(Eigen::SparseMatrix<double>(linear::submatrix(A, index_, n, index_, n)));
    b_.setZero(A.rows());
  }

  Eigen::MatrixXd on_contacts() const override {
    const auto n = static_cast<Eigen::Index>(dofs_.contacts.size());
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd x(b_.size());
    for (Eigen::Index k = 0; k < n; ++k) {
      solve(Eigen::VectorXd::Unit(b_.size(), dofs_.contacts[static_cast<std::size_t>(k)]), x);
      result.col(k) = x(dofs_.contacts);
    }
    return result;
  }
  void begin(Form b, Eigen::VectorXd& x) override {
    b(0, static_cast<int>(b_.size()), b_.data());
    take(b_, dofs_.contacts, x);
  }
  void finish(const Eigen::VectorXd& f, Eigen::VectorXd& x, Use use) override {
    for (const int dof : dofs_.contacts) b_[dof] += f[dof];
    take(b_, dofs_.free, x);
    use(0, static_cast<int>(b_.size()));
  }
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const override {
    const Eigen::VectorXd b_free = b(dofs_.free), on_free = factor_.solve(b_free);
    x.setZero();
    x(dofs_.free) = on_free;
  }
  std::size_t stored_values() const override {
    return static_cast<std::size_t>(factor_.matrixL().nestedExpression().nonZeros());
  }

 private:
  /// x := A⁻¹b on those of the listed dofs that are free.
  void take(const Eigen::VectorXd& b, const std::vector<int>& listed, Eigen::VectorXd& x) const {
    const Eigen::VectorXd b_free = b(dofs_.free), on_free = factor_.solve(b_free);
    for (const int dof : listed)
      if (index_[static_cast<std::size_t>(dof)] >= 0)
        x[dof] = on_free[index_[static_cast<std::size_t>(dof)]];
  }

  linear::StepDofs dofs_;
  std::vector<int> index_;  // of each dof among the free ones, -1 otherwise
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor_;
  Eigen::VectorXd b_;
};

/// For integrators that take a way to make their matrix.
inline std::unique_ptr<linear::StepMatrix> simplicial(const fem::SparseMatrix& A,
                                                      const linear::StepDofs& dofs) {
  return std::make_unique<SimplicialMatrix>(A, dofs);
}

}  // namespace slipwave::tests
