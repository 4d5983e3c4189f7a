#pragma once

#include "app/plot/run_figures.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// energy.csv of a run, with the run's name.
struct NamedLedger {
  std::string name;
  Columns ledger;
};

/// As Figures 12 and 13 of [AC24]: per run the energy that its contacts have taken so far,
/// −(W_N + W_T). Throws UserError where a run has no rows in the time that is asked for.
Figure dissipation_figure(const std::vector<NamedLedger>& runs, const Units& units,
                          const PrintOptions& options);

/// As Figure 14 of [AC24]: per run the largest positive and the most negative tangential work of a
/// contact in each step.
Figure contact_work_figure(const std::vector<NamedLedger>& runs, const Units& units,
                           const PrintOptions& options);

}  // namespace slipwave::app
