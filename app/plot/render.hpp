#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slipwave::app {

/// Rows of pixels from the top, 0xAARRGGBB each; alpha is 0 or 255.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;
};

/// The image as a PNG file.
std::string png_of(const Image& image);

/// An SVG image element: the PNG stretched over a box, its pixels kept sharp.
std::string embedded(const std::string& png, double x, double y, double width, double height);

/// Dots per inch of images in figures, and of figures as PNG.
inline constexpr double print_dpi = 300.0;

/// A figure as PNG that says its resolution. Throws std::runtime_error where the SVG is not one.
std::string svg_to_png(const std::string& svg, double dpi = print_dpi);

/// A figure as PDF of its size, with text as text.
std::string svg_to_pdf(const std::string& svg);

}  // namespace slipwave::app
