#include "contact/solvers/block_lu.hpp"

#include "contact/solvers/newton_matrix.hpp"
#include "tests/support/bodies.hpp"

#include <doctest/doctest.h>
#include <Eigen/LU>

#include <limits>
#include <random>

namespace slipwave::contact {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Pattern = std::vector<std::vector<int>>;

/// Which rows are joined with which: a ring, chords across it, and one row that sees all others.
Pattern random_pattern(int n, std::mt19937_64& generator) {
  Pattern pattern(static_cast<std::size_t>(n));
  const auto join = [&](int i, int j) {
    pattern[static_cast<std::size_t>(i)].push_back(j);
    pattern[static_cast<std::size_t>(j)].push_back(i);
  };
  std::uniform_int_distribution<int> any(0, n - 1);
  for (int i = 0; i < n; ++i) join(i, (i + 1) % n);
  for (int i = 0; i < n / 3; ++i) join(any(generator), any(generator));
  for (int i = 0; i < n; ++i) join(i, n / 2);
  return pattern;
}

template <int s>
void set(BlockLu<s>& lu, const Pattern& pattern, const MatrixXd& A) {
  lu.clear();
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const int row = static_cast<int>(i);
    lu.at(lu.place(row, row)) = A.block<s, s>(s * row, s * row);
    for (const int j : pattern[i]) lu.at(lu.place(row, j)) = A.block<s, s>(s * row, s * j);
  }
}

/// One D per contact: nothing, or positive, with a skew part or not.
template <int d>
std::vector<Eigen::Matrix<double, d, d>> random_D(int n, double skew, std::mt19937_64& generator) {
  std::vector<Eigen::Matrix<double, d, d>> D;
  for (int a = 0; a < n; ++a)
    D.emplace_back(a % 4 == 0 ? MatrixXd(MatrixXd::Zero(d, d))
                              : tests::random_positive(d, skew, generator));
  return D;
}

template <int d>
MatrixXd dense(const std::vector<Eigen::Matrix<double, d, d>>& D) {
  MatrixXd result = MatrixXd::Zero(d * static_cast<int>(D.size()), d * static_cast<int>(D.size()));
  for (std::size_t a = 0; a < D.size(); ++a) {
    const int row = d * static_cast<int>(a);
    result.block<d, d>(row, row) = D[a];
  }
  return result;
}

/// A W of random blocks that is positive on the whole.
template <int s>
MatrixXd random_W(const Pattern& pattern, double skew, std::mt19937_64& generator) {
  const int n = static_cast<int>(pattern.size());
  MatrixXd W = MatrixXd::Zero(s * n, s * n);
  for (int i = 0; i < n; ++i)
    for (const int j : pattern[static_cast<std::size_t>(i)]) {
      if (j <= i) continue;
      const MatrixXd block = tests::random_matrix(s, 2 * s, generator);
      W.block<s, s>(s * i, s * i) += block.leftCols<s>() * block.leftCols<s>().transpose();
      W.block<s, s>(s * i, s * j) += block.leftCols<s>() * block.rightCols<s>().transpose();
      W.block<s, s>(s * j, s * i) += block.rightCols<s>() * block.leftCols<s>().transpose();
      W.block<s, s>(s * j, s * j) += block.rightCols<s>() * block.rightCols<s>().transpose();
      const MatrixXd turned = skew * tests::random_matrix(s, s, generator);
      W.block<s, s>(s * i, s * j) += turned;
      W.block<s, s>(s * j, s * i) -= turned.transpose();
    }
  return W;
}

template <int s>
double error_for(double skew, std::mt19937_64& generator) {
  const int n = 30;
  const Pattern pattern = random_pattern(n, generator);
  BlockLu<s> lu(pattern);
  double worst = 0.0;
  for (int trial = 0; trial < 5; ++trial) {
    const MatrixXd W = random_W<s>(pattern, skew, generator);
    const MatrixXd A =
        MatrixXd::Identity(s * n, s * n) + W * dense<s>(random_D<s>(n, skew, generator));
    set(lu, pattern, A);
    REQUIRE(lu.factorise());
    const VectorXd right = tests::random_vector(s * n, 0.0, generator);
    VectorXd x = right;
    lu.solve(x);
    const VectorXd expected = A.partialPivLu().solve(right);
    worst = std::max(worst, (x - expected).norm() / expected.norm());
  }
  return worst;
}

template <int d>
double error_on_bodies(double skew, std::mt19937_64& generator) {
  const tests::Bodies bodies = tests::random_bodies(d, 8, 20, skew, generator);
  const BodyDelassus W = bodies.delassus();
  NewtonMatrix<BodyDelassus, d> matrix(W);
  const MatrixXd M = bodies.sparse_M(), H = bodies.sparse_H();
  double worst = 0.0;
  for (int trial = 0; trial < 5; ++trial) {
    const auto D = random_D<d>(20, skew, generator);
    REQUIRE(matrix.factorise(W, D));
    const VectorXd right = tests::random_vector(bodies.motion_size(), 0.0, generator);
    VectorXd x = right;
    matrix.solve(W, x);
    const VectorXd expected = (M + H.transpose() * dense<d>(D) * H).partialPivLu().solve(M * right);
    worst = std::max(worst, (x - expected).norm() / expected.norm());
  }
  return worst;
}

