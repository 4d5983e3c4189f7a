#include "linear/static_solve.hpp"

#include "linear/factor.hpp"

#include <doctest/doctest.h>

using namespace slipwave;

namespace {

/// n equal springs in a row between n + 1 points.
fem::SparseMatrix springs(int n, double stiffness) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + 1, n + 1);
  for (int i = 0; i < n; ++i)
    K.block<2, 2>(i, i) += stiffness * Eigen::Matrix2d{{1.0, -1.0}, {-1.0, 1.0}};
  return K.sparseView();
}

}  // namespace

TEST_CASE("linear/static_solve: springs in a row stretch evenly") {
  Eigen::VectorXd q = Eigen::VectorXd::Constant(11, 99.0);
  q[0] = 1.0;
  std::vector<bool> is_fixed(11, false);
  is_fixed[0] = true;
  Eigen::VectorXd F = Eigen::VectorXd::Zero(11);
  F[10] = 5.0;
  linear::static_solve(springs(10, 50.0), F, is_fixed, q);
  for (int i = 0; i <= 10; ++i) CHECK(q[i] == doctest::Approx(1.0 + 0.1 * i).epsilon(1e-12));
}

TEST_CASE("linear/static_solve: a body that nothing holds is refused") {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(11);
  CHECK_THROWS_AS(linear::static_solve(springs(10, 50.0), q, std::vector<bool>(11, false), q),
                  linear::NotPositiveDefinite);
}
