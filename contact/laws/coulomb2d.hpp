#pragma once

#include <Eigen/Core>
#include <string_view>

namespace slipwave::contact {

/// What a contact does in a step; the sliding direction is that of u_T.
enum class Status : signed char { open, sticking, sliding_forward, sliding_backward };

/// The name of a status.
constexpr std::string_view name_of(Status status) {
  switch (status) {
    case Status::open:
      return "open";
    case Status::sticking:
      return "sticking";
    case Status::sliding_forward:
      return "sliding forward";
    case Status::sliding_backward:
      return "sliding backward";
  }
  return {};
}

/// Solution of one contact's own problem.
struct LocalSolution {
  Eigen::Vector2d p = Eigen::Vector2d::Zero();
  Status status = Status::open;
  bool unique = true;  ///< false where mu |W_NT| >= W_NN: there may be several solutions
  bool solved = true;  ///< false where no candidate satisfies the law
};

/// The exact 2D problem of docs/theory.md section 6: given the block W and the offset c, finds p
/// with
///     w = W p + c,   K* ∋ w + (mu |w_T|, 0)  ⊥  p ∈ K.
/// Where several solutions exist, the one that continues `previous` is preferred, and otherwise the
/// open one; sliding with W_NN ± mu W_NT <= 0, which is unstable, is never returned.
LocalSolution solve_local(const Eigen::Matrix2d& W, const Eigen::Vector2d& c, double mu,
                          Status previous);

}  // namespace slipwave::contact
