#include "app/plot/chart.hpp"

#include "app/plot/number_text.hpp"
#include "app/plot/slope_triangle.hpp"
#include "app/plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

namespace slipwave::app {

namespace {

using Eigen::Vector2d;

// Lengths in px.
constexpr double legend_row = 20.0, note_row = 15.0;
constexpr std::string_view reference_colour = "#555555";

/// Where everything stands.
struct Layout {
  Frame frame;
  double height = 0.0;           ///< of the whole
  std::vector<Vector2d> legend;  ///< left end of each entry's key, on the middle of its text
};

/// What is drawn, before it has a place.
struct Content {
  std::vector<Pieces> curves;
  std::vector<SlopeTriangle> triangles;
  Range x, y;
  std::vector<std::string> notes;
};

/// Widths of the entries of the legend: their own in one row, else all the same for columns.
std::vector<double> legend_widths(const Chart& chart, double room) {
  std::vector<double> widths;
  for (const Curve& curve : chart.curves)
    widths.push_back(chart.style.legend_key + svg::text_width(curve.name) + chart.style.legend_gap);
  if (std::accumulate(widths.begin(), widths.end(), -chart.style.legend_gap) > room)
    widths.assign(widths.size(), *std::max_element(widths.begin(), widths.end()));
  return widths;
}

/// Rows of keys and names over the frame; moves the top of the frame down.
void lay_out_legend(Layout& layout, const Chart& chart) {
  if (chart.curves.empty() || !chart.legend) return;
  Frame& frame = layout.frame;
  double x = frame.left;
  for (const double width : legend_widths(chart, frame.width)) {
    if (x > frame.left && x + width - chart.style.legend_gap > frame.right()) {
      x = frame.left;
      frame.top += legend_row;
    }
    layout.legend.emplace_back(x, frame.top + 6.0);
    x += width;
  }
  frame.top += legend_row + 2.0;
}

Layout lay_out(const Chart& chart, const Content& content, const ChartMargins& least) {
  Layout layout{make_frame(chart.x, chart.y, content.x, content.y), 0.0, {}};
  Frame& frame = layout.frame;
  frame.left = std::max(left_margin(frame), least.left);
  frame.width = chart.width - frame.left - right_margin;
  frame.top = chart.title.empty() ? 14.0 : 42.0;
  lay_out_legend(layout, chart);
  frame.top = std::max(frame.top, least.top);
  frame.height = chart.plot_height;
  layout.height =
      frame.bottom() + bottom_margin + note_row * static_cast<double>(content.notes.size());
  return layout;
}

/// Title and labels.
std::string draw_titles(const Frame& f, const Chart& chart) {
  const double centre = f.left + 0.5 * f.width, room = 2.0 * (chart.width - centre);
  std::string svg;
  if (!chart.title.empty())
    svg += svg::text_at(centre, 24.0, "middle", svg::escaped(chart.title),
                        svg::fitting_font(chart.title, 16.0, room) + " font-weight=\"bold\"");
  return svg + draw_labels(f, chart.width);
}

std::string draw_legend(const Layout& layout, const Chart& chart) {
  std::string svg;
  for (std::size_t i = 0; i < layout.legend.size(); ++i)
    svg += draw_legend_entry(layout.legend[i], chart.curves[i].name, look_of(chart.curves[i], i),
                             chart.style);
  return svg;
}

std::string draw_remark(const Frame& f, const Chart& chart) {
  if (chart.remark.empty()) return "";
  return svg::text_at(f.left + 0.5 * f.width, f.top + 20.0, "middle", svg::markup(chart.remark),
                      svg::fitting_font(chart.remark, 12.0, f.width));
}

/// The triangle, the order at its upright side and 1 at its level side.
std::string draw_triangle(const Frame& l, const SlopeTriangle& t) {
  const Vector2d a = l.px(t.a), b = l.px(t.b), corner = l.px(t.corner);
  const bool corner_right = t.corner[0] == t.b[0];
  const double middle = 0.5 * (a[1] + b[1]);
  const std::string fill = fmt::format(" fill=\"{}\" font-size=\"12\"", reference_colour);
  return fmt::format(
             "<path d=\"M{:.2f},{:.2f}L{:.2f},{:.2f}L{:.2f},{:.2f}z\" fill=\"none\" stroke=\"{}\" "
             "stroke-width=\"1.2\" stroke-dasharray=\"4 3\"/>\n",
             a[0], a[1], b[0], b[1], corner[0], corner[1], reference_colour) +
         svg::text_at(corner[0] + (corner_right ? 5.0 : -5.0), middle + 4.0,
                      corner_right ? "start" : "end", with_minus_sign(fmt::format("{:g}", t.slope)),
                      fill) +
         svg::text_at(0.5 * (a[0] + b[0]), corner[1] + (t.below ? 13.0 : -5.0), "middle", "1",
                      fill);
}

std::string draw_notes(const Frame& f, const std::vector<std::string>& notes) {
  std::string svg;
  for (std::size_t i = 0; i < notes.size(); ++i)
    svg += svg::text_at(f.left, f.bottom() + 60.0 + note_row * static_cast<double>(i), "start",
                        svg::escaped(notes[i]),
                        svg::fitting_font(notes[i], 11.0, f.width) + " fill=\"#555555\"");
  return svg;
}

/// Triangles for the slopes, if the axes allow them.
std::vector<SlopeTriangle> triangles_of(const Chart& chart, const std::vector<Pieces>& curves,
                                        std::vector<std::string>& notes) {
  if (chart.slopes.empty()) return {};
  if (chart.x.scale == AxisScale::linear || chart.y.scale == AxisScale::linear) {
    notes.emplace_back("reference slopes left out: they need logarithmic axes");
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
                  std::vector<std::string>& notes) {
  std::erase_if(triangles, [&](const SlopeTriangle& t) {
    const bool outside = t.a[0] < x.lower || t.b[0] > x.upper ||
                         std::min(t.a[1], t.b[1]) < y.lower || std::max(t.a[1], t.b[1]) > y.upper;
    if (outside)
      notes.push_back(fmt::format("reference slope {:g} left out, outside of the axes", t.slope));
    return outside;
  });
}

Content content_of(const Chart& chart) {
  Content content;
  for (const Curve& curve : chart.curves)
    content.curves.push_back(drawable(chart.x, chart.y, curve, content.notes));
  content.triangles = triangles_of(chart, content.curves, content.notes);
  std::tie(content.x, content.y) = ranges_of(chart, content.curves, content.triangles);
  drop_outside(content.triangles, content.x, content.y, content.notes);
  return content;
}

}  // namespace

ChartMargins margins_of(const Chart& chart) {
  const Frame frame = lay_out(chart, content_of(chart), {}).frame;
  return {frame.left, frame.top};
}

ChartDrawing draw_on_page(const Chart& chart, const ChartMargins& least) {
  const Content content = content_of(chart);
  const Layout layout = lay_out(chart, content, least);
  const Frame& frame = layout.frame;
  std::string svg = draw_grid(frame);
  for (const SlopeTriangle& triangle : content.triangles) svg += draw_triangle(frame, triangle);
  for (std::size_t i = 0; i < content.curves.size(); ++i)
    svg += draw_curve(frame, content.curves[i], look_of(chart.curves[i], i), chart.style);
  svg += draw_remark(frame, chart) + draw_marks(frame) + draw_titles(frame, chart) +
         draw_legend(layout, chart) + draw_notes(frame, content.notes);
  return {svg, layout.height, content.notes};
}

Figure draw_chart(const Chart& chart) {
  const ChartDrawing drawing = draw_on_page(chart);
  const std::string size =
      fmt::format("width=\"{}\" height=\"{:.0f}\"", chart.width, drawing.height);
  return {svg::document(size, chart.width, drawing.height, chart.title, drawing.svg),
          drawing.notes};
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
