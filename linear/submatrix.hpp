#pragma once

#include "fem/assembly.hpp"

#include <vector>

namespace slipwave::linear {

/// Indices of the flags that are as wanted.
std::vector<int> indices_where(const std::vector<bool>& flags, bool wanted);

/// New index of each listed dof, -1 for the others.
std::vector<int> numbering(const std::vector<int>& dofs, int dof_count);

/// Entries of A between the rows and columns that have a new index (not -1).
fem::SparseMatrix submatrix(const fem::SparseMatrix& A, const std::vector<int>& new_row, int rows,
                            const std::vector<int>& new_column, int columns);

}  // namespace slipwave::linear
