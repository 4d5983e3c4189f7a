#include "app/plot/axis.hpp"

#include "app/plot/number_text.hpp"
#include "app/plot/svg.hpp"

#include <fmt/format.h>

#include <cmath>

namespace slipwave::app {

double coordinate(const Axis& axis, double number) {
  return axis.scale == AxisScale::linear ? number : std::log10(number);
}

double number_at(const Axis& axis, double coordinate) {
  return axis.scale == AxisScale::linear ? coordinate : std::pow(10.0, coordinate);
}

std::string_view trouble(const Axis& axis, double number) {
  if (!(std::abs(number) < 1e300)) return "not finite";  // nor are the ends of such an axis
  if (axis.scale == AxisScale::logarithmic && number <= 0.0)
    return "not positive on a logarithmic axis";
  if (number < axis.lower.value_or(number) || number > axis.upper.value_or(number))
    return "outside of the axes";
  return "";
}

Range with_air(Range range, const Axis& axis) {
  const bool linear = axis.scale == AxisScale::linear;
  if (range.lower > range.upper) range = {0.0, 1.0};
  const double middle = 0.5 * (range.lower + range.upper);
  if (range.length() < (linear ? std::max(1e-6 * std::abs(middle), 1e-290) : 0.2)) {
    const double half = linear ? std::max(0.1 * std::abs(middle), 1e-280) : 0.3;
    range = {middle - half, middle + half};
  }
  const double air = 0.05 * range.length();
  if (linear) return {range.lower - air, range.upper + air};
  return {std::max(range.lower - air, -307.0), std::min(range.upper + air, 307.0)};
}

Range with_given_ends(Range range, const Axis& axis) {
  const double lower = coordinate(axis, axis.lower.value_or(number_at(axis, range.lower)));
  const double upper = coordinate(axis, axis.upper.value_or(number_at(axis, range.upper)));
  if (axis.lower && std::isfinite(lower)) range.lower = lower;
  if (axis.upper && std::isfinite(upper)) range.upper = upper;
  if (range.length() > 0.0) return range;
  return axis.upper ? Range{range.upper - 1.0, range.upper} : Range{range.lower, range.lower + 1.0};
}

std::string axis_label(const Axis& axis, const Ticks& ticks) {
  const std::string name = svg::markup(axis.name), unit = svg::escaped(axis.unit);
  if (ticks.exponent == 0) return unit.empty() ? name : fmt::format("{} ({})", name, unit);
  // dx: blanks at the beginning of a tspan are lost.
  return fmt::format(
      "{} (10<tspan dy=\"-5\" font-size=\"{}\">{}</tspan>"
      "<tspan dx=\"{}\" dy=\"5\">{})</tspan>",
      name, svg::small_font, with_minus_sign(std::to_string(ticks.exponent)), unit.empty() ? 0 : 4,
      unit);
}

}  // namespace slipwave::app
