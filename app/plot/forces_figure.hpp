#pragma once

#include "app/plot/run_figures.hpp"
#include "app/results/force_table.hpp"

#include <string>

namespace slipwave::app {

/// The mean of a column and the period that prevails in it, in words: "mean 0.644, period 0.0103
/// ms", "mean 0.3, no period"; empty where there are no numbers.
std::string mean_and_period(const ForceTable& table, const std::string& column, const Window& in_t,
                            const Units& units);

/// Forces over time: (a) of the contact lines, (b) their apparent friction with its mean, (c) of
/// the prescribed groups; what a run has not is left out. Means and periods are of the time that is
/// asked for, or of the second half of the run. Throws UserError where there are no rows.
Figure forces_figure(const ForceTable& table, const Units& units, const PrintOptions& options);

}  // namespace slipwave::app
