#pragma once

#include "parallel/clones.hpp"

#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

namespace slipwave::contact {

/// LU of a sparse matrix of blocks s x s whose pattern is symmetric, A = L U with the diagonal
/// blocks in U. Rows are exchanged within a diagonal block only: made for I + W D and M + HᵀDH,
/// whose leading minors are positive where D is symmetric and none of W, M, D is negative. Whoever
/// solves checks what comes out. Ordering and pattern are found once; afterwards nothing allocates.
template <int s>
class BlockLu {
 public:
  using Block = Eigen::Matrix<double, s, s>;
  using Segment = Eigen::Matrix<double, s, 1>;

  /// Per row the columns of its blocks; the diagonal is always there, and both (i, j) and (j, i)
  /// where one is named.
  explicit BlockLu(const std::vector<std::vector<int>>& pattern);

  int row_count() const { return static_cast<int>(place_.size()); }
  /// Blocks of L and U with the diagonal, fill included.
  long block_count() const { return static_cast<long>(blocks_.size()); }
  /// What one factorisation costs, in products of numbers in large blocks: those in small ones take
  /// 1.7 times as long.
  double work() const { return (s < 6 ? 1.7 : 1.0) * s * s * s * products_; }
  /// Where a block is kept: the place is good for as long as the object lives.
  int place(int row, int column) const;
  Block& at(int place) { return blocks_[static_cast<std::size_t>(place)]; }
  /// Sets A to zero.
  void clear() { std::fill(blocks_.begin(), blocks_.end(), Block(Block::Zero())); }
  /// Puts the factors in A's place. False where a number is not finite.
  bool factorise();
  /// x = A⁻¹ x; s numbers per row.
  void solve(Eigen::VectorXd& x);

 private:
  using Pattern = std::vector<std::vector<int>>;
  void order(const Pattern& pattern);
  void find_fill(const Pattern& pattern);

  static std::size_t at_index(int i) { return static_cast<std::size_t>(i); }
  // Of pivot k: its diagonal block, the blocks of L below it, the blocks of U beside it.
  int below(int k) const { return first_[at_index(k)] + 1; }
  int beside(int k) const { return below(k) + count(k); }
  int count(int k) const { return (first_[at_index(k + 1)] - first_[at_index(k)] - 1) / 2; }
  void eliminate(int k);

  std::vector<int> place_;  // of each row among the pivots
  Pattern fill_;            // per pivot, the later pivots that L and U have blocks with; increasing
  std::vector<int> first_;  // per pivot, the place of its blocks
  std::vector<Block> blocks_;
  double products_ = 0.0;  // of blocks
  Eigen::VectorXd ordered_;
};

template <int s>
BlockLu<s>::BlockLu(const Pattern& pattern)
    : place_(pattern.size()), ordered_(s * static_cast<Eigen::Index>(pattern.size())) {
  order(pattern);
  find_fill(pattern);
  first_.assign(1, 0);
  for (const std::vector<int>& later : fill_) {
    const auto count = static_cast<double>(later.size());
    first_.push_back(first_.back() + 1 + 2 * static_cast<int>(later.size()));
    products_ += count * count + count;
  }
  blocks_.assign(at_index(first_.back()), Block(Block::Zero()));
}

/// Minimum degree.
template <int s>
void BlockLu<s>::order(const Pattern& pattern) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < pattern.size(); ++i)
    for (const int j : pattern[i]) {
      entries.emplace_back(static_cast<int>(i), j, 1.0);
      entries.emplace_back(j, static_cast<int>(i), 1.0);
    }
  const auto n = static_cast<Eigen::Index>(pattern.size());
  Eigen::SparseMatrix<double> graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> pivots;
  Eigen::AMDOrdering<int>()(graph, pivots);
  for (int k = 0; k < pivots.size(); ++k) place_[at_index(pivots.indices()[k])] = k;
}

