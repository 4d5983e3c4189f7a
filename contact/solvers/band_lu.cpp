#include "contact/solvers/band_lu.hpp"

#include "parallel/clones.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace slipwave::contact {

namespace {

constexpr int panel_width = 24;  // a multiple of 4

/// c −= u_0 l_0 + … + u_3 l_3 with columns l_i a stride apart.
void subtract_four(double* c, const double* l, const double* u, Eigen::Index stride, int rows) {
  const double *l1 = l + stride, *l2 = l1 + stride, *l3 = l2 + stride;
  const double u0 = u[0], u1 = u[1], u2 = u[2], u3 = u[3];
#pragma omp simd
  for (int i = 0; i < rows; ++i) c[i] -= l[i] * u0 + l1[i] * u1 + l2[i] * u2 + l3[i] * u3;
}

}  // namespace

BandLu::BandLu(int capacity)
    : lu_(capacity, capacity), pivot_(static_cast<std::size_t>(capacity), 0) {}

void BandLu::reset(int size, int band) {
  assert(size >= 0 && size <= capacity() && band >= 0);
  size_ = size;
  band_ = std::min(band, size - 1);
  reach_ = band_;
  for (int j = 0; j < size_; ++j) {  // what row exchanges and whole panels will touch
    const int first = std::max(j - 2 * band_ - panel_width, 0);
    const int last = std::min(j + band_ + panel_width, size_);
    lu_.col(j).segment(first, last - first).setZero();
  }
}

bool BandLu::factorise() {
  for (int first = 0; first < size_; first += panel_width) {
    const int last = std::min(first + panel_width, size_);
    const int end = std::min(last + band_, size_);  // rows that the panel reaches
    if (!factorise_panel(first, last, end)) return false;
    update_right(first, last, end);
  }
  return true;
}

/// Columns first to last − 1, row by row pivot; exchanges stay inside the panel.
SLIPWAVE_CLONES bool BandLu::factorise_panel(int first, int last, int end) {
  for (int k = first; k < last; ++k) {
    const int rows = std::min(k + band_ + 1, size_) - k;
    Eigen::Index offset = 0;
    const double largest = lu_.col(k).segment(k, rows).cwiseAbs().maxCoeff(&offset);
    if (!(largest > 0.0 && std::isfinite(largest))) return false;
    const int row = k + static_cast<int>(offset);
    pivot_[static_cast<std::size_t>(k)] = row;
    reach_ = std::max(reach_, band_ + row - k);
    if (row != k)
      for (int j = first; j < last; ++j) std::swap(lu_(k, j), lu_(row, j));
    auto below = lu_.col(k).segment(k + 1, end - k - 1);
    below /= lu_(k, k);
    for (int j = k + 1; j < last; ++j) lu_.col(j).segment(k + 1, end - k - 1) -= lu_(k, j) * below;
  }
  return true;
}

/// Exchanges, U = L⁻¹ A and A −= L U in the columns right of the panel.
SLIPWAVE_CLONES void BandLu::update_right(int first, int last, int end) {
  const int columns_end = std::min(last + reach_, size_);
  for (int j = last; j < columns_end; ++j) {
    for (int k = first; k < last; ++k) {
      const int row = pivot_[static_cast<std::size_t>(k)];
      if (row != k) std::swap(lu_(k, j), lu_(row, j));
    }
    for (int k = first; k + 1 < last; ++k)
      lu_.col(j).segment(k + 1, last - k - 1) -=
          lu_(k, j) * lu_.col(k).segment(k + 1, last - k - 1);
  }
  if (end <= last) return;  // then the panel is whole, and its width a multiple of 4
  for (int j = last; j < columns_end; ++j)
    for (int k = first; k < last; k += 4)
      subtract_four(&lu_(last, j), &lu_(last, k), &lu_(k, j), lu_.rows(), end - last);
}

SLIPWAVE_CLONES void BandLu::solve(Eigen::Ref<Eigen::VectorXd> x) const {
  assert(x.size() == size_);
  for (int first = 0; first < size_; first += panel_width) {
    const int last = std::min(first + panel_width, size_);
    const int end = std::min(last + band_, size_);
    for (int k = first; k < last; ++k) std::swap(x[k], x[pivot_[static_cast<std::size_t>(k)]]);
    for (int k = first; k < last; ++k)
      x.segment(k + 1, end - k - 1) -= x[k] * lu_.col(k).segment(k + 1, end - k - 1);
  }
  for (int k = size_ - 1; k >= 0; --k) {
    x[k] /= lu_(k, k);
    const int top = std::max(k - reach_, 0);
    x.segment(top, k - top) -= x[k] * lu_.col(k).segment(top, k - top);
  }
}

}  // namespace slipwave::contact
