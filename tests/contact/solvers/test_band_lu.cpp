#include "contact/solvers/band_lu.hpp"

#include <doctest/doctest.h>
#include <Eigen/LU>

#include <cmath>
#include <limits>

namespace slipwave::contact {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A random band; with `swap` its rows have to be exchanged.
MatrixXd random_band(int size, int band, bool swap) {
  MatrixXd A = MatrixXd::Random(size, size);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      if (std::abs(i - j) > band) A(i, j) = 0.0;
  A.diagonal().array() += swap ? 0.0 : 2.0 * band + 1.0;
  return A;
}

void fill(const MatrixXd& A, int band, BandLu& lu) {
  const int size = static_cast<int>(A.rows());
  lu.reset(size, band);
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i)
      if (std::abs(i - j) <= band) lu.entry(i, j) = A(i, j);
}

}  // namespace

TEST_CASE("contact/band_lu: solves what PartialPivLU solves, of any size and band") {
  BandLu lu(200);
  for (const int size : {1, 2, 3, 23, 24, 25, 48, 97, 200})
    for (const int band : {0, 1, 5, 24, 30, 199})
      for (const bool swap : {false, true}) {
        if (band == 0 && swap) continue;
        CAPTURE(size);
        CAPTURE(band);
        const MatrixXd A = random_band(size, band, swap);
        const VectorXd b = VectorXd::Random(size);
        fill(A, band, lu);
        REQUIRE(lu.factorise());
        VectorXd x = b;
        lu.solve(x);
        const VectorXd expected = A.partialPivLu().solve(b);
        CHECK((A * x - b).norm() <=
              1e-14 * size * (A.norm() * x.norm() + b.norm()) + (A * expected - b).norm());
      }
}

TEST_CASE("contact/band_lu: refuses singular matrices and numbers that are none") {
  BandLu lu(40);
  MatrixXd A = MatrixXd::Identity(40, 40);
  A(30, 30) = 0.0;
  fill(A, 1, lu);
  CHECK_FALSE(lu.factorise());
  A(30, 30) = std::numeric_limits<double>::quiet_NaN();
  fill(A, 1, lu);
  CHECK_FALSE(lu.factorise());
}

}  // namespace slipwave::contact
