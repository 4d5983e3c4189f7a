#pragma once

#include "fem/assembly.hpp"

#include <Eigen/SparseCholesky>
#include <stdexcept>
#include <vector>

namespace slipwave::fem {

/// Solves K q = f with q given at the nodes marked `fixed`, where `q` holds the given values.
inline void solve_dirichlet(const SparseMatrix& K, const Eigen::VectorXd& f,
                            const std::vector<bool>& fixed, Eigen::VectorXd& q) {
  std::vector<int> number(static_cast<std::size_t>(K.rows()), -1);
  int n = 0;
  for (int i = 0; i < int(K.rows()); ++i)
    if (!fixed[static_cast<std::size_t>(i / 2)]) number[static_cast<std::size_t>(i)] = n++;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd rhs(n);
  for (int i = 0; i < int(K.rows()); ++i) {
    const int row = number[static_cast<std::size_t>(i)];
    if (row < 0) continue;
    rhs[row] = f[i];
    for (SparseMatrix::InnerIterator entry(K, i); entry; ++entry) {
      const int column = number[static_cast<std::size_t>(entry.col())];
      if (column >= 0) entries.emplace_back(row, column, entry.value());
      if (column < 0) rhs[row] -= entry.value() * q[entry.col()];
    }
  }
  Eigen::SparseMatrix<double> interior(n, n);
  interior.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(interior);
  if (factor.info() != Eigen::Success) throw std::runtime_error("K is not positive definite");
  const Eigen::VectorXd x = factor.solve(rhs);
  for (int i = 0; i < int(K.rows()); ++i)
    if (number[static_cast<std::size_t>(i)] >= 0) q[i] = x[number[static_cast<std::size_t>(i)]];
}

}  // namespace slipwave::fem
