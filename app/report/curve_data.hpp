#pragma once

#include "app/results/json.hpp"

#include <vector>

namespace slipwave::app {

/// A curve over time as the page has it: t and y as text, thinned out to its envelope().
Json curve_data(const std::vector<double>& t, const std::vector<double>& y);

}  // namespace slipwave::app
