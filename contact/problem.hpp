#pragma once

#include "contact/delassus/dense_band.hpp"
#include "contact/laws/coulomb2d.hpp"
#include "parallel/alignment.hpp"

#include <Eigen/Core>
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
};

/// With W dense and banded, as bodies have it.
using Problem = ProblemOn<DenseBand>;

/// A guess on the way in, the answer on the way out; sized once for the whole run.
struct Solution {
  Eigen::VectorXd p;           ///< impulses, d per contact
  Eigen::VectorXd w;           ///< W p + b
  std::vector<Status> status;  ///< per contact; inactive ones are open

  explicit Solution(int contact_count, int dimension = 2)
      : p(Eigen::VectorXd::Zero(dimension * contact_count)),
        w(Eigen::VectorXd::Zero(dimension * contact_count)),
        status(static_cast<std::size_t>(contact_count), Status::open) {}
};

}  // namespace slipwave::contact
