#pragma once

#include "contact/laws/coulomb2d.hpp"

#include <array>

namespace slipwave::contact {

/// How many solutions a local problem has.
enum class Solvability : signed char { none, unique, several, continuum };

/// One solution p; or, in a degenerate problem, the solutions p + τ direction, 0 <= τ <= extent.
struct LocalBranch {
  Eigen::Vector2d p = Eigen::Vector2d::Zero();
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();  ///< of a continuum, of length 1
  double extent = 0.0;                                  ///< unit of p, infinite for a ray
  Status status = Status::open;
  bool unstable = false;  ///< sliding with W_NN + s mu W_NT < 0: more impulse lets it sink deeper

  bool continuum() const { return extent > 0.0; }
};

/// Every solution of a local problem, continua first, then open, sticking, sliding.
struct LocalSolutions {
  std::array<LocalBranch, 4> branches;
  int count = 0;

  const LocalBranch* begin() const { return branches.data(); }
  const LocalBranch* end() const { return branches.data() + count; }
  Solvability solvability() const;
};

/// All solutions of the exact 2D problem of docs/theory.md section 6,
///     w = W p + c,   K* ∋ w + (mu |w_T|, 0)  ⊥  p ∈ K,
/// for any W, also unsymmetric, singular or indefinite. A p that two statuses reach is listed once,
/// under the first of them; the same are two that differ by 1e-10 (|p| + |c| / |W|).
///
/// Where W is positive definite, symmetric or not, there is a solution for every c: with c = 0,
/// p·Wp = −mu |w_T| p_N leaves only p = 0, on the whole way from W to the identity, so that the
/// number of solutions, each counted with its sign, stays 1. The sign is that of W_NN + s mu W_NT
/// for sliding and + for the others. So, but for continua and edges, there are 1 or 3 solutions,
/// 3 only with an unstable one among them, which needs c_N > 0; and 1 where mu |W_NT| < W_NN.
///
/// A continuum is a ray or segment on an edge of the cone where W_NN + s mu W_NT = 0 and c_N = 0,
/// or the part in the cone of the line W p = −c where W is singular; the zeros are taken at 1e-14
/// of the terms they are made of. Where W = 0 and c = 0 the whole cone solves; listed are its axis
/// and its edges.
LocalSolutions all_local_solutions(const Eigen::Matrix2d& W, const Eigen::Vector2d& c, double mu);

}  // namespace slipwave::contact
