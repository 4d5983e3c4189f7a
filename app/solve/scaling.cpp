#include "app/solve/scaling.hpp"

#include <cmath>

namespace slipwave::app {

namespace {

/// The exponent of the power of two that brings numbers as large as this near 1, 0 unless their
/// squares would leave the range of a double.
int exponent_for(double largest) {
  const bool is_safe = largest == 0.0 || (largest >= 1e-100 && largest <= 1e100);
  return is_safe || !std::isfinite(largest) ? 0 : -std::ilogb(largest);
}

/// x times a power of two.
template <class Matrix>
Matrix times_power(const Matrix& x, int exponent) {
  return x.unaryExpr([exponent](double value) { return std::ldexp(value, exponent); });
}

}  // namespace

Scaling::Scaling(const contact::StoredProblem& problem)
    : W_(exponent_for(problem.W.nonZeros() > 0 ? problem.W.coeffs().abs().maxCoeff() : 0.0)),
      b_(exponent_for(problem.b.cwiseAbs().maxCoeff())) {}

contact::StoredProblem Scaling::scaled(contact::StoredProblem problem) const {
  problem.W = times_power(problem.W, W_);
  problem.b = times_power(problem.b, b_);
  return problem;
}

Eigen::VectorXd Scaling::scaled_p(const Eigen::VectorXd& p) const {
  return times_power(p, b_ - W_);
}

contact::Solution Scaling::taken_back(contact::Solution solution) const {
  solution.p = times_power(solution.p, W_ - b_);
  solution.w = times_power(solution.w, -b_);
  return solution;
}

}  // namespace slipwave::app
