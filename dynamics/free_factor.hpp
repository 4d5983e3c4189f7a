#pragma once

#include "linear/factor.hpp"
#include "dynamics/system.hpp"

#include <Eigen/Core>
#include <vector>

namespace slipwave::dynamics {

/// The factor of a matrix over all dofs between those that are not prescribed, with the dofs of the
/// contacts last.
class FreeFactor {
 public:
  /// Throws NotPositiveDefinite with the dof where A fails, and std::invalid_argument for a dof
  /// prescribed twice.
  FreeFactor(const SparseMatrix& A, const System& system);

  const ContactLastFactor& factor() const { return factor_; }
  const SupernodalTriangle& L() const { return factor_.L(); }
  /// Of each dof in the factor's order, -1 if prescribed.
  const std::vector<int>& place() const { return place_; }
  /// First of the contacts' places.
  int first_last() const { return factor_.size() - factor_.last_count(); }

  /// N A⁻¹ Nᵀ with N the local frames of the contacts.
  Eigen::MatrixXd on_contacts(const System& system) const;
  /// x := A⁻¹ b on the free dofs, zero on the others; x may be b. Allocates nothing.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;

 private:
  FreeFactor(const SparseMatrix& A, const System& system, const std::vector<int>& free_dofs);

  ContactLastFactor factor_;
  std::vector<int> place_;
  mutable Eigen::VectorXd y_;
};

}  // namespace slipwave::dynamics
