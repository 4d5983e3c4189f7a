#pragma once

#include "dynamics/four.hpp"
#include "fem/assembly.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <vector>

namespace slipwave::dynamics {

/// M, K and C in 2x2 blocks, one per pair of coupled nodes, over one common pattern: what the step
/// and its ledger multiply with. A row of blocks is read once for all the products that need it.
/// About 45 doubles a node for a triangle mesh.
class NodeMatrices {
 public:
  /// Throws std::invalid_argument for matrices without two dofs per node.
  NodeMatrices(const fem::SparseMatrix& M, const fem::SparseMatrix& K, const fem::SparseMatrix& C);

  int node_count() const { return static_cast<int>(start_.size()) - 1; }
  bool has_damping() const { return !C_.empty(); }

  /// (K x) at a node, with x(j) the two components of x at node j.
  template <class X>
  Eigen::Vector2d K_times(int node, const X& x) const {
    return times(K_, node, x);
  }
  /// (C x) at a node, only with damping.
  template <class X>
  Eigen::Vector2d C_times(int node, const X& x) const {
    return times(C_, node, x);
  }
  /// (M x) at a node.
  template <class X>
  Eigen::Vector2d M_times(int node, const X& x) const;

  /// Vectors at a node as their quadratic forms read them.
  struct Packed {
    Four x, y;  ///< first and second component of up to four vectors that K multiplies
    Four m;     ///< two vectors that M multiplies: components of one, then of the other
  };
  /// Rows of products: with the block of a node itself, and with those of later nodes.
  struct Products {
    Packed own, later;
  };
  /// Half of K and M at a node, for a^T K b = sum of a (own b + later b) + b (later a) over nodes.
  Products half_times(int node, const Packed* vectors) const;

 private:
  using Block = Eigen::Map<const Eigen::Matrix2d>;

  std::vector<double> blocks_of(const fem::SparseMatrix& A) const;
  template <class X>
  Eigen::Vector2d times(const std::vector<double>& values, int node, const X& x) const;
  void add_product(int entry, const Packed& vectors, Packed& sum) const;

  std::vector<int> start_, column_;  // neighbours of each node, increasing
  std::vector<int> own_;             // which of them is the node itself
  std::vector<double> K_, C_;        // four per neighbour
  std::vector<double> M_;            // one per neighbour if M is a multiple of the identity there
  bool scalar_mass_ = false;
};

/// The two components of a vector at a node, for the products of NodeMatrices.
inline auto at_nodes(const Eigen::VectorXd& x) {
  return [data = x.data()](int node) { return Eigen::Map<const Eigen::Vector2d>(data + 2 * node); };
}

/// A block (a, c, b, d) times (x, x, y, y), summed over the row, then its two halves. Two sums in
/// turn, so that the processor need not wait for one product before the next.
template <class X>
[[gnu::always_inline]] inline Eigen::Vector2d NodeMatrices::times(const std::vector<double>& values,
                                                                  int node, const X& x) const {
  const auto product = [&](int e) {
    const auto at = static_cast<std::size_t>(e);
    const auto x_j = x(column_[at]);
    return load(&values[4 * at]) * Four{x_j[0], x_j[0], x_j[1], x_j[1]};
  };
  const int end = start_[static_cast<std::size_t>(node) + 1];
  int e = start_[static_cast<std::size_t>(node)];
  Four even{}, odd{};
  for (; e + 1 < end; e += 2) {
    even += product(e);
    odd += product(e + 1);
  }
  if (e < end) even += product(e);
  const Four sum = even + odd;
  return {sum[0] + sum[2], sum[1] + sum[3]};
}

template <class X>
Eigen::Vector2d NodeMatrices::M_times(int node, const X& x) const {
  if (!scalar_mass_) return times(M_, node, x);
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (int e = start_[static_cast<std::size_t>(node)];
       e < start_[static_cast<std::size_t>(node) + 1]; ++e)
    sum += M_[static_cast<std::size_t>(e)] * x(column_[static_cast<std::size_t>(e)]);
  return sum;
}

inline void NodeMatrices::add_product(int entry, const Packed& vectors, Packed& sum) const {
  const auto at = static_cast<std::size_t>(entry);
  const double* K = &K_[4 * at];
  sum.x += K[0] * vectors.x + K[2] * vectors.y;
  sum.y += K[1] * vectors.x + K[3] * vectors.y;
  if (scalar_mass_) {
    sum.m += M_[at] * vectors.m;
  } else {
    const double* M = &M_[4 * at];
    const Four& m = vectors.m;
    sum.m += Four{M[0], M[1], M[0], M[1]} * Four{m[0], m[0], m[2], m[2]} +
             Four{M[2], M[3], M[2], M[3]} * Four{m[1], m[1], m[3], m[3]};
  }
}

inline NodeMatrices::Products NodeMatrices::half_times(int node, const Packed* vectors) const {
  const auto row = static_cast<std::size_t>(node);
  Products products{};
  add_product(own_[row], vectors[node], products.own);
  for (int e = own_[row] + 1; e < start_[row + 1]; ++e)
    add_product(e, vectors[column_[static_cast<std::size_t>(e)]], products.later);
  return products;
}

/// Work over the nodes is cut into blocks of this many: sums are formed per block and added in
/// order, so that they have the same bits for any number of threads.
constexpr int nodes_per_block = 512;

/// Calls work(block, first node, past the last node) for every block, on all threads where there
/// are enough blocks to share.
template <class Work>
void for_each_node_block(int node_count, const Work& work) {
  const int blocks = (node_count + nodes_per_block - 1) / nodes_per_block;
#pragma omp parallel for schedule(static) if (blocks >= 16)
  for (int block = 0; block < blocks; ++block)
    work(block, block * nodes_per_block, std::min(node_count, (block + 1) * nodes_per_block));
}

}  // namespace slipwave::dynamics
