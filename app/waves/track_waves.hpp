#pragma once

#include "app/waves/interface_history.hpp"
#include "app/waves/wave.hpp"

#include <limits>
#include <vector>

namespace slipwave::app {

/// What is followed on a surface that touches nothing.
enum class SurfaceSignal {
  magnitude,   ///< of the velocity: slip velocity and rate of the gap
  tangential,  ///< |slip velocity|
  normal       ///< |rate of the gap|
};

/// What counts as a wave. Lengths in node spacings are medians of the line's.
struct TrackerOptions {
  int min_nodes = 5;           ///< that an edge must pass
  double min_fraction = 0.05;  ///< of the piece of line that it must cover
  double settle = 1.0;         ///< states shorter than this many (node spacing)/c_p are chatter
  double slowest = 0.01;       ///< of c_R: below, nothing is followed
  double fastest = 3.0;        ///< of c_p: above, a stretch changes at once and is no wave
  double speed_change = 0.25;  ///< of the slowness: a sharper bend is where another wave begins
  SurfaceSignal signal = SurfaceSignal::magnitude;
  double surface_threshold = 0.1;  ///< of the signal's largest value: lower humps are not followed
  double from = -std::numeric_limits<double>::infinity();  ///< only rows from this time
  double to = std::numeric_limits<double>::infinity();     ///< to this time
};

/// The waves of all lines, line by line and in the order in which they start. docs/waves.md says
/// how they are found.
std::vector<Wave> track_waves(const InterfaceHistory& history, const TrackerOptions& options = {});

}  // namespace slipwave::app
