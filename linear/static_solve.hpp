#pragma once

#include "fem/assembly.hpp"

#include <Eigen/Core>
#include <vector>

namespace slipwave::linear {

/// K q = F on the free dofs, q given where is_fixed. On entry q holds the given values.
/// Throws NotPositiveDefinite (with a row of K) when the fixed dofs do not hold every body.
void static_solve(const fem::SparseMatrix& K, const Eigen::VectorXd& F,
                  const std::vector<bool>& is_fixed, Eigen::VectorXd& q);

}  // namespace slipwave::linear
