#pragma once

#include <string>
#include <vector>

namespace slipwave::app {

/// How the numbers of an axis are spaced.
enum class AxisScale { linear, logarithmic };

/// A number times a power of ten, as text: 2.5 and -7 are "2.5×10⁻⁷"; either part may be empty.
struct NumberText {
  std::string mantissa;
  std::string exponent;
};

/// A mark on an axis; those without text are short.
struct Tick {
  double at = 0.0;  ///< in the numbers of the axis
  NumberText text;
};

/// The marks of an axis.
struct Ticks {
  std::vector<Tick> marks;
  int exponent = 0;  ///< of the power of ten that the texts leave to the label of the axis
};

/// Marks from `lower` to `upper`: linear at multiples of 1, 2 or 5 times a power of ten;
/// logarithmic at the powers of ten, with texts at 1, 2 and 5 where there are few powers.
Ticks make_ticks(AxisScale scale, double lower, double upper);

}  // namespace slipwave::app
