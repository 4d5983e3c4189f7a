#include "app/plot/interface_key.hpp"

#include "app/plot/colour_map.hpp"
#include "app/plot/palette.hpp"
#include "app/plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipwave::app {

namespace {

/// Samples of the statuses and of the reference lines in rows over a frame.
class Key {
 public:
  Key(const ReferenceSpeeds& speeds, double left, double right) : left_(left), right_(right) {
    for (const palette::StatusLook& status : palette::statuses)
      add(16.0, std::string(status.name), svg::text_width(std::string(status.name)),
          fmt::format("<rect x=\"0\" y=\"-5.5\" width=\"16\" height=\"11\" fill=\"{}\" "
                      "stroke=\"#000000\" stroke-width=\"0.6\"/>\n",
                      hex(status.colour)));
    if (x_ + 3.0 * 57.0 > right_) new_row();  // the three lines stay together
    for (const ReferenceLine& reference : reference_lines(speeds))
      add(24.0, reference.name, 16.0,
          stroked(svg::line({0.0, 0.0}, {24.0, 0.0}), "#000000", 1.2, reference.dashes));
  }

  const std::string& svg() const { return svg_; }
  /// Of the rows but the last, which is at the height of a panel's letter.
  double height() const { return y_ - first_row; }

 private:
  static constexpr double first_row = 10.5;

  void new_row() {
    x_ = left_;
    y_ += 18.0;
  }
  /// A sample of some length that starts at (0, 0), and the name of some width after it.
  void add(double length, const std::string& name, double width, const std::string& sample) {
    if (x_ > left_ && x_ + length + 5.0 + width > right_) new_row();
    const std::string text = svg::text_at(length + 5.0, 4.5, "start", svg::markup(name));
    svg_ += svg::moved(x_, y_, sample + text);
    x_ += length + 5.0 + width + 12.0;
  }

  double left_, right_, x_ = left_, y_ = first_row;
  std::string svg_;
};

}  // namespace

std::uint32_t status_colour(std::uint8_t status) {
  return palette::statuses.at(std::min<std::size_t>(status, palette::statuses.size() - 1)).colour;
}

std::array<ReferenceLine, 3> reference_lines(const ReferenceSpeeds& speeds) {
  const std::array<double, 3> values{speeds.pressure, speeds.shear, speeds.rayleigh};
  std::array<ReferenceLine, 3> lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const palette::SpeedLook& look = palette::speeds.at(i);
    lines.at(i) = {fmt::format("${}$", look.name), values.at(i),
                   std::string(palette::dashes.at(look.dash).lengths)};
  }
  return lines;
}

std::string stroked(const std::string& path, const char* colour, double width,
                    const std::string& dashes) {
  return fmt::format("<g stroke=\"{}\" stroke-width=\"{:g}\"{}>\n{}</g>\n", colour, width,
                     dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes), path);
}

InterfaceKey draw_interface_key(const ReferenceSpeeds& speeds, double left, double right) {
  const Key key(speeds, left, right);
  return {key.svg(), key.height()};
}

}  // namespace slipwave::app
