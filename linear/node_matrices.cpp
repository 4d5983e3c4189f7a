#include "linear/node_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace slipwave::linear {

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
  for (int node = 0; node < M.rows() / 2; ++node) {
    const std::vector<int> found = neighbours(node, M, K, C);
    const auto own = std::lower_bound(found.begin(), found.end(), node);
    if (own == found.end() || *own != node)
      throw std::invalid_argument(fmt::format("M and K are empty at node {}", node));
    lower_.column.insert(lower_.column.end(), found.begin(), own);
    upper_.column.insert(upper_.column.end(), own, found.end());
    for (Triangle* triangle : {&lower_, &upper_})
      triangle->start.push_back(static_cast<int>(triangle->column.size()));
  }
  for (Triangle* triangle : {&lower_, &upper_}) {
    triangle->K = blocks_of(K, *triangle);
    triangle->M = blocks_of(M, *triangle);
    if (C.nonZeros() > 0) triangle->C = blocks_of(C, *triangle);
  }
  upper_.scalar_M = as_scalars(upper_.M);
}

/// The blocks of A that have a place in a triangle.
std::vector<double> NodeMatrices::blocks_of(const fem::SparseMatrix& A, const Triangle& triangle) {
  std::vector<double> values(4 * triangle.column.size(), 0.0);
  for (int row = 0; row < A.rows(); ++row) {
    const auto node = static_cast<std::size_t>(row / 2);
    const auto first = triangle.column.begin() + triangle.start[node];
    const auto last = triangle.column.begin() + triangle.start[node + 1];
    for (fem::SparseMatrix::InnerIterator entry(A, row); entry; ++entry) {
      const int column = static_cast<int>(entry.col());
      const auto found = std::lower_bound(first, last, column / 2);
      if (found == last || *found != column / 2) continue;
      const auto block = found - triangle.column.begin();
      values[static_cast<std::size_t>(4 * block + 2 * (column % 2) + row % 2)] = entry.value();
    }
  }
  return values;
}

}  // namespace slipwave::linear
