#include "contact/delassus/dense_band.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace slipwave::contact {

TEST_CASE("contact/dense_band: a contact's rows times p are those of the full product") {
  Eigen::MatrixXd A = Eigen::MatrixXd::Random(6, 6);
  const Eigen::MatrixXd W = A * A.transpose() + Eigen::MatrixXd::Identity(6, 6);
  const DenseBand delassus(W);
  const Eigen::VectorXd p = Eigen::VectorXd::Random(6);
  CHECK(delassus.contact_count() == 3);
  for (int a = 0; a < 3; ++a) {
    CHECK((delassus.all_times<2>(a, p.data()) - (W * p).segment<2>(2 * a)).norm() <=
          1e-14 * W.norm());
    CHECK(delassus.diagonal<2>(a) == W.block<2, 2>(2 * a, 2 * a));
  }
}

TEST_CASE("contact/dense_band: the first contact that cannot be pushed is named") {
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
  W(2, 2) = 0.0;
  W(4, 4) = -1.0;
  CHECK_THROWS_WITH_AS(DenseBand{W},
                       "contact 1: its diagonal block of W has W_NN = 0, W_TT = 1; its normal "
                       "motion must be free",
                       std::invalid_argument);
  W(2, 2) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(DenseBand{W}, std::invalid_argument);
}

TEST_CASE("contact/dense_band: a prescribed tangential motion, W_TT = 0, is allowed") {
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(2, 2);
  W(1, 1) = 0.0;
  CHECK(DenseBand(W).contact_count() == 1);
}

TEST_CASE("contact/dense_band: the band ends where entries are below round-off") {
  const int n = 60;
  for (const int d : {2, 3}) {
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(d * n, d * n);
    for (int i = 0; i < d * n; ++i)
      for (int j = 0; j < d * n; ++j) W(i, j) = std::pow(10.0, -std::abs(i / d - j / d));
    const DenseBand delassus(W, d);
    CHECK(delassus.contact_count() == n);
    CHECK(delassus.half_bandwidth() == 15);
    Eigen::MatrixXd far = W;
    for (int i = 0; i < d * n; ++i)
      for (int j = 0; j < d * n; ++j)
        if (std::abs(i / d - j / d) <= 15) far(i, j) = 0.0;
    CHECK(delassus.far_norm() == doctest::Approx(far.norm()));
  }
}

TEST_CASE("contact/dense_band: a W that does not decay is all near") {
  const DenseBand delassus(Eigen::MatrixXd::Constant(20, 20, 1.0));
  CHECK(delassus.half_bandwidth() == 9);
  CHECK(delassus.far_norm() == 0.0);
}

TEST_CASE("contact/dense_band: near blocks, diagonal and far bound make up the whole product") {
  const int n = 40;
  Eigen::MatrixXd W(3 * n, 3 * n);
  for (int i = 0; i < 3 * n; ++i)
    for (int j = 0; j < 3 * n; ++j)
      W(i, j) = std::pow(0.2, std::abs(i / 3 - j / 3)) * (1.0 + 0.1 * std::cos(i * j));
  const DenseBand delassus(W, 3);
  REQUIRE(delassus.half_bandwidth() < n - 1);
  const Eigen::VectorXd p = Eigen::VectorXd::Random(3 * n), whole = W * p;
  for (int a = 0; a < n; ++a) {
    const Eigen::Vector3d near = delassus.off_diagonal_times<3>(a, p.data());
    const Eigen::Vector3d own = delassus.diagonal<3>(a) * p.segment<3>(3 * a);
    CHECK((near + own - whole.segment<3>(3 * a)).norm() <=
          delassus.far_norm() * p.norm() + 1e-15 * W.norm());
    CHECK(delassus.diagonal<3>(a) == W.block<3, 3>(3 * a, 3 * a));
    CHECK(delassus.rho(a) == doctest::Approx(3.0 / delassus.diagonal<3>(a).trace()));
  }
}

}  // namespace slipwave::contact
