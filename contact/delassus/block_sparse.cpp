#include "contact/delassus/block_sparse.hpp"

#include "contact/delassus/colouring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

namespace slipwave::contact {

BlockSparse::BlockSparse(const Eigen::SparseMatrix<double>& W, int dimension)
    : dimension_(dimension), rho_(W.rows() / dimension) {
  assert((dimension == 2 || dimension == 3) && W.rows() % dimension == 0 && W.rows() == W.cols());
  find_blocks(W);
  fill(W);
  prepare();
}

/// Which blocks have an entry, or one across the diagonal: who sees is seen.
void BlockSparse::find_blocks(const Eigen::SparseMatrix<double>& W) {
  const int n = contact_count();
  std::vector<std::vector<int>> seen(static_cast<std::size_t>(n));
  for (int a = 0; a < n; ++a) seen[static_cast<std::size_t>(a)].push_back(a);
  for (int j = 0; j < W.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(W, j); entry; ++entry) {
      const int a = static_cast<int>(entry.row()) / dimension_, b = j / dimension_;
      if (entry.value() == 0.0) continue;
      seen[static_cast<std::size_t>(a)].push_back(b);
      seen[static_cast<std::size_t>(b)].push_back(a);
    }
  first_.assign(1, 0);
  for (int a = 0; a < n; ++a) {
    std::vector<int>& row = seen[static_cast<std::size_t>(a)];
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
    diagonal_.push_back(
        static_cast<int>(std::lower_bound(row.begin(), row.end(), a) - row.begin()));
    columns_.insert(columns_.end(), row.begin(), row.end());
    first_.push_back(static_cast<int>(columns_.size()));
  }
}

void BlockSparse::fill(const Eigen::SparseMatrix<double>& W) {
  const int d = dimension_;
  blocks_.assign(columns_.size() * static_cast<std::size_t>(d * d), 0.0);
  std::vector<int> next(first_.begin(), first_.end() - 1);  // columns rise, so do blocks of a row
  for (int b = 0; b < contact_count(); ++b)
    for (int j = 0; j < d; ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(W, d * b + j); entry; ++entry) {
        if (entry.value() == 0.0) continue;
        const auto row = static_cast<int>(entry.row());
        int& place = next[static_cast<std::size_t>(row / d)];
        while (columns_[static_cast<std::size_t>(place)] < b) ++place;
        blocks_[static_cast<std::size_t>(place * d * d + j * d + row % d)] += entry.value();
      }
}

void BlockSparse::prepare() {
  for (int a = 0; a < contact_count(); ++a) {
    const double* own = blocks_.data() + (first_[static_cast<std::size_t>(a)] +
                                          diagonal_[static_cast<std::size_t>(a)]) *
                                             dimension_ * dimension_;
    double trace = own[0], least = own[dimension_ + 1];
    for (int i = 1; i < dimension_; ++i) {
      trace += own[i * (dimension_ + 1)];
      least = std::min(least, own[i * (dimension_ + 1)]);
    }
    if (!(own[0] > 0.0 && least >= 0.0 && std::isfinite(trace)))
      throw std::invalid_argument(
          fmt::format("contact {}: its diagonal block of W has W_NN = {:g}, W_TT = {:g}; its "
                      "normal motion must be free",
                      a, own[0], least));
    rho_[a] = dimension_ / trace;
    max_rho_ = std::max(max_rho_, rho_[a]);
  }
}

Colours BlockSparse::colours() const {
  const double products = static_cast<double>(block_count()) * dimension_ * dimension_;
  return coloured(contact_count(), products, [&](int a) { return columns(a); });
}

}  // namespace slipwave::contact
