#pragma once

#include "contact/fclib/stored_problem.hpp"
#include "contact/problem.hpp"

#include <Eigen/Core>

namespace slipwave::app {

/// What is solved instead of W and b where squares of their numbers would leave the range of a
/// double: 2^i W and 2^j b, whose solution is 2^(j−i) p, 2^j w. The digits stay the same.
class Scaling {
 public:
  /// None.
  Scaling() = default;
  explicit Scaling(const contact::StoredProblem& problem);

  bool is_needed() const { return W_ != 0 || b_ != 0; }
  int W() const { return W_; }  ///< i
  int b() const { return b_; }  ///< j
  contact::StoredProblem scaled(contact::StoredProblem problem) const;
  Eigen::VectorXd scaled_p(const Eigen::VectorXd& p) const;
  contact::Solution taken_back(contact::Solution solution) const;

 private:
  int W_ = 0, b_ = 0;
};

}  // namespace slipwave::app
