#pragma once

#include "contact/problem.hpp"

#include <Eigen/Core>
#include <memory>
#include <span>

struct FrictionContactProblem;
struct NumericsMatrix;
struct SolverOptions;

/// The contact solvers of Siconos 4.4 behind our types. Only the benchmark and the tests beside it
/// need its library.
namespace slipwave::bench {

/// How Siconos is given W: all entries, 2 x 2 or 3 x 3 blocks, or compressed columns, the last two
/// without the blocks that contact/delassus.hpp calls far.
enum class SiconosStorage { dense, blocks, columns };

/// A solver of Siconos with the storage it is given.
struct SiconosMethod {
  const char* name;
  int id;  ///< of Friction_cst.h
  SiconosStorage storage;
};

/// What we compare with in 2D or 3D.
std::span<const SiconosMethod> siconos_methods(int dimension);

/// W between the active contacts, as Siconos stores it.
class SiconosMatrix {
 public:
  SiconosMatrix(const contact::Problem& problem, SiconosStorage storage);
  NumericsMatrix* get() const { return matrix_.get(); }

 private:
  struct Free {
    void operator()(NumericsMatrix* matrix) const;
  };
  std::unique_ptr<NumericsMatrix, Free> matrix_;
};

/// What a call did: how long the solver itself took, and its iterations.
struct SiconosReport {
  double seconds = 0.0;
  int iterations = 0;
};

/// One solver, its options kept from call to call.
class SiconosSolver {
 public:
  SiconosSolver(const SiconosMethod& method, int max_iterations);

  /// Solves from the guess in solution.p, with W from a SiconosMatrix of the same active contacts
  /// and the solver's own tolerance. Its answer is in solution.p and is not certified.
  SiconosReport solve(const contact::Problem& problem, const SiconosMatrix& W, double tolerance,
                      contact::Solution& solution);

 private:
  struct Free {
    void operator()(SolverOptions* options) const;
  };
  std::unique_ptr<SolverOptions, Free> options_;
};

}  // namespace slipwave::bench
