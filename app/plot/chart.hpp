#pragma once

#include "app/plot/curve.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// A figure with one pair of axes.
struct Chart {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Curve> curves;
  std::vector<double> slopes;  ///< orders of the reference triangles; logarithmic axes only
  int width = 640;             ///< of the figure in px
  int plot_height = 360;       ///< of the frame in px; titles and legend come on top
  CurveStyle style = {};
  bool legend = true;
  std::string remark = {};  ///< within the frame, at its top
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

/// Room beside a chart's frame, in px.
struct ChartMargins {
  double left = 0.0, top = 0.0;
};

/// What a chart needs.
ChartMargins margins_of(const Chart& chart);

/// A chart without the file around it, for a page with others: its upper left corner is at (0, 0).
struct [[nodiscard]] ChartDrawing {
  std::string svg;
  double height = 0.0;
  std::vector<std::string> notes;
};

/// Draws the chart with margins that are at least as given, so that frames can be lined up.
ChartDrawing draw_on_page(const Chart& chart, const ChartMargins& least = {});

/// Error against size with reference slopes, logarithmic both ways.
Chart error_chart(std::string title, Axis size, Axis error, std::vector<Curve> curves,
                  std::vector<double> orders);

/// Seconds against size, logarithmic both ways.
Chart cost_chart(std::string title, Axis size, std::vector<Curve> curves,
                 std::vector<double> orders = {});

/// Values along a line for several members, linear both ways.
Chart profile_chart(std::string title, Axis position, Axis value, std::vector<Curve> curves);

}  // namespace slipwave::app
