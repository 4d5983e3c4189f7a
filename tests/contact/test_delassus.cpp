#include "contact/delassus.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

namespace slipwave::contact {

TEST_CASE("contact/delassus: a contact's rows times p are those of the full product") {
  Eigen::MatrixXd A = Eigen::MatrixXd::Random(6, 6);
  const Eigen::MatrixXd W = A * A.transpose() + Eigen::MatrixXd::Identity(6, 6);
  const NodalDelassus delassus(W);
  const Eigen::VectorXd p = Eigen::VectorXd::Random(6);
  CHECK(delassus.contact_count() == 3);
  for (int a = 0; a < 3; ++a) {
    CHECK((delassus.row_times(a, p) - (W * p).segment<2>(2 * a)).norm() <= 1e-14 * W.norm());
    CHECK(delassus.block(a) == W.block<2, 2>(2 * a, 2 * a));
  }
}

TEST_CASE("contact/delassus: the first contact that cannot be pushed is named") {
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
  W(2, 2) = 0.0;
  W(4, 4) = -1.0;
  CHECK_THROWS_WITH_AS(NodalDelassus{W},
                       "contact 1: its diagonal block of W has W_NN = 0, W_TT = 1; its normal "
                       "motion must be free",
                       std::invalid_argument);
  W(2, 2) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(NodalDelassus{W}, std::invalid_argument);
}

TEST_CASE("contact/delassus: a prescribed tangential motion, W_TT = 0, is allowed") {
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(2, 2);
  W(1, 1) = 0.0;
  CHECK(NodalDelassus(W).contact_count() == 1);
}

}  // namespace slipwave::contact
