#include "app/plot/frame.hpp"

#include "app/plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipwave::app {

Frame make_frame(const Axis& x_axis, const Axis& y_axis, const Range& x, const Range& y) {
  Frame frame;
  frame.x_axis = x_axis;
  frame.y_axis = y_axis;
  frame.x = x;
  frame.y = y;
  frame.x_ticks = make_ticks(x_axis.scale, number_at(x_axis, x.lower), number_at(x_axis, x.upper));
  frame.y_ticks = make_ticks(y_axis.scale, number_at(y_axis, y.lower), number_at(y_axis, y.upper));
  return frame;
}

double left_margin(const Frame& frame) {
  double widest = 0.0;
  for (const Tick& tick : frame.y_ticks.marks)
    widest = std::max(widest, svg::text_width(tick.text));
  return 40.0 + widest;
}

std::string draw_grid(const Frame& f) {
  std::string svg = "<g stroke=\"#dddddd\" stroke-width=\"0.8\" fill=\"none\">\n";
  for (const Tick& tick : f.x_ticks.marks) {
    const double x = f.px_x(coordinate(f.x_axis, tick.at));
    if (!tick.text.mantissa.empty()) svg += svg::line({x, f.top}, {x, f.bottom()});
  }
  for (const Tick& tick : f.y_ticks.marks) {
    const double y = f.px_y(coordinate(f.y_axis, tick.at));
    if (!tick.text.mantissa.empty()) svg += svg::line({f.left, y}, {f.right(), y});
  }
  return svg + "</g>\n";
}

std::string draw_marks(const Frame& f) {
  std::string lines = "<g stroke=\"#000000\" stroke-width=\"1\" fill=\"none\">\n", texts;
  lines += fmt::format("<path d=\"M{:.2f},{:.2f}h{:.2f}v{:.2f}h{:.2f}z\"/>\n", f.left, f.top,
                       f.width, f.height, -f.width);
  for (const Tick& tick : f.x_ticks.marks) {
    const double x = f.px_x(coordinate(f.x_axis, tick.at));
    const bool named = !tick.text.mantissa.empty();
    lines += svg::line({x, f.bottom()}, {x, f.bottom() + (named ? 6.0 : 3.0)});
    if (named && f.x_texts)
      texts += svg::text_at(x, f.bottom() + 20.0, "middle", svg::markup(tick.text));
  }
  for (const Tick& tick : f.y_ticks.marks) {
    const double y = f.px_y(coordinate(f.y_axis, tick.at));
    const bool named = !tick.text.mantissa.empty();
    lines += svg::line({f.left, y}, {f.left - (named ? 6.0 : 3.0), y});
    if (named) texts += svg::text_at(f.left - 9.0, y + 4.5, "end", svg::markup(tick.text));
  }
  return lines + "</g>\n" + texts;
}

std::string draw_labels(const Frame& f, double width) {
  const double centre = f.left + 0.5 * f.width, middle = f.top + 0.5 * f.height;
  const double room = 2.0 * (width - centre);
  std::string svg;
  if (f.x_texts)
    svg += svg::text_at(centre, f.bottom() + 41.0, "middle", axis_label(f.x_axis, f.x_ticks),
                        svg::fitting_font(f.x_axis.name + f.x_axis.unit, svg::font, 0.9 * room));
  return svg + svg::text_at(17.0, middle, "middle", axis_label(f.y_axis, f.y_ticks),
                            svg::fitting_font(f.y_axis.name + f.y_axis.unit, svg::font, f.height) +
                                fmt::format(" transform=\"rotate(-90 17 {:.2f})\"", middle));
}

}  // namespace slipwave::app
