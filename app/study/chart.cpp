#include "app/study/chart.hpp"

#include "app/study/slope_triangle.hpp"
#include "app/study/table.hpp"

#include <fmt/format.h>
#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

namespace slipwave::app {

namespace {

using Eigen::Vector2d;

// Lengths in px. The widths of letters are a guess that suits Helvetica and its kin.
constexpr double font = 13.0, small_font = 10.0, letter_width = 0.56;
constexpr double legend_row = 20.0, legend_key = 38.0, legend_gap = 22.0, note_row = 15.0;
constexpr double right_margin = 18.0;
constexpr std::string_view reference_colour = "#555555";

/// Okabe and Ito's colours without the yellow, which white paper swallows.
constexpr std::array<std::string_view, 7> colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                  "#000000", "#E69F00", "#56B4E9"};
/// Four against seven colours and seven markers: a marker that returns has other dashes.
constexpr std::array<std::string_view, 4> dashes{"", "8 4", "2 3", "10 3 2 3"};
/// Paths about the origin: disc, square, triangle, diamond, triangle upside down, cross, plus.
constexpr std::array<std::string_view, 7> markers{"M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
                                                  "M-3.6,-3.6h7.2v7.2h-7.2z",
                                                  "M0,-4.8L4.4,3.4H-4.4z",
                                                  "M0,-5.2L4.4,0L0,5.2L-4.4,0z",
                                                  "M0,4.8L4.4,-3.4H-4.4z",
                                                  "M-3.6,-3.6L3.6,3.6M-3.6,3.6L3.6,-3.6",
                                                  "M0,-4.6V4.6M-4.6,0H4.6"};
/// A curve of more points than this has a marker at some of them only.
constexpr std::size_t most_markers = 16;

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else  // XML 1.0 has no control characters
      result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result;
}

double text_width(const std::string& text, double size) {
  return letter_width * size * static_cast<double>(character_count(text));
}

double text_width(const NumberText& text) {
  return text_width(text.mantissa, font) + text_width(text.exponent, small_font);
}

/// Markup of a number: its exponent is raised.
std::string markup(const NumberText& text) {
  if (text.exponent.empty()) return text.mantissa;
  return fmt::format("{}<tspan dy=\"-5\" font-size=\"{}\">{}</tspan>", text.mantissa, small_font,
                     text.exponent);
}

/// The axis runs evenly in this number.
double coordinate(const Axis& axis, double number) {
  return axis.scale == AxisScale::linear ? number : std::log10(number);
}

double number_at(const Axis& axis, double coordinate) {
  return axis.scale == AxisScale::linear ? coordinate : std::pow(10.0, coordinate);
}

/// Why a number has no place on the axis; empty if it has one.
std::string_view trouble(const Axis& axis, double number) {
  if (!(std::abs(number) < 1e300)) return "not finite";  // nor are the ends of such an axis
  if (axis.scale == AxisScale::logarithmic && number <= 0.0)
    return "not positive on a logarithmic axis";
  if (number < axis.lower.value_or(number) || number > axis.upper.value_or(number))
    return "outside of the axes";
  return "";
}

/// What is drawn of a curve, in coordinates of the axes: pieces between points left out.
struct Pieces {
  std::vector<std::vector<Vector2d>> pieces;
  std::vector<Vector2d> points;
};

/// Notes how many points of a curve were left out for a reason.
void note_left_out(Figure& figure, const std::string& name, std::size_t count,
                   std::string_view reason) {
  if (count == 0) return;
  figure.notes.push_back(
      fmt::format("{}: {} point{} left out, {}", name, count, count == 1 ? "" : "s", reason));
}

Pieces drawable(const Chart& chart, const Curve& curve, Figure& figure) {
  assert(curve.x.size() == curve.y.size());
  Pieces result;
  std::vector<std::string_view> troubles;
  bool interrupted = true;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    std::string_view why = trouble(chart.x, curve.x[i]);
    if (why.empty()) why = trouble(chart.y, curve.y[i]);
    if (!why.empty()) {
      troubles.push_back(why);
      interrupted = true;
      continue;
    }
    if (interrupted) result.pieces.emplace_back();
    interrupted = false;
    result.points.emplace_back(coordinate(chart.x, curve.x[i]), coordinate(chart.y, curve.y[i]));
    result.pieces.back().push_back(result.points.back());
  }
  for (const std::string_view why :
       {"not finite", "not positive on a logarithmic axis", "outside of the axes"})
    note_left_out(figure, curve.name,
                  static_cast<std::size_t>(std::count(troubles.begin(), troubles.end(), why)), why);
  return result;
}

