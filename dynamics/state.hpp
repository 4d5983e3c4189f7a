#pragma once

#include "parallel/alignment.hpp"

#include <Eigen/Core>

namespace slipwave::dynamics {

/// The unknowns after `step` steps.
struct State {
  int step = 0;
  /// Where the steps of the present size began.
  int first_step = 0;
  double first_time = 0.0;
  Eigen::VectorXd q;  ///< displacements, 2 per node
  Eigen::VectorXd v;  ///< velocities
  /// Carried by the Newmark family only, empty otherwise: a_k, and the filters of its energy
  /// [A14, (66)] divided by ν, (½+ν) z_{k+1} + (½−ν) z_k = q_{k+1} − q_k and likewise for v, F.
  Eigen::VectorXd a, filtered_q, filtered_v, filtered_F;

  /// The time with steps of size h, or some steps later: a product and never an accumulated sum.
  double time(double h, int steps_later = 0) const {
    return first_time + (step - first_step + steps_later) * h;
  }
  /// Whether every number is finite. One pass over the vectors, without allocation: 0 x is 0, and
  /// NaN where x is infinite or NaN.
  bool is_finite() const {
    const auto zero = [](const Eigen::VectorXd& x) { return (0.0 * x).sum() == 0.0; };
    return zero(q) && zero(v) && zero(a) && zero(filtered_q) && zero(filtered_v) &&
           zero(filtered_F);
  }
};

}  // namespace slipwave::dynamics
