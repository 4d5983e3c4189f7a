#pragma once

#include <optional>
#include <vector>

namespace slipwave::app {

/// The period that prevails in y(t), or none where nothing comes again: in noise, a ramp, a decay.
///
/// It is the highest peak of the periodogram of y less its straight line, under a Hann window; or
/// twice or three times that where y repeats itself clearly better so (an overtone may be stronger
/// than its fundamental). It counts if at least three periods fit into the time and y, moved by one
/// period, resembles itself: their correlation must be 0.3 or more, and more than four standard
/// deviations of what noise has. Times increase; where they are not evenly spaced, y is
/// interpolated. Values that are not finite are left out. O(n log n).
std::optional<double> dominant_period(const std::vector<double>& t, const std::vector<double>& y);

}  // namespace slipwave::app