struct Range {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -std::numeric_limits<double>::infinity();

  void include(double c) {
    lower = std::min(lower, c);
    upper = std::max(upper, c);
  }
  double length() const { return upper - lower; }
};

/// The range of data with some air, and never empty.
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

/// The range with the ends that the axis was given, as far as they make sense.
Range with_given_ends(Range range, const Axis& axis) {
  const double lower = coordinate(axis, axis.lower.value_or(number_at(axis, range.lower)));
  const double upper = coordinate(axis, axis.upper.value_or(number_at(axis, range.upper)));
  if (axis.lower && std::isfinite(lower)) range.lower = lower;
  if (axis.upper && std::isfinite(upper)) range.upper = upper;
  if (range.length() > 0.0) return range;
  return axis.upper ? Range{range.upper - 1.0, range.upper} : Range{range.lower, range.lower + 1.0};
}

/// Where everything stands.
struct Layout {
  double left = 0.0, top = 0.0, width = 0.0, height = 0.0;  ///< of the frame
  double figure_height = 0.0;
  Range x, y;
  Ticks x_ticks, y_ticks;
  std::vector<Vector2d> legend;  ///< left end of each entry's key, on the middle of its text

  double right() const { return left + width; }
  double bottom() const { return top + height; }
  double px_x(double c) const { return left + width * (c - x.lower) / x.length(); }
  double px_y(double c) const { return bottom() - height * (c - y.lower) / y.length(); }
  Vector2d px(const Vector2d& c) const { return {px_x(c[0]), px_y(c[1])}; }
};

/// Widths of the entries of the legend: their own in one row, else all the same for columns.
std::vector<double> legend_widths(const Chart& chart, double room) {
  std::vector<double> widths;
  for (const Curve& curve : chart.curves)
    widths.push_back(legend_key + text_width(curve.name, font) + legend_gap);
  if (std::accumulate(widths.begin(), widths.end(), -legend_gap) > room)
    widths.assign(widths.size(), *std::max_element(widths.begin(), widths.end()));
  return widths;
}

/// Rows of keys and names over the frame; moves the top of the frame down.
void lay_out_legend(Layout& layout, const Chart& chart) {
  if (chart.curves.empty()) return;
  double x = layout.left;
  for (const double width : legend_widths(chart, layout.width)) {
    if (x > layout.left && x + width - legend_gap > layout.right()) {
      x = layout.left;
      layout.top += legend_row;
    }
    layout.legend.emplace_back(x, layout.top + 6.0);
    x += width;
  }
  layout.top += legend_row + 2.0;
}

Layout lay_out(const Chart& chart, const Range& x, const Range& y, std::size_t note_count) {
  Layout layout;
  layout.x = x;
  layout.y = y;
  layout.x_ticks =
      make_ticks(chart.x.scale, number_at(chart.x, x.lower), number_at(chart.x, x.upper));
  layout.y_ticks =
      make_ticks(chart.y.scale, number_at(chart.y, y.lower), number_at(chart.y, y.upper));
  double widest = 0.0;
  for (const Tick& tick : layout.y_ticks.marks) widest = std::max(widest, text_width(tick.text));
  layout.left = 40.0 + widest;
  layout.width = chart.width - layout.left - right_margin;
  layout.top = chart.title.empty() ? 14.0 : 42.0;
  lay_out_legend(layout, chart);
  layout.height = chart.plot_height;
  layout.figure_height = layout.bottom() + 52.0 + note_row * static_cast<double>(note_count);
  return layout;
}

/// A line or path element's way between two points.
std::string line(const Vector2d& a, const Vector2d& b) {
  return fmt::format("<path d=\"M{:.2f},{:.2f}L{:.2f},{:.2f}\"/>\n", a[0], a[1], b[0], b[1]);
}

