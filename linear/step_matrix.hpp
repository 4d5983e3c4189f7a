#pragma once

#include "fem/assembly.hpp"
#include "linear/function_ref.hpp"

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace slipwave::linear {

/// What the matrix of a step must know of the dofs.
struct StepDofs {
  std::vector<int> free;      ///< those that are solved for, increasing
  std::vector<int> contacts;  ///< those that contacts touch, each once; not all need be free
};

/// The symmetric positive definite matrix A of a step between the free dofs, ready to solve with.
/// A step solves A x = b + Hᵀp in two halves: the contact problem, which finds p, stands between
/// them, and Hᵀp lives on the dofs of the contacts alone (docs/theory.md section 10). What is
/// between b and x is the matrix's own affair.
class StepMatrix {
 public:
  /// Writes b of the dofs first to last − 1. Every dof is asked for once, several stretches maybe
  /// at the same time on different threads.
  using Form = FunctionRef<void(int first, int last, double* b)>;
  /// Told that x of the dofs first to last − 1 is there; every dof once, as above.
  using Use = FunctionRef<void(int first, int last)>;

  virtual ~StepMatrix() = default;
  StepMatrix(const StepMatrix&) = delete;
  StepMatrix& operator=(const StepMatrix&) = delete;

  /// A⁻¹ between the dofs of the contacts, in their order, dense; zero where one is not free.
  virtual Eigen::MatrixXd on_contacts() const = 0;
  /// x := A⁻¹b on the free dofs of the contacts; the others stay as they are. Allocates nothing.
  virtual void begin(Form b, Eigen::VectorXd& x) = 0;
  /// x := A⁻¹(b + f) on the free dofs, with the b of begin() and an f that is read on the dofs of
  /// the contacts only; the others stay as they are. Allocates nothing.
  virtual void finish(const Eigen::VectorXd& f, Eigen::VectorXd& x, Use use) = 0;
  /// x := A⁻¹b on the free dofs, zero on the others; x may be b. Allocates nothing.
  virtual void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const = 0;
  /// Doubles that it keeps of the factor of A, padding included.
  virtual std::size_t stored_values() const = 0;

 protected:
  StepMatrix() = default;
};

/// Makes the matrix of a step from A over all dofs. Throws NotPositiveDefinite with the dof where A
/// fails.
using MakeStepMatrix =
    std::function<std::unique_ptr<StepMatrix>(const fem::SparseMatrix& A, const StepDofs& dofs)>;

}  // namespace slipwave::linear
