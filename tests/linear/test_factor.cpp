#include "linear/factor.hpp"
#include "parallel/team.hpp"
#include "tests/support/grid_matrix.hpp"
#include "tests/support/processes.hpp"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>

using namespace slipwave;
using linear::ContactLastFactor;
using tests::grid_matrix;
using tests::lower_edges;

TEST_CASE("linear/factor: factorising starts no thread, whatever CHOLMOD and BLAS would like") {
  const long before = tests::thread_count();
  const ContactLastFactor factor(grid_matrix(120, 1), lower_edges(120, 1));
  CHECK(factor.L().stored_values() > 300000);
  CHECK(tests::thread_count() == before);
}

TEST_CASE("linear/factor: solves like a dense Cholesky factorisation") {
  for (const int bodies : {1, 3}) {
    const fem::SparseMatrix A = grid_matrix(12, bodies);
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(A.rows(), -1.0, 2.0);
    const ContactLastFactor factor(A, lower_edges(12, bodies));
    const Eigen::VectorXd expected = Eigen::MatrixXd(A).llt().solve(b);
    CHECK((factor.solve(b) - expected).norm() <= 1e-13 * expected.norm());
  }
}

TEST_CASE(
    "linear/factor: the chosen unknowns stand last, in their order, with one body and with "
    "three") {
  for (const int bodies : {1, 3}) {
    const fem::SparseMatrix A = grid_matrix(12, bodies);
    const std::vector<int> last = lower_edges(12, bodies);
    const ContactLastFactor factor(A, last);
    REQUIRE(factor.last_count() == static_cast<int>(last.size()));
    for (std::size_t k = 0; k < last.size(); ++k)
      CHECK(factor.position()[static_cast<std::size_t>(last[k])] ==
            factor.size() - factor.last_count() + static_cast<int>(k));
  }
}

TEST_CASE("linear/factor: the trailing block holds the inverse on the last unknowns") {
  const fem::SparseMatrix A = grid_matrix(9, 2);
  const std::vector<int> last = lower_edges(9, 2);
  const ContactLastFactor factor(A, last);
  const Eigen::MatrixXd inverse =
      Eigen::MatrixXd(A).llt().solve(Eigen::MatrixXd::Identity(A.rows(), A.cols()));
  const Eigen::MatrixXd expected = inverse(last, last);
  CHECK((factor.inverse_on_last() - expected).norm() <= 1e-13 * expected.norm());
}

TEST_CASE("linear/factor: a right-hand side on the last unknowns needs the trailing block only") {
  const fem::SparseMatrix A = grid_matrix(9, 2);
  const std::vector<int> last = lower_edges(9, 2);
  const ContactLastFactor factor(A, last);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(A.rows());
  for (const int i : last) b[i] = 1.0 + i;
  const Eigen::VectorXd expected = factor.solve(b);

  // Whatever stands before the last unknowns must not matter: fill it with a trap.
  Eigen::VectorXd y = Eigen::VectorXd::Constant(factor.L().work_size(), 1e9);
  for (const int i : last) y[factor.position()[static_cast<std::size_t>(i)]] = b[i];
  factor.L().forward_last(y);
  factor.L().backward_last(y);
  for (const int i : last)
    CHECK(y[factor.position()[static_cast<std::size_t>(i)]] ==
          doctest::Approx(expected[i]).epsilon(1e-12));
}

TEST_CASE("linear/factor: the same bits for any number of threads, on a tree worth sharing") {
  for (const int bodies : {1, 2}) {
    const fem::SparseMatrix A = grid_matrix(120, bodies);
    const ContactLastFactor factor(A, lower_edges(120, bodies));
    REQUIRE(factor.L().stored_values() > 300000);
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(A.rows(), -1.0, 2.0);
    const int threads = parallel::threads();
    parallel::set_threads(1);
    const Eigen::VectorXd alone = factor.solve(b);
    CHECK((A * alone - b).norm() <= 1e-12 * b.norm());
    for (const int count : {2, 3, 4, 8}) {
      parallel::set_threads(count);
      for (int repeat = 0; repeat < 20; ++repeat) CHECK(factor.solve(b) == alone);
    }
    parallel::set_threads(threads);
  }
}

TEST_CASE("linear/factor: names the row where a matrix is not positive definite") {
  fem::SparseMatrix A = grid_matrix(6, 1);
  A.coeffRef(17, 17) = -3.0;
  int row = -1;
  try {
    const ContactLastFactor factor(A, {});
  } catch (const linear::NotPositiveDefinite& error) {
    row = error.row;
  }
  // Elimination may notice it at the bad row or at one that depends on it, never elsewhere.
  REQUIRE(row >= 0);
  CHECK(row < 36);
}

TEST_CASE("linear/factor: no unknowns at all is a factor too") {
  const ContactLastFactor factor(fem::SparseMatrix(0, 0), {});
  Eigen::VectorXd nothing(0);
  factor.L().forward(nothing);
  factor.L().backward(nothing);
  CHECK(factor.inverse_on_last().size() == 0);
}
