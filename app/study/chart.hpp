#pragma once

#include "app/study/ticks.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// An axis with its label "name (unit)".
struct Axis {
  std::string name;
  std::string unit;
  AxisScale scale = AxisScale::linear;
  std::optional<double> lower = {};  ///< end of the axis; else the data decide
  std::optional<double> upper = {};
};

/// Points joined by a line, in the order given.
struct Curve {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
};

/// A figure with one pair of axes.
struct Chart {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Curve> curves;
  std::vector<double> slopes;  ///< orders of the reference triangles; logarithmic axes only
  int width = 640;             ///< of the figure in px
  int plot_height = 360;       ///< of the frame in px; titles and legend come on top
};

/// A drawn figure and what was left out of it, one sentence each, which also stand under it.
struct [[nodiscard]] Figure {
  std::string svg;
  std::vector<std::string> notes;
};

/// Draws the chart as SVG 1.1 on white; the same bytes for the same chart. Curves differ by colour
/// (Okabe and Ito's, which the colour-blind tell apart), marker and dashes. Points that are not
/// finite, not positive on a logarithmic axis or outside of given ends are left out, which
/// interrupts the line, and noted.
Figure draw_chart(const Chart& chart);

/// Error against size with reference slopes, logarithmic both ways.
Chart error_chart(std::string title, Axis size, Axis error, std::vector<Curve> curves,
                  std::vector<double> orders);

/// Seconds against size, logarithmic both ways.
Chart cost_chart(std::string title, Axis size, std::vector<Curve> curves,
                 std::vector<double> orders = {});

/// Values along a line for several members, linear both ways.
Chart profile_chart(std::string title, Axis position, Axis value, std::vector<Curve> curves);

}  // namespace slipwave::app
