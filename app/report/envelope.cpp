#include "app/report/envelope.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace slipwave::app {

namespace {

/// The rows of [begin, end) that stand for all of them.
std::set<std::size_t> extremes(const std::vector<double>& values, std::size_t begin,
                               std::size_t end) {
  std::size_t low = begin, high = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (!std::isfinite(values[i])) return {low, high, i};
    if (values[i] < values[low]) low = i;
    if (values[i] > values[high]) high = i;
  }
  return {low, high};
}

}  // namespace

std::vector<std::size_t> envelope(const std::vector<double>& values, std::size_t bins) {
  const std::size_t rows = values.size();
  std::vector<std::size_t> kept;
  if (rows <= 2 * bins + 2) {
    kept.resize(rows);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    return kept;
  }
  kept.push_back(0);
  for (std::size_t b = 0; b < bins; ++b)
    for (const std::size_t row : extremes(values, b * rows / bins, (b + 1) * rows / bins))
      if (row > kept.back()) kept.push_back(row);
  if (kept.back() != rows - 1) kept.push_back(rows - 1);
  return kept;
}

}  // namespace slipwave::app
