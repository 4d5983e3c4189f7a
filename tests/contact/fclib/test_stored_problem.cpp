#include "contact/fclib/stored_problem.hpp"

#include "contact/fclib/fclib.hpp"
#include "contact/fclib/write_fclib.hpp"
#include "tests/contact/fclib/odd_files.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <cmath>

namespace slipwave::contact::tests {

namespace {

namespace fs = std::filesystem;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double skewness_of(const MatrixXd& A) {
  return skewness(Eigen::SparseMatrix<double>(A.sparseView()));
}

}  // namespace

TEST_CASE(
    "contact/stored_problem: skewness is 0 for symmetric, 2 for skew, |A - A^T|/|A| between") {
  std::mt19937_64 generator(1);
  const MatrixXd G = random_matrix(6, 6, generator);
  CHECK(skewness_of(G + G.transpose()) == 0.0);
  CHECK(skewness_of(G - G.transpose()) == doctest::Approx(2.0).epsilon(1e-15));
  CHECK(skewness_of(G) == doctest::Approx((G - G.transpose()).norm() / G.norm()).epsilon(1e-14));
  CHECK(skewness_of(MatrixXd::Zero(3, 3)) == 0.0);
  for (const int exponent : {-600, 600})
    CHECK(skewness_of(std::ldexp(1.0, exponent) * G) == skewness_of(G));
}

TEST_CASE("contact/stored_problem: an unsymmetric and a singular W come back as they are") {
  std::mt19937_64 generator(2);
  const TemporaryFolder folder;
  const fs::path file = folder / "p.hdf5";
  for (const int dimension : {2, 3}) {
    StoredProblem problem = random_problem(4, dimension, generator);
    const int rows = 4 * dimension;
    const MatrixXd G = random_matrix(rows, rows, generator);
    problem.W = MatrixXd(MatrixXd(problem.W) + 1e-3 * (G - G.transpose())).sparseView();
    write_local_problem(file, problem);
    CHECK(MatrixXd(read_local_problem(file).W) == MatrixXd(problem.W));
    CHECK(skewness(read_local_problem(file).W) == skewness(problem.W));
    CHECK(skewness(problem.W) > 1e-4);

    const MatrixXd H = random_matrix(3, rows, generator);
    problem.W = MatrixXd(H.transpose() * H).sparseView();
    write_local_problem(file, problem);
    const MatrixXd W = read_local_problem(file).W;
    CHECK(W == MatrixXd(problem.W));
    CHECK(Eigen::FullPivLU<MatrixXd>(W).setThreshold(1e-12).rank() == 3);
  }
}

TEST_CASE("contact/stored_problem: the active part of a problem is that problem, smaller") {
  std::mt19937_64 generator(5);
  const StoredProblem whole = random_problem(4, 2, generator);
  const Problem problem{
      DenseBand(MatrixXd(whole.W)), whole.b, VectorXd::LinSpaced(4, 0.1, 0.4), {1, 3}};
  Solution solution(4);
  solution.p = VectorXd::LinSpaced(8, 0.0, 7.0);
  solution.w = VectorXd::LinSpaced(8, 0.0, -7.0);
  const StoredProblem part = active_part(problem);
  CHECK(part.dimension == 2);
  CHECK(part.mu == Eigen::Vector2d(problem.mu[1], problem.mu[3]));
  CHECK(part.b.head<2>() == whole.b.segment<2>(2));
  CHECK(part.b.tail<2>() == whole.b.segment<2>(6));
  CHECK(MatrixXd(part.W).topRightCorner<2, 2>() == MatrixXd(whole.W).block<2, 2>(2, 6));
  CHECK(active_part(problem, solution).r == Eigen::Vector4d(2.0, 3.0, 6.0, 7.0));
  CHECK(active_part(problem, solution).u == Eigen::Vector4d(-2.0, -3.0, -6.0, -7.0));
}

}  // namespace slipwave::contact::tests
