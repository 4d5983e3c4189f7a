#include "app/plot/space_time.hpp"

#include <algorithm>
#include <cmath>

namespace slipwave::app {

namespace {

/// The steps that end in each of so many stretches of time; in one without, that which ends next.
std::vector<std::vector<int>> steps_on(const Eigen::VectorXd& t, const Range& time, int count) {
  std::vector<std::vector<int>> all(static_cast<std::size_t>(count));
  const auto first_after = [&](double at) {
    return static_cast<int>(std::upper_bound(t.begin(), t.end(), at) - t.begin());
  };
  for (int j = 0; j < count; ++j) {
    const double start = time.lower + time.length() * j / count;
    const double end = time.lower + time.length() * (j + 1) / count;
    const int first = first_after(start), last = first_after(end);
    for (int i = first; i < std::max(last, first + 1); ++i)
      all[static_cast<std::size_t>(j)].push_back(std::min(i, static_cast<int>(t.size()) - 1));
  }
  return all;
}

/// The stretch of the line that belongs to the k-th of the nodes: halfway to its neighbours of the
/// same piece.
Range share_of(const LineHistory& line, const std::vector<int>& nodes, std::size_t k) {
  const int i = nodes[k];
  const auto halfway = [&](std::size_t other) {
    const int j = nodes[other];
    return line.piece[i] == line.piece[j] ? 0.5 * (line.x[i] + line.x[j]) : line.x[i];
  };
  return {k > 0 ? halfway(k - 1) : line.x[i], k + 1 < nodes.size() ? halfway(k + 1) : line.x[i]};
}

}  // namespace

PixelGrid pixel_grid(const Eigen::VectorXd& t, const LineHistory& line,
                     const std::vector<int>& nodes, const Range& time, const Range& x, int width,
                     int height) {
  PixelGrid grid{steps_on(t, time, width),
                 std::vector<std::vector<int>>(static_cast<std::size_t>(height))};
  const double pixel = x.length() / height;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Range share = share_of(line, nodes, k);
    // Rows whose middle is in the share, and in any case the one that the node is on.
    const auto row = [&](double c) { return (x.upper - c) / pixel; };
    const int own = std::clamp(static_cast<int>(row(line.x[nodes[k]])), 0, height - 1);
    const int first = std::min(own, static_cast<int>(std::ceil(row(share.upper) - 0.5)));
    const int last = std::max(own, static_cast<int>(std::ceil(row(share.lower) - 0.5)) - 1);
    for (int r = std::max(first, 0); r <= std::min(last, height - 1); ++r)
      grid.nodes[static_cast<std::size_t>(r)].push_back(nodes[k]);
  }
  return grid;
}

}  // namespace slipwave::app
