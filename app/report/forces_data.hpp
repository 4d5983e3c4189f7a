#pragma once

#include "app/results/force_table.hpp"
#include "app/results/json.hpp"

namespace slipwave::app {

/// Forces over time for the page: per contact line and prescribed group its curves, thinned out as
/// the others are, with the mean and, where there is one, the period of the second half of the run.
Json forces_data(const ForceTable& forces);

}  // namespace slipwave::app
