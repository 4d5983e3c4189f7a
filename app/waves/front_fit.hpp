#pragma once

#include <vector>

namespace slipwave::app {

/// Node, position and time at which an edge passed it.
struct EdgePoint {
  int node = 0;
  int stretch = 0;  ///< which of the node's stretches began (see stretches.hpp)
  double x = 0.0;
  double t = 0.0;
};

/// t = time + slowness (x - x of the first point).
struct FrontFit {
  double slowness = 0.0;  ///< dt/dx, signed
  double time = 0.0;
  double error = 0.0;    ///< standard deviation of the slowness
  double scatter = 0.0;  ///< of the times about the line

  double speed() const { return 1.0 / slowness; }
  double speed_error() const { return error / (slowness * slowness); }
};

/// Fits arrival times with Huber's weights, so that a late node does not tilt the line. The error
/// has a scatter of at least the recording interval's dt/sqrt(12), and counts as independent
/// neither points that were recorded in one step nor residuals that follow one another:
///     var p = s^2 / sum (x - mean x)^2 * n / n_eff,
///     n_eff = min(n (1 - r)/(1 + r), |t_last - t_first|/dt), r the residuals' autocorrelation.
FrontFit fit_front(const std::vector<EdgePoint>& points, double dt);

/// Where a sequence of points bends sharply: index of the first point of the second part, or 0 if
/// a smooth curve (a parabola) explains the points as well as two lines do. Both parts have at
/// least `least` points, and slownesses that differ by more than `change` of the larger.
int find_kink(const std::vector<EdgePoint>& points, double dt, int least, double change);

}  // namespace slipwave::app
