#pragma once

#include "contact/solvers/interior_point.hpp"
#include "contact/solvers/newton_matrix.hpp"
#include "contact/solvers/nsgs.hpp"
#include "contact/solvers/options.hpp"
#include "contact/solvers/projected_gradient.hpp"
#include "contact/solvers/proximal_newton.hpp"

#include <Eigen/Core>
#include <optional>
#include <variant>

namespace slipwave::contact {

/// Solves contact problems with one W that is sparse or on bodies, 2D or 3D, singular or not, one
/// after the other, each from where the last one ended:
///     nsgs                Gauss–Seidel with exact local solutions,
///     proximal_newton     from the guess,
///     interior_point      from the middle of the cones; where round-off stops it, proximal_newton
///                         goes on from there, and fell_back says so,
///     projected_gradient  slow, to check the others with,
///     automatic           the guess, if it will do; nsgs while its contraction promises less than
///                         the others cost (a few sweeps where joints are hyperstatic: it crawls
///                         there, so that a guess goes to proximal_newton first); then, of
///                         few contacts, some steps of proximal_newton; then interior_point, then
///                         proximal_newton from each of the points that there are, and from the
///                         best to the end, then nsgs to the end: the first that is certified. What
///                         these others need is prepared when they are first asked.
/// Not newton, which wants a band.
template <Delassus W>
class SolverOn {
 public:
  /// For problems with this W, or others of its pattern.
  SolverOn(const W& operation, const SolverOptions& options);

  const SolverOptions& options() const { return options_; }
  /// Prepares what any problem may need, for whoever has many with one W.
  void prepare(const W& operation);

  /// Solves from the guess in solution.p. `problem.W` must have the pattern of the constructor's W.
  /// The impulses of inactive contacts are set to zero. Never says converged without a certificate.
  /// Where none is found, the best impulses come out. Allocates nothing from the second
  /// call on; of automatic, once it was prepared or sweeps were not enough. The same bits come out
  /// for any number of threads.
  SolverReport solve(const ProblemOn<W>& problem, Solution& solution);

 private:
  /// What needs factors.
  template <int d>
  struct Factorising {
    explicit Factorising(const W& operation)
        : matrix(operation), interior(operation, matrix), proximal(operation, matrix) {}
    ~Factorising() = default;
    Factorising(const Factorising& other)
        : matrix(other.matrix), interior(other.interior), proximal(other.proximal) {
      use_own_matrix();
    }
    Factorising& operator=(const Factorising& other) {
      matrix = other.matrix;
      interior = other.interior;
      proximal = other.proximal;
      use_own_matrix();
      return *this;
    }
    void use_own_matrix() {
      interior.use(matrix);
      proximal.use(matrix);
    }
    NewtonMatrix<W, d> matrix;
    InteriorPoint<W, d> interior;
    ProximalNewton<W, d> proximal;
  };

  template <int d>
  Factorising<d>& factorising(const W& operation);
  template <int d>
  SolverReport run(const ProblemOn<W>& problem, Solution& solution);
  template <int d>
  SolverReport first_certified(const ProblemOn<W>& problem, Solution& solution);
  SolverOptions limited(int iterations) const;
  template <int d>
  SolverReport try_guess(const ProblemOn<W>& problem, Solution& solution);
  template <int d>
  SolverReport try_nsgs(const ProblemOn<W>& problem, Solution& solution);

  SolverOptions options_;
  bool hyperstatic_;
  NsgsOn<W> nsgs_;
  std::variant<std::monostate, Factorising<2>, Factorising<3>> factorising_;
  std::optional<ProjectedGradientOn<W>> projected_gradient_;
  Eigen::VectorXd guess_, swept_, best_;
};

extern template class SolverOn<BlockSparse>;
extern template class SolverOn<BodyDelassus>;

}  // namespace slipwave::contact
