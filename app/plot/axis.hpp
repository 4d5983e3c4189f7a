#pragma once

#include "app/plot/ticks.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace slipwave::app {

/// An axis with its label "name (unit)".
struct Axis {
  std::string name;
  std::string unit;
  AxisScale scale = AxisScale::linear;
  std::optional<double> lower = {};  ///< end of the axis; else the data decide
  std::optional<double> upper = {};
};

/// A stretch of an axis, in coordinates; empty at first.
struct Range {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -std::numeric_limits<double>::infinity();

  /// Makes it reach so far.
  void include(double c) {
    lower = std::min(lower, c);
    upper = std::max(upper, c);
  }
  double length() const { return upper - lower; }
};

/// The axis runs evenly in this number.
double coordinate(const Axis& axis, double number);
/// The number at a coordinate.
double number_at(const Axis& axis, double coordinate);

/// Why a number has no place on the axis; empty if it has one.
std::string_view trouble(const Axis& axis, double number);

/// The range of data with some air, and never empty.
Range with_air(Range range, const Axis& axis);

/// The range with the ends that the axis was given, as far as they make sense.
Range with_given_ends(Range range, const Axis& axis);

/// Markup of "name (unit)" with the power of ten that the marks leave out.
std::string axis_label(const Axis& axis, const Ticks& ticks);

}  // namespace slipwave::app