/// What a pivot leaves behind goes to the next one that it touches.
template <int s>
void BlockLu<s>::find_fill(const Pattern& pattern) {
  fill_.assign(pattern.size(), {});
  for (std::size_t i = 0; i < pattern.size(); ++i)
    for (const int j : pattern[i]) {
      const int k = place_[i], l = place_[at_index(j)];
      if (k != l) fill_[at_index(std::min(k, l))].push_back(std::max(k, l));
    }
  for (std::size_t k = 0; k < fill_.size(); ++k) {
    std::vector<int>& later = fill_[k];
    std::sort(later.begin(), later.end());
    later.erase(std::unique(later.begin(), later.end()), later.end());
    if (later.size() < 2) continue;
    std::vector<int>& next = fill_[at_index(later.front())];
    next.insert(next.end(), later.begin() + 1, later.end());
  }
}

template <int s>
int BlockLu<s>::place(int row, int column) const {
  const int i = place_[at_index(row)], j = place_[at_index(column)], k = std::min(i, j);
  if (i == j) return first_[at_index(k)];
  const std::vector<int>& later = fill_[at_index(k)];
  const auto found = std::lower_bound(later.begin(), later.end(), std::max(i, j));
  assert(found != later.end() && *found == std::max(i, j));
  return (i > j ? below(k) : beside(k)) + static_cast<int>(found - later.begin());
}

/// L_ik = A_ik A_kk⁻¹, and A_ij −= L_ik A_kj for all i, j that pivot k touches.
template <int s>
void BlockLu<s>::eliminate(int k) {
  const std::vector<int>& later = fill_[at_index(k)];
  const int n = static_cast<int>(later.size());
  Block* const own = &at(first_[at_index(k)]);
  Block* const L = own + 1;
  const Block* const U = L + n;
  *own = own->inverse().eval();
  for (int i = 0; i < n; ++i) L[i] = (L[i] * *own).eval();
  for (int i = 0; i < n; ++i) {
    const int row = later[at_index(i)];
    at(first_[at_index(row)]).noalias() -= L[i] * U[i];
    const int* target = fill_[at_index(row)].data();
    Block *lower = blocks_.data() + below(row), *upper = blocks_.data() + beside(row);
    for (int j = i + 1; j < n; ++j) {
      for (; *target != later[at_index(j)]; ++target, ++lower, ++upper) {
      }
      upper->noalias() -= L[i] * U[j];
      lower->noalias() -= L[j] * U[i];
    }
  }
}

template <int s>
SLIPWAVE_CLONES bool BlockLu<s>::factorise() {
  for (int k = 0; k < row_count(); ++k) {
    eliminate(k);
    if (!at(first_[at_index(k)]).allFinite()) return false;
  }
  return true;
}

template <int s>
SLIPWAVE_CLONES void BlockLu<s>::solve(Eigen::VectorXd& x) {
  assert(x.size() == ordered_.size());
  Eigen::VectorXd& y = ordered_;
  for (int i = 0; i < row_count(); ++i)
    y.segment<s>(s * place_[at_index(i)]) = x.template segment<s>(s * i);
  for (int k = 0; k < row_count(); ++k) {
    const Segment own = y.segment<s>(s * k);
    const Block* L = blocks_.data() + below(k);
    for (const int i : fill_[at_index(k)]) y.segment<s>(s * i).noalias() -= *L++ * own;
  }
  for (int k = row_count() - 1; k >= 0; --k) {
    Segment sum = y.segment<s>(s * k);
    const Block* U = blocks_.data() + beside(k);
    for (const int j : fill_[at_index(k)]) sum.noalias() -= *U++ * y.segment<s>(s * j);
    y.segment<s>(s * k).noalias() = blocks_[at_index(first_[at_index(k)])] * sum;
  }
  for (int i = 0; i < row_count(); ++i)
    x.template segment<s>(s * i) = y.segment<s>(s * place_[at_index(i)]);
}

}  // namespace slipwave::contact
