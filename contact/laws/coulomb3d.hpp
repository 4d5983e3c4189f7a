#pragma once

#include "contact/laws/coulomb2d.hpp"

#include <Eigen/Core>

namespace slipwave::contact {

/// Solution of one contact's own problem in 3D. Any sliding has the status sliding_forward: its
/// direction is that of w_T.
struct LocalSolution3 {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Status status = Status::open;
  bool unique = true;  ///< false where mu |W_NT| >= W_NN: there may be several solutions
  bool solved = true;  ///< false where a number is not finite
};

/// The exact 3D problem: given the block W and the offset c, finds p with
///     w = W p + c,   K* ∋ w + (mu |w_T|, 0)  ⊥  p ∈ K.
/// W may be unsymmetric. Open if c_N >= 0, sticking if −W⁻¹c is in the cone. Otherwise it slides:
/// w_N = 0 and w_T = −κ p_T with κ > 0. Eliminating p_N leaves, with S = W_TT − W_TN W_NT / W_NN,
///     p_T(κ) = −(S + κ I)⁻¹ (c_T − W_TN c_N / W_NN),   p_N(κ) = −(c_N + W_NT p_T(κ)) / W_NN,
///     g(κ) = mu p_N(κ) / |p_T(κ)| − 1 = 0,
/// one equation with g(0) < 0, the sticking candidate being outside the cone, and g(∞) = ∞, c_N
/// being negative: a root always exists, and Newton's method kept inside a bracket finds it.
LocalSolution3 solve_local_3d(const Eigen::Matrix3d& W, const Eigen::Vector3d& c, double mu);

}  // namespace slipwave::contact