template <int d>
double error_on_contacts(double skew, std::mt19937_64& generator) {
  const tests::Bodies bodies = tests::random_bodies(d, 12, 20, skew, generator);
  const BlockSparse W(bodies.W(), d);
  REQUIRE_FALSE(Joints<d>::in(W).has_value());
  NewtonMatrix<BlockSparse, d> matrix(W);
  double worst = 0.0;
  for (int trial = 0; trial < 5; ++trial) {
    const auto D = random_D<d>(20, skew, generator);
    REQUIRE(matrix.factorise(W, D));
    const VectorXd right = tests::random_vector(d * 20, 0.0, generator);
    VectorXd x = right;
    matrix.solve(W, x);
    const MatrixXd A = MatrixXd::Identity(d * 20, d * 20) + MatrixXd(bodies.W()) * dense<d>(D);
    const VectorXd expected = A.partialPivLu().solve(right);
    worst = std::max(worst, (x - expected).norm() / expected.norm());
  }
  return worst;
}

}  // namespace

TEST_CASE("contact/block_lu: solves I + W D as a dense LU does, D symmetric or not") {
  std::mt19937_64 generator(1);
  for (const double skew : {0.0, 0.3}) {
    CHECK(error_for<2>(skew, generator) <= 1e-9);
    CHECK(error_for<3>(skew, generator) <= 1e-9);
    CHECK(error_for<6>(skew, generator) <= 1e-9);
  }
}

TEST_CASE("contact/newton_matrix: of bodies is M + H^T D H, of contacts I + W D") {
  std::mt19937_64 generator(2);
  for (const double skew : {0.0, 0.2}) {
    CHECK(error_on_bodies<2>(skew, generator) <= 1e-9);
    CHECK(error_on_bodies<3>(skew, generator) <= 1e-9);
    CHECK(error_on_contacts<2>(skew, generator) <= 1e-9);
    CHECK(error_on_contacts<3>(skew, generator) <= 1e-9);
  }
}

TEST_CASE("contact/block_lu: a ring fills in, a chain and a star do not") {
  Pattern chain(10), star(10), ring(10);
  for (int i = 0; i + 1 < 10; ++i) {
    chain[static_cast<std::size_t>(i)] = {i + 1};
    star[static_cast<std::size_t>(i)] = {9};
    ring[static_cast<std::size_t>(i)] = {i + 1};
  }
  ring[9] = {0};
  CHECK(BlockLu<3>(chain).block_count() == 10 + 2 * 9);
  CHECK(BlockLu<3>(star).block_count() == 10 + 2 * 9);
  CHECK(BlockLu<3>(ring).block_count() == 10 + 2 * (10 + 7));
  CHECK(BlockLu<3>(ring).work() > BlockLu<3>(chain).work());
  CHECK(BlockLu<2>(Pattern(4)).block_count() == 4);
  CHECK(BlockLu<2>(Pattern()).row_count() == 0);
}

TEST_CASE("contact/block_lu: every place is another one, and clear makes all of them zero") {
  std::mt19937_64 generator(3);
  const Pattern pattern = random_pattern(20, generator);
  BlockLu<2> lu(pattern);
  std::vector<int> places;
  for (int i = 0; i < 20; ++i) {
    places.push_back(lu.place(i, i));
    for (const int j : pattern[static_cast<std::size_t>(i)]) places.push_back(lu.place(i, j));
  }
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  MatrixXd joined = MatrixXd::Identity(20, 20);
  for (int i = 0; i < 20; ++i)
    for (const int j : pattern[static_cast<std::size_t>(i)]) joined(i, j) = 1.0;
  CHECK(static_cast<double>(places.size()) == joined.sum());
  for (const int place : places) lu.at(place).setOnes();
  lu.clear();
  for (const int place : places) CHECK(lu.at(place).isZero(0.0));
}

TEST_CASE("contact/block_lu: a singular diagonal block and what is not finite is said") {
  Pattern chain(3);
  chain[0] = {1};
  chain[1] = {0, 2};
  chain[2] = {1};
  const auto works = [&]<int s>(BlockLu<s> lu, double entry) {
    for (int i = 0; i < 3; ++i) lu.at(lu.place(i, i)).setIdentity();
    lu.at(lu.place(1, 1))(s - 1, s - 1) = entry;
    return lu.factorise();
  };
  for (const double entry : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_FALSE(works(BlockLu<2>(chain), entry));
    CHECK_FALSE(works(BlockLu<3>(chain), entry));
    CHECK_FALSE(works(BlockLu<6>(chain), entry));
  }
  CHECK(works(BlockLu<6>(chain), 2.0));
}

}  // namespace slipwave::contact
