#include "app/waves/edges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace slipwave::app {

namespace {

/// 60 nodes 1 apart and 250 rows 1 apart.
EdgeSearch small_search() {
  EdgeSearch s;
  s.x = Eigen::VectorXd::LinSpaced(60, 0.0, 59.0);
  s.t = Eigen::VectorXd::LinSpaced(250, 0.0, 249.0);
  s.dt = 1.0;
  s.tolerance = 1.5;
  s.slowest = 0.01;
  s.hidden = [](int, double) { return true; };
  return s;
}

/// States that each node enters once, in the order of the nodes but for a scatter, and keeps.
NodeStretches scattered_arrivals(const EdgeSearch& s, double slowness, double scatter,
                                 std::mt19937& random) {
  std::normal_distribution<double> noise(0.0, scatter);
  NodeStretches stretches;
  for (const double x : s.x) {
    const int row = static_cast<int>(20.0 + slowness * x + noise(random));
    stretches.push_back({{row, 250, row - 0.5}});
  }
  return stretches;
}

/// The longest time by which a point comes before the one that the edge passes before it.
double longest_way_back(const Edge& edge) {
  double longest = 0.0;
  for (std::size_t i = 1; i < edge.points.size(); ++i) {
    const double onward = edge.points[i].t - edge.points[i - 1].t;
    longest = std::max(longest, edge.forward() ? -onward : onward);
  }
  return longest;
}

}  // namespace

TEST_CASE(
    "app/waves/edges: no edge turns back by more than the tolerance, however arrivals scatter") {
  const EdgeSearch s = small_search();
  std::mt19937 random(7);
  int edges = 0;
  for (int k = 0; k < 200; ++k)
    for (const Edge& edge : find_edges(scattered_arrivals(s, 1.0 + 0.01 * k, 3.0, random), s)) {
      ++edges;
      CHECK(longest_way_back(edge) <= s.tolerance);
    }
  CHECK(edges >= 100);
}

}  // namespace slipwave::app