/// A text; `anchor` is start, middle or end, `content` is markup.
std::string text_at(double x, double y, std::string_view anchor, const std::string& content,
                    std::string_view more = "") {
  return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, content);
}

/// "name (unit)" with the power of ten that the marks leave out.
std::string axis_label(const Axis& axis, const Ticks& ticks) {
  const std::string name = escaped(axis.name), unit = escaped(axis.unit);
  if (ticks.exponent == 0) return unit.empty() ? name : fmt::format("{} ({})", name, unit);
  // dx: blanks at the beginning of a tspan are lost.
  return fmt::format(
      "{} (10<tspan dy=\"-5\" font-size=\"{}\">{}</tspan>"
      "<tspan dx=\"{}\" dy=\"5\">{})</tspan>",
      name, small_font, with_minus_sign(std::to_string(ticks.exponent)), unit.empty() ? 0 : 4,
      unit);
}

std::string draw_grid(const Layout& l, const Chart& chart) {
  std::string svg = "<g stroke=\"#dddddd\" stroke-width=\"0.8\" fill=\"none\">\n";
  for (const Tick& tick : l.x_ticks.marks) {
    const double x = l.px_x(coordinate(chart.x, tick.at));
    if (!tick.text.mantissa.empty()) svg += line({x, l.top}, {x, l.bottom()});
  }
  for (const Tick& tick : l.y_ticks.marks) {
    const double y = l.px_y(coordinate(chart.y, tick.at));
    if (!tick.text.mantissa.empty()) svg += line({l.left, y}, {l.right(), y});
  }
  return svg + "</g>\n";
}

std::string draw_marks(const Layout& l, const Chart& chart) {
  std::string lines = "<g stroke=\"#000000\" stroke-width=\"1\" fill=\"none\">\n", texts;
  lines += fmt::format("<path d=\"M{:.2f},{:.2f}h{:.2f}v{:.2f}h{:.2f}z\"/>\n", l.left, l.top,
                       l.width, l.height, -l.width);
  for (const Tick& tick : l.x_ticks.marks) {
    const double x = l.px_x(coordinate(chart.x, tick.at));
    const bool named = !tick.text.mantissa.empty();
    lines += line({x, l.bottom()}, {x, l.bottom() + (named ? 6.0 : 3.0)});
    if (named) texts += text_at(x, l.bottom() + 20.0, "middle", markup(tick.text));
  }
  for (const Tick& tick : l.y_ticks.marks) {
    const double y = l.px_y(coordinate(chart.y, tick.at));
    const bool named = !tick.text.mantissa.empty();
    lines += line({l.left, y}, {l.left - (named ? 6.0 : 3.0), y});
    if (named) texts += text_at(l.left - 9.0, y + 4.5, "end", markup(tick.text));
  }
  return lines + "</g>\n" + texts;
}

/// The attribute of a size, or of the smaller one at which the text fits into the room.
std::string fitting_font(const std::string& text, double size, double room) {
  const double excess = std::max(1.0, text_width(text, size) / room);
  return fmt::format(" font-size=\"{:.3g}\"", size / excess);
}

std::string draw_titles(const Layout& l, const Chart& chart) {
  std::string svg;
  const double centre = l.left + 0.5 * l.width, middle = l.top + 0.5 * l.height;
  const double room = 2.0 * (chart.width - centre);
  if (!chart.title.empty())
    svg += text_at(centre, 24.0, "middle", escaped(chart.title),
                   fitting_font(chart.title, 16.0, room) + " font-weight=\"bold\"");
  svg += text_at(centre, l.bottom() + 41.0, "middle", axis_label(chart.x, l.x_ticks),
                 fitting_font(chart.x.name + chart.x.unit, font, 0.9 * room));
  return svg + text_at(17.0, middle, "middle", axis_label(chart.y, l.y_ticks),
                       fitting_font(chart.y.name + chart.y.unit, font, l.height) +
                           fmt::format(" transform=\"rotate(-90 17 {:.2f})\"", middle));
}

