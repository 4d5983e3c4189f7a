#pragma once

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

  /// (K x) at a node; x has two components per node.
  Eigen::Vector2d K_times(int node, const double* x) const { return times(K_, node, x); }
  /// (C x) at a node, only with damping.
  Eigen::Vector2d C_times(int node, const double* x) const { return times(C_, node, x); }
  /// K [x1 x2] and M [x3 x4] at a node; x has eight components per node: x1, x2, x3, x4.
  void K_and_M_times(int node, const double* x, Eigen::Matrix2d& K_x, Eigen::Matrix2d& M_x) const;

 private:
  using Block = Eigen::Map<const Eigen::Matrix2d>;

  std::vector<double> blocks_of(const fem::SparseMatrix& A) const;
  Eigen::Vector2d times(const std::vector<double>& values, int node, const double* x) const;

  std::vector<int> start_, column_;  // neighbours of each node, increasing
  std::vector<double> K_, C_;        // four per neighbour
  std::vector<double> M_;            // one per neighbour if M is a multiple of the identity there
  bool scalar_mass_ = false;
};

inline Eigen::Vector2d NodeMatrices::times(const std::vector<double>& values, int node,
                                           const double* x) const {
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (int e = start_[static_cast<std::size_t>(node)];
       e < start_[static_cast<std::size_t>(node) + 1]; ++e) {
    const auto at = static_cast<std::size_t>(e);
    sum += Block(&values[4 * at]) * Eigen::Map<const Eigen::Vector2d>(x + 2 * column_[at]);
  }
  return sum;
}

inline void NodeMatrices::K_and_M_times(int node, const double* x, Eigen::Matrix2d& K_x,
                                        Eigen::Matrix2d& M_x) const {
  // Four numbers at a time: a block (K00, K10, K01, K11) times [x1 x2] = (a0, a1, b0, b1) is
  // (K00, K10, K00, K10)(a0, a0, b0, b0) + (K01, K11, K01, K11)(a1, a1, b1, b1).
  using Four = double __attribute__((vector_size(32), aligned(8)));
  const auto load = [](const double* from) { return *reinterpret_cast<const Four*>(from); };
  Four sum_0{}, sum_1{}, sum_M{};
  M_x.setZero();
  for (int e = start_[static_cast<std::size_t>(node)];
       e < start_[static_cast<std::size_t>(node) + 1]; ++e) {
    const auto at = static_cast<std::size_t>(e);
    const double* x_j = x + 8 * static_cast<std::ptrdiff_t>(column_[at]);
    const Four K = load(&K_[4 * at]), x_K = load(x_j);
    sum_0 +=
        __builtin_shufflevector(K, K, 0, 1, 0, 1) * __builtin_shufflevector(x_K, x_K, 0, 0, 2, 2);
    sum_1 +=
        __builtin_shufflevector(K, K, 2, 3, 2, 3) * __builtin_shufflevector(x_K, x_K, 1, 1, 3, 3);
    if (scalar_mass_)
      sum_M += M_[at] * load(x_j + 4);
    else
      M_x += Block(&M_[4 * at]) * Block(x_j + 4);
  }
  const Four sum_K = sum_0 + sum_1;
  for (int k = 0; k < 4; ++k) K_x(k % 2, k / 2) = sum_K[k];
  for (int k = 0; k < 4; ++k) M_x(k % 2, k / 2) += sum_M[k];
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
