#pragma once

#include "app/plot/frame.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace slipwave::app {

/// Colours over numbers from 0 to 1: between the given ones, which are evenly spaced, they are
/// mixed.
using ColourMap = std::vector<std::uint32_t>;  // 0xRRGGBB

/// Dark blue over green to yellow: brighter is more, also in grey and for the colour-blind.
const ColourMap& sequential_map();
/// Blue below the middle, white in it, orange above.
const ColourMap& diverging_map();
/// The same for a dark page: its own tone in the middle, brighter to both ends.
const ColourMap& dark_diverging_map();

/// The colour at a number, or at the nearer end.
std::uint32_t colour_at(const ColourMap& map, double s);
/// "#RRGGBB".
std::string hex(std::uint32_t colour);

/// Numbers as colours, with the axis that says which.
struct ColourScale {
  Axis axis;
  Range range;
  const ColourMap* map = nullptr;
  bool beyond_lower = false, beyond_upper = false;  ///< whether there are numbers beyond the range

  std::uint32_t operator()(double number) const {
    return colour_at(*map, (number - range.lower) / range.length());
  }
};

/// The width of a bar with its marks and label, and its distance from the frame.
double bar_width(const ColourScale& scale);
/// The height at which the bar's label has letters of full size, in px.
double bar_height(const ColourScale& scale);
/// The bar on the right of a frame, as high; pointed where there are numbers beyond. The id is of
/// its gradient, unique in the file.
std::string draw_bar(const ColourScale& scale, const Frame& frame, const std::string& id);

}  // namespace slipwave::app
