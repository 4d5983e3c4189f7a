#pragma once

#include "contact/delassus/block_sparse.hpp"
#include "contact/delassus/body_delassus.hpp"
#include "contact/delassus/dense_band.hpp"
#include "contact/laws/coulomb2d.hpp"
#include "parallel/alignment.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace slipwave::contact {

/// The frictional contact problem of docs/theory.md section 5, over the active contacts:
/// find p with w = W p + b and K* ∋ w + (mu |w_T|, 0) ⊥ p ∈ K per active contact, p = 0 elsewhere.
/// A value that owns its data: problems with one W are one problem whose b, mu and active change.
template <Delassus Operator>
struct ProblemOn {
  Operator W;
  Eigen::VectorXd b;        ///< d per contact: normal, tangential; a velocity
  Eigen::VectorXd mu;       ///< friction coefficient per contact
  std::vector<int> active;  ///< increasing

  int dimension() const { return W.dimension(); }  ///< d, components per contact: 2 or 3
  /// Whether b, mu and active have the sizes and ranges that they must have; O(contacts).
  bool is_consistent() const;
};

template <Delassus Operator>
bool ProblemOn<Operator>::is_consistent() const {
  const int n = W.contact_count();
  return b.size() == dimension() * n && mu.size() == n && !(mu.array() < 0.0).any() &&
         std::adjacent_find(active.begin(), active.end(), std::greater_equal<>()) == active.end() &&
         (active.empty() || (active.front() >= 0 && active.back() < n));
}

/// With W dense and banded, as bodies have it.
using Problem = ProblemOn<DenseBand>;
/// With W sparse, as others have it.
using SparseProblem = ProblemOn<BlockSparse>;
/// With bodies, whose W is never formed.
using BodyProblem = ProblemOn<BodyDelassus>;

/// A guess on the way in, the answer on the way out; sized once for the whole run.
struct Solution {
  Eigen::VectorXd p;           ///< impulses, d per contact
  Eigen::VectorXd w;           ///< W p + b
  Eigen::VectorXd x;           ///< what p moves, sized by the first who needs it: MovingDelassus
  std::vector<Status> status;  ///< per contact; inactive ones are open

  explicit Solution(int contact_count, int dimension = 2)
      : p(Eigen::VectorXd::Zero(dimension * contact_count)),
        w(Eigen::VectorXd::Zero(dimension * contact_count)),
        status(static_cast<std::size_t>(contact_count), Status::open) {}
  /// Whether it has the sizes of a problem.
  template <Delassus Operator>
  bool fits(const ProblemOn<Operator>& problem) const {
    const auto n = static_cast<std::size_t>(problem.W.contact_count());
    return p.size() == problem.b.size() && w.size() == problem.b.size() && status.size() == n;
  }
};

}  // namespace slipwave::contact
