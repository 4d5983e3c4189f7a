#include "linear/supernodal_triangle.hpp"

#include "linear/simd.hpp"
#include "parallel/clones.hpp"
#include "parallel/team.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace slipwave::linear {

namespace {

constexpr int tile = 4;

/// Below this many values (some 0.2 ms) waking threads costs more than they save.
constexpr Eigen::Index sequential_values = 300000;

int padded(int count) { return (count + tile - 1) / tile * tile; }

/// A full diagonal tile holds D, the inverse of the 4x4 triangle there, and D^T in its upper half:
/// so both D x and D^T x are sums of parts of its columns, with no division and no chain of
/// dependent steps.
Four lower_times(const double* D, const Four& x) {
  const Four zero{};
  const Four d1 = load(D + 4), d2 = load(D + 8), d3 = load(D + 12);
  return (load(D) * x[0] + __builtin_shufflevector(d1, zero, 4, 1, 2, 3) * x[1]) +
         (__builtin_shufflevector(d2, zero, 4, 4, 2, 3) * x[2] +
          __builtin_shufflevector(d3, zero, 4, 4, 4, 3) * x[3]);
}

Four upper_times(const double* D, const Four& x) {
  const Four zero{};
  const Four d0 = load(D), d1 = load(D + 4), d2 = load(D + 8);
  return (__builtin_shufflevector(d0, zero, 0, 4, 4, 4) * x[0] +
          __builtin_shufflevector(d1, zero, 0, 1, 4, 4) * x[1]) +
         (__builtin_shufflevector(d2, zero, 0, 1, 2, 4) * x[2] + load(D + 12) * x[3]);
}

/// The sum of each of four.
Four sums_of(const Four& a, const Four& b, const Four& c, const Four& d) {
  const Four ab =
      __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Four cd =
      __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

/// x := L^-1 x for `width` columns, the first rows of x being theirs. Returns the end of the tiles.
template <int width>
const double* forward_group(const double* L, double* x, int tiles) {
  Four y = load(x);
  if constexpr (width == tile) {
    y = lower_times(L, y);
    store(y, x);
  } else {
    for (int c = 0; c < width; ++c) {
      y[c] = x[c] *= L[tile * c + c];
      for (int r = c + 1; r < tile; ++r) y[r] = x[r] -= L[tile * c + r] * y[c];
    }
  }
  for (int t = 1; t < tiles; ++t) {
    L += tile * width;
    Four sum_t = load(x + tile * t);
    for (int c = 0; c < width; ++c) sum_t -= load(L + tile * c) * y[c];
    store(sum_t, x + tile * t);
  }
  return L + tile * width;
}

/// x := L^-T x for the columns whose tiles start at L. The tiles are read from the last to the
/// first: with the groups taken in the same direction, memory is walked through without a jump.
/// Two tiles are summed apart, so that the processor need not wait for one sum before the next.
template <int width>
void backward_group(const double* L, double* x, int tiles) {
  Four sums[width] = {}, more[width] = {};
  int t = tiles - 1;
  for (; t > 1; t -= 2) {
    const double* below = L + static_cast<std::ptrdiff_t>(t) * tile * width;
    const Four x_t = load(x + tile * t), x_next = load(x + tile * t - tile);
    for (int c = 0; c < width; ++c) sums[c] += load(below + tile * c) * x_t;
    for (int c = 0; c < width; ++c) more[c] += load(below + tile * (c - width)) * x_next;
  }
  if (t == 1)
    for (int c = 0; c < width; ++c) sums[c] += load(L + tile * (width + c)) * load(x + tile);
  for (int c = 0; c < width; ++c) sums[c] += more[c];
  if constexpr (width == tile) {
    store(upper_times(L, load(x) - sums_of(sums[0], sums[1], sums[2], sums[3])), x);
  } else {
    for (int c = width - 1; c >= 0; --c) {
      double rest = x[c] - sum(sums[c]);
      for (int r = c + 1; r < tile; ++r) rest -= L[tile * c + r] * x[r];
      x[c] = rest * L[tile * c + c];
    }
  }
}

/// The inverse of a lower triangular tile, with its transpose in the upper half; the upper half of
/// the tile itself is not read.
Eigen::Matrix4d inverse_of(const Eigen::Matrix4d& triangle) {
  const Eigen::Matrix4d inverse =
      triangle.triangularView<Eigen::Lower>().solve(Eigen::Matrix4d::Identity());
  return inverse.selfadjointView<Eigen::Lower>();
}

/// Doubles in the first `columns` columns of a supernode, of which all groups but the last are
/// full.
std::size_t tile_values(int columns, int row_count) {
  const auto full = static_cast<std::size_t>(columns / tile);
  const auto rest = static_cast<std::size_t>(columns % tile);
  const std::size_t rows = static_cast<std::size_t>(padded(row_count));
  return full * tile * rows - tile * tile * (full * (full - 1) / 2) + rest * (rows - full * tile);
}

/// The supernode that holds each column.
std::vector<int> supernode_of_columns(const SupernodalView& L) {
  std::vector<int> result(static_cast<std::size_t>(L.first_column[L.supernodes]));
  for (int k = 0; k < L.supernodes; ++k)
    std::fill(result.begin() + L.first_column[k], result.begin() + L.first_column[k + 1], k);
  return result;
}

/// The parent of each supernode in the elimination tree, -1 for a root.
std::vector<int> parents(const SupernodalView& L) {
  const std::vector<int> of_column = supernode_of_columns(L);
  std::vector<int> result(static_cast<std::size_t>(L.supernodes), -1);
  for (int k = 0; k < L.supernodes; ++k) {
    const int first_below = L.row_start[k] + L.first_column[k + 1] - L.first_column[k];
    if (first_below < L.row_start[k + 1])
      result[static_cast<std::size_t>(k)] =
          of_column[static_cast<std::size_t>(L.rows[first_below])];
  }
  return result;
}

/// Where `row` stands in a sorted list that holds it.
int place_in(const std::vector<int>& rows, int row) {
  const auto at = std::lower_bound(rows.begin(), rows.end(), row);
  if (at == rows.end() || *at != row) throw std::logic_error("the supernodes are not in postorder");
  return static_cast<int>(at - rows.begin());
}

}  // namespace

SupernodalTriangle::SupernodalTriangle(const SupernodalView& L, int first_last)
    : size_(L.first_column[L.supernodes]), first_last_(first_last) {
  copy_values(L);
  cut(L);
}

/// Where an entry of the lower triangle of a supernode stands in values_, row and column counted
/// from its first.
std::size_t SupernodalTriangle::index(const Supernode& s, int row, int column) {
  const int j = column / tile * tile, width = std::min(tile, s.columns - j);
  const int in_group = (row - j) / tile * tile * width + tile * (column - j) + row % tile;
  return s.values + tile_values(j, s.row_count()) + static_cast<std::size_t>(in_group);
}

void SupernodalTriangle::copy_values(const SupernodalView& L) {
  std::size_t count = 0;
  for (int k = 0; k < L.supernodes; ++k) {
    const int columns = L.first_column[k + 1] - L.first_column[k];
    const int rows = L.row_start[k + 1] - L.row_start[k];
    supernodes_.push_back({L.first_column[k], columns, rows - columns, count, rows_.size()});
    rows_.insert(rows_.end(), L.rows + L.row_start[k] + columns, L.rows + L.row_start[k + 1]);
    count += tile_values(columns, rows);
  }
  values_.setZero(static_cast<Eigen::Index>(count));
  for (int k = 0; k < L.supernodes; ++k) {
    const Supernode& s = supernodes_[static_cast<std::size_t>(k)];
    const double* column = L.values + L.value_start[k];
    for (int j = 0; j < s.columns; ++j, column += s.row_count())
      for (int i = j; i < s.row_count(); ++i)
        values_[static_cast<Eigen::Index>(index(s, i, j))] = column[i];
    for (int j = 0; j < s.columns; j += tile) {
      Eigen::Map<Eigen::Matrix4d> diagonal(values_.data() + index(s, j, j));
      if (s.columns - j >= tile)
        diagonal = inverse_of(diagonal);
      else
        for (int c = 0; c < s.columns - j; ++c) diagonal(c, c) = 1.0 / diagonal(c, c);
    }
  }
}

/// Gives every task its stretch of supernodes, its buffer and its scratch.
void SupernodalTriangle::cut(const SupernodalView& L) {
  std::vector<double> work;
  for (const Supernode& s : supernodes_)
    work.push_back(static_cast<double>(tile_values(s.columns, s.row_count())));
  const auto first_last = std::find_if(supernodes_.begin(), supernodes_.end(), [&](const auto& s) {
    return s.first_column + s.columns > first_last_;  // a relaxed one may straddle the boundary
  });
  tree_ = TaskTree(
      cut_into_tasks(parents(L), work, static_cast<int>(first_last - supernodes_.begin())));
  work_size_ = size_;
  std::vector<std::vector<int>> outside;
  Eigen::Index scratch = 0;
  for (const Task& task : tree_.tasks()) {
    outside.push_back(rows_outside(task));
    const Buffer buffer{static_cast<int>(work_size_), static_cast<int>(outside.back().size()),
                        collect_.size(), scratch};
    scratch += longest_supernode(task);
    work_size_ += buffer.size;
    collect_.resize(collect_.size() + outside.back().size());
    buffers_.push_back(buffer);
  }
  scratch_.setZero(scratch);
  for (std::size_t t = 0; t < buffers_.size(); ++t) place_rows(t, outside);
}

/// The rows of later tasks that a task adds to, increasing.
std::vector<int> SupernodalTriangle::rows_outside(const Task& task) const {
  std::vector<int> rows;
  const int end = end_of(task);
  for (int k = task.first; k < task.last; ++k) {
    const Supernode& s = supernodes_[static_cast<std::size_t>(k)];
    const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(s.rows);
    std::copy_if(first, first + s.rows_below, std::back_inserter(rows),
                 [&](int row) { return row >= end; });
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

int SupernodalTriangle::longest_supernode(const Task& task) const {
  int rows = 0;
  for (int k = task.first; k < task.last; ++k)
    rows = std::max(rows, padded(supernodes_[static_cast<std::size_t>(k)].row_count()));
  return rows;
}

/// Past the last column of a task.
int SupernodalTriangle::end_of(const Task& task) const {
  const Supernode& s = supernodes_[static_cast<std::size_t>(task.last) - 1];
  return s.first_column + s.columns;
}

/// Turns the rows below the supernodes of a task into places in the vector solved for: columns of
/// the task itself stay, the others are in its buffer. And so for the buffer in the parent.
void SupernodalTriangle::place_rows(std::size_t t, const std::vector<std::vector<int>>& outside) {
  const Task& task = tree_.tasks()[t];
  const auto place = [&](int row, int at) {
    const auto of = static_cast<std::size_t>(at);
    return row < end_of(tree_.tasks()[of]) ? row : buffers_[of].start + place_in(outside[of], row);
  };
  for (int k = task.first; k < task.last; ++k) {
    const Supernode& s = supernodes_[static_cast<std::size_t>(k)];
    const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(s.rows);
    std::transform(first, first + s.rows_below, first,
                   [&](int row) { return place(row, static_cast<int>(t)); });
  }
  std::transform(outside[t].begin(), outside[t].end(),
                 collect_.begin() + static_cast<std::ptrdiff_t>(buffers_[t].collect),
                 [&](int row) { return place(row, task.parent); });
}

void SupernodalTriangle::forward_supernode(const Supernode& s, double* y, double* x) const {
  double* own = y + s.first_column;
  const int* rows = rows_.data() + s.rows;
  const int rows_padded = padded(s.columns + s.rows_below);
  std::copy_n(own, s.columns, x);
  std::fill(x + s.columns, x + rows_padded, 0.0);
  const double* L = values_.data() + s.values;
  int j = 0;
  for (; j + tile <= s.columns; j += tile) L = forward_group<4>(L, x + j, (rows_padded - j) / tile);
  const int tiles = (rows_padded - j) / tile;
  if (s.columns - j == 1) forward_group<1>(L, x + j, tiles);
  if (s.columns - j == 2) forward_group<2>(L, x + j, tiles);
  if (s.columns - j == 3) forward_group<3>(L, x + j, tiles);
  std::copy_n(x, s.columns, own);
  for (int i = 0; i < s.rows_below; ++i) y[rows[i]] += x[s.columns + i];
}

void SupernodalTriangle::backward_supernode(const Supernode& s, double* y, double* x) const {
  double* own = y + s.first_column;
  const int* rows = rows_.data() + s.rows;
  const int row_count = s.columns + s.rows_below, rows_padded = padded(row_count);
  std::copy_n(own, s.columns, x);
  for (int i = 0; i < s.rows_below; ++i) x[s.columns + i] = y[rows[i]];
  std::fill(x + row_count, x + rows_padded, 0.0);
  int j = s.columns / tile * tile;
  const int tiles = (rows_padded - j) / tile;
  const double* L = values_.data() + s.values + tile_values(j, row_count);
  if (s.columns - j == 1) backward_group<1>(L, x + j, tiles);
  if (s.columns - j == 2) backward_group<2>(L, x + j, tiles);
  if (s.columns - j == 3) backward_group<3>(L, x + j, tiles);
  while (j > 0) {
    j -= tile;
    L -= static_cast<std::ptrdiff_t>(tile) * (rows_padded - j);
    backward_group<4>(L, x + j, (rows_padded - j) / tile);
  }
  std::copy_n(x, s.columns, own);
}

/// Collects what the children left, and goes on from there.
SLIPWAVE_CLONES void SupernodalTriangle::forward_task(int t, double* y) const {
  const Task& task = tree_.tasks()[static_cast<std::size_t>(t)];
  const Buffer& own = buffers_[static_cast<std::size_t>(t)];
  std::fill_n(y + own.start, own.size, 0.0);
  for (const int c : task.children) {
    const Buffer& child = buffers_[static_cast<std::size_t>(c)];
    const int* to = collect_.data() + child.collect;
    for (int i = 0; i < child.size; ++i) y[to[i]] += y[child.start + i];
  }
  for (int k = task.first; k < task.last; ++k)
    forward_supernode(supernodes_[static_cast<std::size_t>(k)], y, scratch_.data() + own.scratch);
}

/// Takes a copy of the ancestors' unknowns that it needs, and goes on from there.
SLIPWAVE_CLONES void SupernodalTriangle::backward_task(int t, double* y) const {
  const Task& task = tree_.tasks()[static_cast<std::size_t>(t)];
  const Buffer& own = buffers_[static_cast<std::size_t>(t)];
  const int* from = collect_.data() + own.collect;
  for (int i = 0; i < own.size; ++i) y[own.start + i] = y[from[i]];
  for (int k = task.last - 1; k >= task.first; --k)
    backward_supernode(supernodes_[static_cast<std::size_t>(k)], y, scratch_.data() + own.scratch);
}

bool SupernodalTriangle::shares_work() const {
  return values_.size() >= sequential_values && parallel::team().shares();
}

void SupernodalTriangle::forward(Eigen::VectorXd& y) const {
  assert(y.size() >= work_size());
  tree_.children_first(shares_work(), [&](int t) { forward_task(t, y.data()); });
}

void SupernodalTriangle::backward(Eigen::VectorXd& y) const {
  assert(y.size() >= work_size());
  tree_.parents_first(shares_work(), [&](int t) { backward_task(t, y.data()); });
}

void SupernodalTriangle::forward_last(Eigen::VectorXd& y) const {
  assert(y.size() >= work_size());
  if (last_count() == 0) return;
  const Task& last = tree_.tasks().back();
  // The leading unknowns of a supernode that straddles the boundary must not contribute.
  const int start = supernodes_[static_cast<std::size_t>(last.first)].first_column;
  y.segment(start, first_last_ - start).setZero();
  for (int k = last.first; k < last.last; ++k)
    forward_supernode(supernodes_[static_cast<std::size_t>(k)], y.data(),
                      scratch_.data() + buffers_.back().scratch);
}

void SupernodalTriangle::backward_last(Eigen::VectorXd& y) const {
  assert(y.size() >= work_size());
  if (last_count() > 0) backward_task(static_cast<int>(buffers_.size()) - 1, y.data());
}

Eigen::MatrixXd SupernodalTriangle::last_block() const {
  Eigen::MatrixXd block = Eigen::MatrixXd::Zero(last_count(), last_count());
  for (const Supernode& s : supernodes_) {
    const auto row = [&](int i) {
      return i < s.columns ? s.first_column + i
                           : rows_[s.rows + static_cast<std::size_t>(i - s.columns)];
    };
    for (int j = std::max(0, first_last_ - s.first_column); j < s.columns; ++j)
      for (int i = j; i < s.row_count(); ++i)
        block(row(i) - first_last_, row(j) - first_last_) = entry(s, i, j);
  }
  return block;
}

/// An entry of L itself.
double SupernodalTriangle::entry(const Supernode& s, int row, int column) const {
  const int j = column / tile * tile;
  const bool on_diagonal = row < j + tile, full = s.columns - j >= tile;
  if (on_diagonal && full) {
    const Eigen::Map<const Eigen::Matrix4d> inverse(values_.data() + index(s, j, j));
    return inverse_of(inverse)(row - j, column - j);
  }
  const double value = values_[static_cast<Eigen::Index>(index(s, row, column))];
  return row == column ? 1.0 / value : value;
}

double SupernodalTriangle::reciprocal_condition() const {
  if (size_ == 0) return 1.0;
  const Supernode& first = supernodes_.front();
  double smallest = values_[static_cast<Eigen::Index>(index(first, 0, 0))], largest = smallest;
  for (const Supernode& s : supernodes_)
    for (int j = 0; j < s.columns; ++j) {
      const double inverse = values_[static_cast<Eigen::Index>(index(s, j, j))];
      smallest = std::min(smallest, inverse);
      largest = std::max(largest, inverse);
    }
  return (smallest / largest) * (smallest / largest);
}

}  // namespace slipwave::linear
