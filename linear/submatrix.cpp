#include "linear/submatrix.hpp"

#include <cassert>

namespace slipwave::linear {

std::vector<int> indices_where(const std::vector<bool>& flags, bool wanted) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i] == wanted) indices.push_back(static_cast<int>(i));
  return indices;
}

std::vector<int> numbering(const std::vector<int>& dofs, int dof_count) {
  std::vector<int> index(static_cast<std::size_t>(dof_count), -1);
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    assert(dofs[k] >= 0 && dofs[k] < dof_count);
    index[static_cast<std::size_t>(dofs[k])] = static_cast<int>(k);
  }
  return index;
}

fem::SparseMatrix submatrix(const fem::SparseMatrix& A, const std::vector<int>& new_row, int rows,
                            const std::vector<int>& new_column, int columns) {
  assert(static_cast<Eigen::Index>(new_row.size()) == A.rows());
  assert(static_cast<Eigen::Index>(new_column.size()) == A.cols());
  fem::SparseMatrix result(rows, columns);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < A.outerSize(); ++i) {
    if (new_row[static_cast<std::size_t>(i)] < 0) continue;
    for (fem::SparseMatrix::InnerIterator entry(A, i); entry; ++entry)
      if (new_column[static_cast<std::size_t>(entry.col())] >= 0)
        entries.emplace_back(new_row[static_cast<std::size_t>(i)],
                             new_column[static_cast<std::size_t>(entry.col())], entry.value());
  }
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace slipwave::linear
