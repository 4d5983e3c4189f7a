#include "app/plot/colour_map.hpp"

#include "app/plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slipwave::app {

namespace {

constexpr double bar_gap = 14.0, bar_thickness = 13.0, point_height = 9.0;

Ticks ticks_of(const ColourScale& scale) {
  return make_ticks(scale.axis.scale, scale.range.lower, scale.range.upper);
}

double widest(const Ticks& ticks) {
  double width = 0.0;
  for (const Tick& tick : ticks.marks) width = std::max(width, svg::text_width(tick.text));
  return width;
}

/// From the bottom to the top.
std::string gradient(const ColourMap& map, const std::string& id) {
  std::string stops;
  for (std::size_t i = 0; i < map.size(); ++i)
    stops += fmt::format("<stop offset=\"{:.4f}\" stop-color=\"{}\"/>",
                         static_cast<double>(i) / static_cast<double>(map.size() - 1), hex(map[i]));
  return fmt::format(
      "<linearGradient id=\"{}\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">{}</linearGradient>\n", id,
      stops);
}

/// A point on the bar: its base at y, upwards or downwards.
std::string point(double x, double y, double height, std::uint32_t colour) {
  return fmt::format(
      "<path d=\"M{:.2f},{:.2f}h{:.2f}l{:.2f},{:.2f}z\" fill=\"{}\" stroke=\"#000000\" "
      "stroke-width=\"0.8\"/>\n",
      x, y, bar_thickness, -0.5 * bar_thickness, height, hex(colour));
}

}  // namespace

const ColourMap& sequential_map() {
  static const ColourMap map{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                             0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
  return map;
}

const ColourMap& diverging_map() {
  static const ColourMap map{0x00304d, 0x0072b2, 0x7fb8d8, 0xf7f7f7, 0xeaae7f, 0xd55e00, 0x5c2800};
  return map;
}

const ColourMap& dark_diverging_map() {
  static const ColourMap map{0xb9ddf7, 0x63b0e6, 0x2b77b0, 0x181c20, 0xb0651a, 0xee9f4c, 0xffdcb0};
  return map;
}

std::uint32_t colour_at(const ColourMap& map, double s) {
  const double place =
      std::clamp(std::isnan(s) ? 0.0 : s, 0.0, 1.0) * static_cast<double>(map.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(place), map.size() - 2);
  const double part = place - static_cast<double>(i);
  std::uint32_t colour = 0;
  for (const unsigned shift : {16U, 8U, 0U}) {
    const double a = map[i] >> shift & 0xFFU, b = map[i + 1] >> shift & 0xFFU;
    colour |= static_cast<std::uint32_t>(std::lround(a + part * (b - a))) << shift;
  }
  return colour;
}

std::string hex(std::uint32_t colour) { return fmt::format("#{:06x}", colour); }

double bar_height(const ColourScale& scale) {
  const int exponent = ticks_of(scale).exponent;
  const std::string power = exponent == 0 ? "" : fmt::format("10{} ", exponent);
  return svg::text_width(fmt::format("{} ({}{})", scale.axis.name, power, scale.axis.unit));
}

double bar_width(const ColourScale& scale) {
  return bar_gap + bar_thickness + 9.0 + widest(ticks_of(scale)) + 22.0;
}

std::string draw_bar(const ColourScale& scale, const Frame& frame, const std::string& id) {
  const Ticks ticks = ticks_of(scale);
  const double x = frame.right() + bar_gap, right = x + bar_thickness;
  const double top = frame.top + (scale.beyond_upper ? point_height : 0.0);
  const double bottom = frame.bottom() - (scale.beyond_lower ? point_height : 0.0);
  std::string svg = gradient(*scale.map, id);
  svg += fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"url(#{})\" "
      "stroke=\"#000000\" stroke-width=\"0.8\"/>\n",
      x, top, bar_thickness, bottom - top, id);
  if (scale.beyond_upper) svg += point(x, top, -point_height, scale.map->back());
  if (scale.beyond_lower) svg += point(x, bottom, point_height, scale.map->front());
  for (const Tick& tick : ticks.marks) {
    if (tick.text.mantissa.empty()) continue;
    const double y = bottom - (bottom - top) * (tick.at - scale.range.lower) / scale.range.length();
    svg += fmt::format("<path d=\"M{:.2f},{:.2f}h4\" stroke=\"#000000\" stroke-width=\"0.8\"/>\n",
                       right, y);
    svg += svg::text_at(right + 7.0, y + 4.5, "start", svg::markup(tick.text));
  }
  const double label = right + 9.0 + widest(ticks) + 15.0, middle = 0.5 * (top + bottom);
  return svg +
         svg::text_at(
             label, middle, "middle", axis_label(scale.axis, ticks),
             svg::fitting_font(scale.axis.name + " " + scale.axis.unit, svg::font, frame.height) +
                 fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", label, middle));
}

}  // namespace slipwave::app
