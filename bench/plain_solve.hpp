#pragma once

#include "dynamics/system.hpp"

#include <cstddef>
#include <memory>

namespace slipwave::bench {

/// M + h²θ²K between the dofs that are not prescribed.
dynamics::SparseMatrix free_iteration_matrix(const dynamics::System& system, double theta,
                                             double h);

/// What a step is measured against: the matrix ordered with METIS, factorised and solved with by
/// CHOLMOD's supernodal method as it comes, one BLAS thread, work space kept between solves.
class PlainSolve {
 public:
  explicit PlainSolve(const dynamics::SparseMatrix& A);
  ~PlainSolve();

  /// One solve with a right-hand side of ones.
  void solve();
  std::size_t stored_values() const;

 private:
  struct Cholmod;
  std::unique_ptr<Cholmod> cholmod_;
};

}  // namespace slipwave::bench