/// How the curve of a number looks: attributes of the group that holds it.
std::string style(std::size_t i) {
  const std::string_view dash = dashes.at(i % dashes.size());
  return fmt::format("stroke=\"{}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{}",
                     colours.at(i % colours.size()),
                     dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

std::string draw_marker(std::size_t i, const Vector2d& px) {
  return fmt::format(
      "<path transform=\"translate({:.2f},{:.2f})\" d=\"{}\" fill=\"{}\" stroke=\"{}\" "
      "stroke-width=\"1.3\"/>\n",
      px[0], px[1], markers.at(i % markers.size()), colours.at(i % colours.size()),
      colours.at(i % colours.size()));
}

std::string draw_piece(const Layout& l, const std::vector<Vector2d>& piece) {
  std::string path;
  for (const Vector2d& point : piece) {
    const Vector2d px = l.px(point);
    path += fmt::format("{}{:.2f},{:.2f}", path.empty() ? "M" : "L", px[0], px[1]);
  }
  return fmt::format("<path d=\"{}\"/>\n", path);
}

std::string draw_curve(const Layout& l, const Pieces& curve, std::size_t i) {
  std::string svg = fmt::format("<g fill=\"none\" {}>\n", style(i));
  for (const std::vector<Vector2d>& piece : curve.pieces)
    if (piece.size() > 1) svg += draw_piece(l, piece);
  svg += "</g>\n<g>\n";
  // Markers of curves with many points are shifted, lest they all stand on one another.
  const std::size_t n = curve.points.size();
  const std::size_t stride = n > most_markers ? (n + most_markers - 1) / most_markers : 1;
  for (std::size_t k = stride > 1 ? (2 * i) % stride : 0; k < n; k += stride)
    svg += draw_marker(i, l.px(curve.points[k]));
  return svg + "</g>\n";
}

std::string draw_legend(const Layout& l, const Chart& chart) {
  std::string svg;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const Vector2d& at = l.legend[i];
    svg += fmt::format("<g fill=\"none\" {}>\n", style(i)) +
           line(at, at + Vector2d(legend_key - 6.0, 0.0)) + "</g>\n" +
           draw_marker(i, at + Vector2d(0.5 * (legend_key - 6.0), 0.0)) +
           text_at(at[0] + legend_key, at[1] + 4.5, "start", escaped(chart.curves[i].name));
  }
  return svg;
}

/// The triangle, the order at its upright side and 1 at its level side.
std::string draw_triangle(const Layout& l, const SlopeTriangle& t) {
  const Vector2d a = l.px(t.a), b = l.px(t.b), corner = l.px(t.corner);
  const bool corner_right = t.corner[0] == t.b[0];
  const double middle = 0.5 * (a[1] + b[1]);
  const std::string fill = fmt::format(" fill=\"{}\" font-size=\"12\"", reference_colour);
  return fmt::format(
             "<path d=\"M{:.2f},{:.2f}L{:.2f},{:.2f}L{:.2f},{:.2f}z\" fill=\"none\" stroke=\"{}\" "
             "stroke-width=\"1.2\" stroke-dasharray=\"4 3\"/>\n",
             a[0], a[1], b[0], b[1], corner[0], corner[1], reference_colour) +
         text_at(corner[0] + (corner_right ? 5.0 : -5.0), middle + 4.0,
                 corner_right ? "start" : "end", with_minus_sign(fmt::format("{:g}", t.slope)),
                 fill) +
         text_at(0.5 * (a[0] + b[0]), corner[1] + (t.below ? 13.0 : -5.0), "middle", "1", fill);
}

std::string draw_notes(const Layout& l, const std::vector<std::string>& notes) {
  std::string svg;
  for (std::size_t i = 0; i < notes.size(); ++i)
    svg += text_at(l.left, l.bottom() + 60.0 + note_row * static_cast<double>(i), "start",
                   escaped(notes[i]), fitting_font(notes[i], 11.0, l.width) + " fill=\"#555555\"");
  return svg;
}

std::string head(const Layout& l, const Chart& chart) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{0}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0} {1:.0f}\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" "
      "font-size=\"{2}\" fill=\"#000000\">\n<title>{3}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      chart.width, l.figure_height, font, escaped(chart.title));
}

