#pragma once

#include "app/messages/user_error.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// What `slipwave plot` was told.
struct PlotOptions {
  std::string folder;                 ///< of a run's results
  std::vector<std::string> others{};  ///< of runs beside it, in figures that compare
  std::string figure;                 ///< one of plot_figures()
  std::string format = "svg";
  std::string out;   ///< file; empty: FIGURE.FORMAT in the folder
  std::string time;  ///< "T", or "T0:T1" for a part of the run; empty: see docs/figures.md
  std::optional<double> warp;
  std::string field = "displacement";
  std::string line;      ///< name of the contact line; empty: the first
  double width = 170.0;  ///< mm
  double dpi = 300.0;    ///< of a PNG
};

/// energy, work, forces, interface, snapshot, and dissipation, contact-work of several runs.
const std::vector<std::string>& plot_figures();
/// svg, pdf, png.
const std::vector<std::string>& plot_formats();

/// Draws a figure of a run for print. Throws UserError where the folder has not what it shows.
ExitCode plot_run(const PlotOptions& options);

}  // namespace slipwave::app
