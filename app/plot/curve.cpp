#include "app/plot/curve.hpp"

#include "app/plot/palette.hpp"
#include "app/plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <set>
#include <string_view>

namespace slipwave::app {

namespace {

using Eigen::Vector2d;

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

/// Notes how many points of a curve were left out for a reason.
void note_left_out(std::vector<std::string>& notes, const std::string& name, std::size_t count,
                   std::string_view reason) {
  if (count == 0) return;
  notes.push_back(
      fmt::format("{}: {} point{} left out, {}", name, count, count == 1 ? "" : "s", reason));
}

std::string colour_of(std::size_t i) {
  return fmt::format("#{:06X}", palette::inks.at(i % palette::inks.size()).light);
}

/// The attributes of the group that holds a curve.
std::string attributes(const CurveLook& look) {
  const std::string_view dash = palette::dashes.at(look.dashes % palette::dashes.size()).lengths;
  return fmt::format("stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}",
                     colour_of(look.colour), look.width,
                     dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

std::string draw_marker(std::size_t i, const Vector2d& px) {
  return fmt::format(
      "<path transform=\"translate({:.2f},{:.2f})\" d=\"{}\" fill=\"{}\" stroke=\"{}\" "
      "stroke-width=\"1.3\"/>\n",
      px[0], px[1], markers.at(i % markers.size()), colour_of(i), colour_of(i));
}

std::string draw_piece(const Frame& frame, const std::vector<Vector2d>& piece) {
  std::string path;
  for (const Vector2d& point : piece) {
    const Vector2d px = frame.px(point);
    path += fmt::format("{}{:.2f},{:.2f}", path.empty() ? "M" : "L", px[0], px[1]);
  }
  return fmt::format("<path d=\"{}\"/>\n", path);
}

}  // namespace

Pieces drawable(const Axis& x, const Axis& y, const Curve& curve, std::vector<std::string>& notes) {
  assert(curve.x.size() == curve.y.size());
  Pieces result;
  std::vector<std::string_view> troubles;
  bool interrupted = true;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    std::string_view why = trouble(x, curve.x[i]);
    if (why.empty()) why = trouble(y, curve.y[i]);
    if (!why.empty()) {
      troubles.push_back(why);
      interrupted = true;
      continue;
    }
    if (interrupted) result.pieces.emplace_back();
    interrupted = false;
    result.points.emplace_back(coordinate(x, curve.x[i]), coordinate(y, curve.y[i]));
    result.pieces.back().push_back(result.points.back());
  }
  for (const std::string_view why :
       {"not finite", "not positive on a logarithmic axis", "outside of the axes"})
    note_left_out(notes, curve.name,
                  static_cast<std::size_t>(std::count(troubles.begin(), troubles.end(), why)), why);
  return result;
}

Curve thinned(const Curve& curve) {
  constexpr std::size_t stretches = 1500;
  const std::size_t n = curve.x.size(), stride = n / stretches;
  if (stride <= 4) return curve;
  Curve thin{curve.name, {}, {}, curve.look};
  for (std::size_t first = 0; first < n; first += stride) {
    const std::size_t last = std::min(first + stride, n) - 1;
    std::size_t low = first, high = first, gap = first;
    for (std::size_t i = first; i <= last; ++i) {
      if (!std::isfinite(curve.y[i])) {
        gap = i;
        continue;
      }
      // Written so that what is not a number gives way to the first one.
      if (!(curve.y[low] <= curve.y[i])) low = i;
      if (!(curve.y[high] > curve.y[i])) high = i;
    }
    for (const std::size_t i : std::set<std::size_t>{first, low, high, gap, last}) {
      thin.x.push_back(curve.x[i]);
      thin.y.push_back(curve.y[i]);
    }
  }
  return thin;
}

CurveLook look_of(const Curve& curve, std::size_t i) {
  return curve.look.value_or(CurveLook{i, i, 1.8});
}

std::string draw_curve(const Frame& frame, const Pieces& curve, const CurveLook& look,
                       const CurveStyle& style) {
  std::string svg = fmt::format("<g fill=\"none\" {}>\n", attributes(look));
  for (const std::vector<Vector2d>& piece : curve.pieces)
    if (piece.size() > 1) svg += draw_piece(frame, piece);
  svg += "</g>\n";
  if (!style.markers) return svg;
  svg += "<g>\n";
  // Markers of curves with many points are shifted, lest they all stand on one another.
  const std::size_t n = curve.points.size();
  const std::size_t stride = n > most_markers ? (n + most_markers - 1) / most_markers : 1;
  for (std::size_t k = stride > 1 ? (2 * look.colour) % stride : 0; k < n; k += stride)
    svg += draw_marker(look.colour, frame.px(curve.points[k]));
  return svg + "</g>\n";
}

std::string draw_legend_entry(const Vector2d& at, const std::string& name, const CurveLook& look,
                              const CurveStyle& style) {
  const double length = style.legend_key - 6.0;
  return fmt::format("<g fill=\"none\" {}>\n", attributes(look)) +
         svg::line(at, at + Vector2d(length, 0.0)) + "</g>\n" +
         (style.markers ? draw_marker(look.colour, at + Vector2d(0.5 * length, 0.0)) : "") +
         svg::text_at(at[0] + style.legend_key, at[1] + 4.5, "start", svg::markup(name));
}

}  // namespace slipwave::app
