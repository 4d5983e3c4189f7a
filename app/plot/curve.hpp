#pragma once

#include "app/plot/frame.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// How a curve looks: the numbers of its colour, marker and dashes (0 has none), and its width.
struct CurveLook {
  std::size_t colour = 0;
  std::size_t dashes = 0;
  double width = 1.8;
};

/// Points joined by a line, in the order given.
struct Curve {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  std::optional<CurveLook> look = {};  ///< else its place in the chart gives it one
};

/// The curve with, of each of about 1500 stretches of points, its first, lowest, highest and last:
/// no peak is lost. Of values that are not finite, which interrupt a curve, a stretch keeps one.
Curve thinned(const Curve& curve);

/// What is drawn of a curve, in coordinates of the axes: pieces between points left out.
struct Pieces {
  std::vector<std::vector<Eigen::Vector2d>> pieces;
  std::vector<Eigen::Vector2d> points;
};

/// The points of a curve that have a place on the axes; how many were left out, and why, is added
/// to the notes.
Pieces drawable(const Axis& x, const Axis& y, const Curve& curve, std::vector<std::string>& notes);

/// How curves and their legend are drawn.
struct CurveStyle {
  bool markers = true;       ///< whether points are marked
  double legend_key = 38.0;  ///< length of a sample, with the space after it
  double legend_gap = 22.0;  ///< to the next entry
};

/// The look of the i-th curve of a chart. Without one of its own: colours are Okabe and Ito's,
/// which the colour-blind tell apart, and markers and dashes differ too.
CurveLook look_of(const Curve& curve, std::size_t i);

/// The curve with its markers.
std::string draw_curve(const Frame& frame, const Pieces& curve, const CurveLook& look,
                       const CurveStyle& style);

/// A sample of a curve and its name.
std::string draw_legend_entry(const Eigen::Vector2d& at, const std::string& name,
                              const CurveLook& look, const CurveStyle& style);

}  // namespace slipwave::app
