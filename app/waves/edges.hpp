#pragma once

#include "app/waves/front_fit.hpp"
#include "app/waves/stretches.hpp"

#include <functional>
#include <limits>
#include <vector>

namespace slipwave::app {

/// An edge that moves along a piece of a line, its points in the order of the nodes.
struct Edge {
  std::vector<EdgePoint> points;
  FrontFit fit;

  bool forward() const { return fit.slowness > 0.0; }
};

/// What the search for edges needs to know.
struct EdgeSearch {
  Eigen::VectorXd x;       ///< of the nodes, increasing
  Eigen::VectorXd t;       ///< of the rows
  double dt = 0.0;         ///< median interval between rows
  double tolerance = 0.0;  ///< in time: by how much an arrival may be off
  double slowest = 0.0;    ///< speed below which nothing is followed
  double fastest = std::numeric_limits<double>::infinity();  ///< above: everything at once
  double speed_change = 0.25;  ///< share of the slowness by which the parts of one edge may differ
  int min_nodes = 5;           ///< nodes that an edge must pass
  double min_distance = 0.0;   ///< that it must cover
  /// Whether an edge that should be at a node at time t may be invisible there, because the node
  /// is in the state anyway.
  std::function<bool(int node, double t)> hidden;
};

/// Follows the beginnings of stretches from node to node:
/// 1. neighbours whose stretches overlap in time are linked, the nearest beginnings first;
/// 2. such a chain is cut where it turns back by more than the tolerance, and where it bends
///    sharply;
/// 3. parts that continue one another in a straight line are joined, across nodes at which the edge
///    is hidden by another region, so that crossing edges go on;
/// 4. both ends go on as long as the next node's event is where the last few nodes point to, and
///    does not turn back.
/// Edges that are too short or too fast are left out, and so are those that take less than twice
/// the tolerance from one end to the other: a stretch that changes at once.
std::vector<Edge> find_edges(const NodeStretches& stretches, const EdgeSearch& search);

}  // namespace slipwave::app
