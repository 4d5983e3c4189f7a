#include "contact/delassus/block_sparse.hpp"

#include "tests/contact/delassus/colours.hpp"
#include "tests/support/bodies.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <stdexcept>

namespace slipwave::contact {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A sparse unsymmetric W of which contacts see those at these distances; one entry of each block
/// off the diagonal below it, none above: the pattern of entries is not symmetric either.
MatrixXd one_sided(int n, int d, const std::vector<int>& distances, std::mt19937_64& generator) {
  MatrixXd W = MatrixXd::Zero(d * n, d * n);
  std::normal_distribution<double> normal;
  for (int a = 0; a < n; ++a) {
    W.block(d * a, d * a, d, d) = tests::random_positive(d, 0.3, generator);
    for (const int distance : distances)
      if (a + distance < n) W(d * (a + distance), d * a + 1) = normal(generator);
  }
  return W;
}

template <int d>
void check_products(const MatrixXd& W, const BlockSparse& blocks, const VectorXd& p) {
  const VectorXd whole = W * p;
  for (int a = 0; a < blocks.contact_count(); ++a) {
    const MatrixXd own = W.block<d, d>(d * a, d * a);
    CHECK(blocks.diagonal<d>(a) == own);
    CHECK((blocks.all_times<d>(a, p.data()) - whole.segment<d>(d * a)).norm() <= 1e-13 * W.norm());
    CHECK((blocks.off_diagonal_times<d>(a, p.data()) + own * p.segment<d>(d * a) -
           whole.segment<d>(d * a))
              .norm() <= 1e-13 * W.norm());
    CHECK(blocks.rho(a) == doctest::Approx(d / own.trace()));
    for (std::size_t k = 0; k < blocks.columns(a).size(); ++k)
      CHECK(blocks.block<d>(a, static_cast<int>(k)) ==
            W.block<d, d>(d * a, d * blocks.columns(a)[k]));
  }
}

}  // namespace

TEST_CASE("contact/block_sparse: blocks, products and diagonal are those of the matrix") {
  std::mt19937_64 generator(1);
  for (const int d : {2, 3}) {
    const int n = 12;
    const MatrixXd W = one_sided(n, d, {1, 4, 7}, generator);
    const BlockSparse blocks(W.sparseView(), d);
    CHECK(blocks.dimension() == d);
    CHECK(blocks.contact_count() == n);
    CHECK(blocks.far_norm() == 0.0);
    const VectorXd p = tests::random_vector(d * n, 0.0, generator);
    d == 2 ? check_products<2>(W, blocks, p) : check_products<3>(W, blocks, p);
    double largest = 0.0;
    for (int a = 0; a < n; ++a) largest = std::max(largest, blocks.rho(a));
    CHECK(blocks.max_rho() == largest);
  }
}

TEST_CASE("contact/block_sparse: who sees is seen, although W is neither") {
  std::mt19937_64 generator(2);
  const int n = 12, d = 3;
  MatrixXd W = one_sided(n, d, {2, 5}, generator);
  const BlockSparse blocks(W.sparseView(), d);
  CHECK(blocks.block_count() == n + 2 * (n - 2) + 2 * (n - 5));
  for (int a = 0; a < n; ++a) {
    CHECK(std::ranges::is_sorted(blocks.columns(a)));
    for (const int b : blocks.columns(a)) CHECK(std::ranges::binary_search(blocks.columns(b), a));
  }
}

TEST_CASE("contact/block_sparse: entries of zero that a file has are no blocks") {
  Eigen::SparseMatrix<double> W(4, 4);
  for (int i = 0; i < 4; ++i) W.insert(i, i) = 1.0;
  W.insert(0, 2) = 0.0;
  CHECK(BlockSparse(W, 2).block_count() == 2);
}

TEST_CASE("contact/block_sparse: the first contact that cannot be pushed is named") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  MatrixXd W = MatrixXd::Identity(9, 9);
  W(3, 3) = 0.0;
  CHECK_THROWS_WITH_AS(BlockSparse(W.sparseView(), 3),
                       "contact 1: its diagonal block of W has W_NN = 0, W_TT = 1; its normal "
                       "motion must be free",
                       std::invalid_argument);
  for (const double wrong : {-1.0, none}) {
    for (const int i : {3, 4, 5}) {
      W = MatrixXd::Identity(9, 9);
      W(i, i) = wrong;
      CHECK_THROWS_AS(BlockSparse(W.sparseView(), 3), std::invalid_argument);
    }
  }
  W = MatrixXd::Identity(9, 9);
  W(4, 4) = 0.0;  // a prescribed tangential motion
  CHECK(BlockSparse(W.sparseView(), 3).contact_count() == 3);
}

TEST_CASE("contact/block_sparse: groups of one colour do not see each other") {
  std::mt19937_64 generator(3);
  const int n = 20000, d = 2;
  std::vector<Eigen::Triplet<double>> entries;
  std::uniform_int_distribution<int> any(0, n - 1);
  for (int i = 0; i < d * n; ++i) entries.emplace_back(i, i, 1.0);
  for (int k = 0; k < 2 * n; ++k) entries.emplace_back(d * any(generator), d * any(generator), 0.1);
  for (int a = 0; a + 1 < 200; a += 2) entries.emplace_back(d * a, d * (a + 1), 0.1);
  Eigen::SparseMatrix<double> W(d * n, d * n);
  W.setFromTriplets(entries.begin(), entries.end());
  const BlockSparse blocks(W, d);
  const Colours colours = blocks.colours();
  CHECK(colours.colours.size() > 2);
  tests::check_colours(colours, n, [&](int a) { return blocks.columns(a); });
}

TEST_CASE("contact/block_sparse: what is too short to share is one group, empty or not") {
  CHECK(BlockSparse(MatrixXd::Identity(40, 40).sparseView(), 2).colours().colours.size() == 1);
  const BlockSparse empty(Eigen::SparseMatrix<double>(0, 0), 3);
  CHECK(empty.contact_count() == 0);
  CHECK(empty.colours().group.empty());
}

}  // namespace slipwave::contact