/// Triangles for the slopes, if the axes allow them.
std::vector<SlopeTriangle> triangles_of(const Chart& chart, const std::vector<Pieces>& curves,
                                        Figure& figure) {
  if (chart.slopes.empty()) return {};
  if (chart.x.scale == AxisScale::linear || chart.y.scale == AxisScale::linear) {
    figure.notes.emplace_back("reference slopes left out: they need logarithmic axes");
    return {};
  }
  std::vector<DrawnCurve> drawn;
  for (const Pieces& curve : curves) {
    drawn.push_back(curve.points);
    std::sort(drawn.back().begin(), drawn.back().end(),
              [](const Vector2d& p, const Vector2d& q) { return p[0] < q[0]; });
  }
  return place_triangles(chart.slopes, drawn);
}

/// Ranges of both axes over all that is drawn.
std::pair<Range, Range> ranges_of(const Chart& chart, const std::vector<Pieces>& curves,
                                  const std::vector<SlopeTriangle>& triangles) {
  Range x, y;
  for (const Pieces& curve : curves)
    for (const Vector2d& point : curve.points) {
      x.include(point[0]);
      y.include(point[1]);
    }
  const double room = 0.06 * std::max(y.length(), 0.0);  // for the text at the level side
  for (const SlopeTriangle& t : triangles) {
    y.include(std::min(t.a[1], t.b[1]) - (t.below ? room : 0.0));
    y.include(std::max(t.a[1], t.b[1]) + (t.below ? 0.0 : room));
  }
  return {with_given_ends(with_air(x, chart.x), chart.x),
          with_given_ends(with_air(y, chart.y), chart.y)};
}

/// Drops triangles for which the given ends of the axes leave no room, and notes it.
void drop_outside(std::vector<SlopeTriangle>& triangles, const Range& x, const Range& y,
                  Figure& figure) {
  std::erase_if(triangles, [&](const SlopeTriangle& t) {
    const bool outside = t.a[0] < x.lower || t.b[0] > x.upper ||
                         std::min(t.a[1], t.b[1]) < y.lower || std::max(t.a[1], t.b[1]) > y.upper;
    if (outside)
      figure.notes.push_back(
          fmt::format("reference slope {:g} left out, outside of the axes", t.slope));
    return outside;
  });
}

}  // namespace

Figure draw_chart(const Chart& chart) {
  Figure figure;
  std::vector<Pieces> curves;
  for (const Curve& curve : chart.curves) curves.push_back(drawable(chart, curve, figure));
  std::vector<SlopeTriangle> triangles = triangles_of(chart, curves, figure);
  const auto [x, y] = ranges_of(chart, curves, triangles);
  drop_outside(triangles, x, y, figure);
  const Layout layout = lay_out(chart, x, y, figure.notes.size());

  figure.svg = head(layout, chart) + draw_grid(layout, chart);
  for (const SlopeTriangle& triangle : triangles) figure.svg += draw_triangle(layout, triangle);
  for (std::size_t i = 0; i < curves.size(); ++i) figure.svg += draw_curve(layout, curves[i], i);
  figure.svg += draw_marks(layout, chart) + draw_titles(layout, chart) +
                draw_legend(layout, chart) + draw_notes(layout, figure.notes) + "</svg>\n";
  return figure;
}

Chart error_chart(std::string title, Axis size, Axis error, std::vector<Curve> curves,
                  std::vector<double> orders) {
  size.scale = error.scale = AxisScale::logarithmic;
  return {std::move(title), std::move(size), std::move(error), std::move(curves),
          std::move(orders)};
}

Chart cost_chart(std::string title, Axis size, std::vector<Curve> curves,
                 std::vector<double> orders) {
  const Axis cost{"wall-clock time", "s", AxisScale::logarithmic, {}, {}};
  return error_chart(std::move(title), std::move(size), cost, std::move(curves), std::move(orders));
}

Chart profile_chart(std::string title, Axis position, Axis value, std::vector<Curve> curves) {
  position.scale = value.scale = AxisScale::linear;
  return {std::move(title), std::move(position), std::move(value), std::move(curves), {}};
}

}  // namespace slipwave::app
