#pragma once

#include <cstddef>
#include <vector>

namespace slipwave::app {

/// The rows of a curve to draw: the first, the last, and of each of `bins` stretches of equally
/// many rows the one with the smallest and the one with the largest value, so that no spike is
/// lost. Increasing. All rows where there are no more than that. Numbers that are not finite are
/// drawn as gaps: a stretch that has one keeps the first of them.
std::vector<std::size_t> envelope(const std::vector<double>& values, std::size_t bins);

}  // namespace slipwave::app
