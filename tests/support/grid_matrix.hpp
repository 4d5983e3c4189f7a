#pragma once

#include "fem/assembly.hpp"

#include <vector>

namespace slipwave::tests {

/// A grid Laplacian plus half the identity: `bodies` square grids that are not connected.
inline fem::SparseMatrix grid_matrix(int width, int bodies) {
  const int cells = width * width;
  std::vector<Eigen::Triplet<double>> entries;
  const auto couple = [&](int i, int j) {
    entries.emplace_back(i, j, -1.0);
    entries.emplace_back(j, i, -1.0);
    entries.emplace_back(i, i, 1.0);
    entries.emplace_back(j, j, 1.0);
  };
  for (int body = 0; body < bodies; ++body)
    for (int k = 0; k < cells; ++k) {
      const int i = body * cells + k;
      entries.emplace_back(i, i, 0.5);
      if (k % width + 1 < width) couple(i, i + 1);
      if (k + width < cells) couple(i, i + width);
    }
  fem::SparseMatrix A(bodies * cells, bodies * cells);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// The lower edge of every grid, backwards: an order that no elimination would choose.
inline std::vector<int> lower_edges(int width, int bodies) {
  std::vector<int> last;
  for (int body = 0; body < bodies; ++body)
    for (int k = width - 1; k >= 0; --k) last.push_back(body * width * width + k);
  return last;
}

}  // namespace slipwave::tests
