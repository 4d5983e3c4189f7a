#include "app/waves/stretches.hpp"

#include <cmath>
#include <limits>

namespace slipwave::app {

namespace {

using Eigen::Index;

/// Flips the runs of `length` or fewer values of a row, one after another; a flipped run is one
/// with its neighbours.
void flip_short_runs(bool* row, Index size, Index length) {
  for (Index begin = 0; begin < size;) {
    Index end = begin + 1;
    while (end < size && row[end] == row[begin]) ++end;
    if (end - begin <= length && end - begin < size) {
      for (Index j = begin; j < end; ++j) row[j] = !row[j];
      while (end < size && row[end] == row[begin]) ++end;
    }
    begin = end;
  }
}

/// Time of the top of the parabola through rows j - 1, j, j + 1.
double top_of_parabola(const double* s, const Eigen::VectorXd& t, Index j) {
  const double left = (s[j] - s[j - 1]) / (t[j] - t[j - 1]);
  const double right = (s[j + 1] - s[j]) / (t[j + 1] - t[j]);
  if (left == right) return t[j];
  const double from = 0.5 * (t[j - 1] + t[j]), to = 0.5 * (t[j] + t[j + 1]);
  return from + left / (left - right) * (to - from);
}

/// The rows around peak j above half of its height; empty where a higher point comes first.
Stretch hump_at(const double* s, Index size, Index j) {
  Index begin = j, end = j + 1;
  const double half = 0.5 * s[j];
  while (begin > 0 && s[begin - 1] > half && s[begin - 1] <= s[j]) --begin;
  while (end < size && s[end] > half && s[end] < s[j]) ++end;
  const bool higher = (begin > 0 && s[begin - 1] > s[j]) || (end < size && s[end] >= s[j]);
  return {static_cast<int>(begin), static_cast<int>(higher ? begin : end), 0.0, s[j]};
}

}  // namespace

void debounce(StateImage& image, int rows) {
  for (Index i = 0; i < image.rows(); ++i)
    for (Index length = 1; length < rows; ++length)
      flip_short_runs(image.data() + i * image.cols(), image.cols(), length);
}

NodeStretches find_stretches(const StateImage& image, bool state, const Eigen::VectorXd& t) {
  NodeStretches stretches(static_cast<std::size_t>(image.rows()));
  for (Index i = 0; i < image.rows(); ++i)
    for (Index j = 0; j < image.cols(); ++j) {
      if (image(i, j) != state) continue;
      Stretch s{static_cast<int>(j), 0, std::numeric_limits<double>::quiet_NaN(), 0.0};
      if (j > 0) s.event = 0.5 * (t[j - 1] + t[j]);
      while (j < image.cols() && image(i, j) == state) ++j;
      s.end = static_cast<int>(j);
      stretches[static_cast<std::size_t>(i)].push_back(s);
    }
  return stretches;
}

NodeStretches find_humps(const SpaceTime<double>& signal, const Eigen::VectorXd& t, double least) {
  NodeStretches humps(static_cast<std::size_t>(signal.rows()));
  for (Index i = 0; i < signal.rows(); ++i) {
    const double* s = signal.data() + i * signal.cols();
    for (Index j = 1; j + 1 < signal.cols(); ++j) {
      if (s[j] < least || s[j] < s[j - 1] || s[j] <= s[j + 1]) continue;
      Stretch hump = hump_at(s, signal.cols(), j);
      if (hump.begin == hump.end) continue;
      hump.event = top_of_parabola(s, t, j);
      humps[static_cast<std::size_t>(i)].push_back(hump);
    }
  }
  return humps;
}

}  // namespace slipwave::app
