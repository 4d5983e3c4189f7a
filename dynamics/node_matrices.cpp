#include "dynamics/node_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace slipwave::dynamics {

namespace {

/// The neighbours of a node in any of the matrices, increasing.
std::vector<int> neighbours(int node, const fem::SparseMatrix& M, const fem::SparseMatrix& K,
                            const fem::SparseMatrix& C) {
  std::vector<int> found;
  for (const fem::SparseMatrix* A : {&M, &K, &C})
    for (int row = 2 * node; row < 2 * node + 2; ++row)
      for (fem::SparseMatrix::InnerIterator entry(*A, row); entry; ++entry)
        found.push_back(static_cast<int>(entry.col()) / 2);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// One number per block, if every block is a multiple of the identity; nothing otherwise.
std::vector<double> as_scalars(const std::vector<double>& blocks) {
  std::vector<double> scalars;
  for (std::size_t e = 0; e < blocks.size(); e += 4) {
    if (blocks[e] != blocks[e + 3] || blocks[e + 1] != 0.0 || blocks[e + 2] != 0.0) return {};
    scalars.push_back(blocks[e]);
  }
  return scalars;
}

}  // namespace

NodeMatrices::NodeMatrices(const fem::SparseMatrix& M, const fem::SparseMatrix& K,
                           const fem::SparseMatrix& C) {
  if (M.rows() % 2 != 0 || K.rows() != M.rows())
    throw std::invalid_argument("M and K must have two dofs per node");
  start_.push_back(0);
  for (int node = 0; node < M.rows() / 2; ++node) {
    const std::vector<int> found = neighbours(node, M, K, C);
    const auto own = std::lower_bound(found.begin(), found.end(), node);
    if (own == found.end() || *own != node)
      throw std::invalid_argument(fmt::format("M and K are empty at node {}", node));
    own_.push_back(start_.back() + static_cast<int>(own - found.begin()));
    column_.insert(column_.end(), found.begin(), found.end());
    start_.push_back(static_cast<int>(column_.size()));
  }
  K_ = blocks_of(K);
  M_ = blocks_of(M);
  if (C.nonZeros() > 0) C_ = blocks_of(C);
  std::vector<double> scalars = as_scalars(M_);
  scalar_mass_ = !scalars.empty();
  if (scalar_mass_) M_ = std::move(scalars);
}

std::vector<double> NodeMatrices::blocks_of(const fem::SparseMatrix& A) const {
  std::vector<double> values(4 * column_.size(), 0.0);
  for (int row = 0; row < A.rows(); ++row) {
    const auto first = column_.begin() + start_[static_cast<std::size_t>(row / 2)];
    const auto last = column_.begin() + start_[static_cast<std::size_t>(row / 2) + 1];
    for (fem::SparseMatrix::InnerIterator entry(A, row); entry; ++entry) {
      const int column = static_cast<int>(entry.col());
      const auto block = std::lower_bound(first, last, column / 2) - column_.begin();
      values[static_cast<std::size_t>(4 * block + 2 * (column % 2) + row % 2)] = entry.value();
    }
  }
  return values;
}

}  // namespace slipwave::dynamics
