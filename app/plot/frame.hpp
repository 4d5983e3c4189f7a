#pragma once

#include "app/plot/axis.hpp"
#include "app/plot/ticks.hpp"

#include <Eigen/Core>

#include <string>

namespace slipwave::app {

/// A pair of axes with a frame around what is drawn, in px.
struct Frame {
  double left = 0.0, top = 0.0, width = 0.0, height = 0.0;
  Axis x_axis, y_axis;
  Range x, y;  ///< in coordinates of the axes
  Ticks x_ticks, y_ticks;
  bool x_texts = true;  ///< whether the axis of x has texts and a label, or a frame below has

  double right() const { return left + width; }
  double bottom() const { return top + height; }
  double px_x(double c) const { return left + width * (c - x.lower) / x.length(); }
  double px_y(double c) const { return bottom() - height * (c - y.lower) / y.length(); }
  Eigen::Vector2d px(const Eigen::Vector2d& c) const { return {px_x(c[0]), px_y(c[1])}; }
};

/// Axes over ranges, with their marks; the place of the frame is yet to be said.
Frame make_frame(const Axis& x_axis, const Axis& y_axis, const Range& x, const Range& y);

/// The room that the marks and the label of y need on the left.
double left_margin(const Frame& frame);
/// The room below the frame with marks and label of x.
inline constexpr double bottom_margin = 52.0;
/// The room on the right.
inline constexpr double right_margin = 18.0;

/// Pale lines at the marks with texts.
std::string draw_grid(const Frame& frame);
/// The frame itself and the marks with their texts.
std::string draw_marks(const Frame& frame);
/// The labels of the axes; `width` of all that the frame is part of, which starts at x = 0.
std::string draw_labels(const Frame& frame, double width);

}  // namespace slipwave::app
