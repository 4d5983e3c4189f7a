#include "app/messages/user_error.hpp"
#include "app/plot/colour_map.hpp"
#include "app/plot/interface_key.hpp"
#include "app/plot/page.hpp"
#include "app/plot/render.hpp"
#include "app/plot/run_figures.hpp"
#include "app/plot/space_time.hpp"
#include "app/plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace slipwave::app {

namespace {

/// Height of a panel's frame in px, and the gap to the next.
constexpr double panel_height = 170.0, panel_gap = 26.0;

/// The part of the history that is drawn.
struct Part {
  const LineHistory& line;
  const Eigen::VectorXd& t;
  std::vector<int> nodes;    ///< ascending in x
  int first = 0, count = 0;  ///< recorded steps
  Range time, x;
};

/// The nodes ascending in x. Pieces that lie on the same stretch of x would hide one another: then
/// only the longest is drawn, and noted.
std::vector<int> nodes_of(const LineHistory& line, std::vector<std::string>& notes) {
  std::vector<int> nodes(static_cast<std::size_t>(line.x.size()));
  std::iota(nodes.begin(), nodes.end(), 0);
  std::stable_sort(nodes.begin(), nodes.end(), [&](int a, int b) { return line.x[a] < line.x[b]; });
  std::map<int, std::size_t> sizes;
  int changes = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    ++sizes[line.piece[nodes[k]]];
    changes += k > 0 && line.piece[nodes[k]] != line.piece[nodes[k - 1]] ? 1 : 0;
  }
  if (changes < static_cast<int>(sizes.size())) return nodes;
  const auto longest = std::max_element(
      sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::erase_if(nodes, [&](int i) { return line.piece[i] != longest->first; });
  notes.push_back(fmt::format("{}: the longest of {} pieces is drawn", line.name, sizes.size()));
  return nodes;
}

/// From the start of the first recorded step.
Range whole_time(const Eigen::VectorXd& t) {
  return {std::max(t[0] - (t[1] - t[0]), std::min(t[0], 0.0)), t[t.size() - 1]};
}

Part part_of(const InterfaceHistory& history, const LineHistory& line, const PrintOptions& options,
             std::vector<std::string>& notes) {
  const Eigen::VectorXd& t = history.t;
  if (t.size() < 2 || line.x.size() < 2)
    throw UserError(
        fmt::format("the interface history of \"{}\" has {} steps and {} nodes: "
                    "a diagram needs two of each",
                    line.name, t.size(), line.x.size()));
  Part part{line,
            t,
            nodes_of(line, notes),
            0,
            0,
            options.time.value_or(whole_time(t)),
            {line.x.minCoeff(), line.x.maxCoeff()}};
  part.first = static_cast<int>(std::lower_bound(t.begin(), t.end(), part.time.lower) - t.begin());
  part.count = static_cast<int>(std::upper_bound(t.begin(), t.end(), part.time.upper) - t.begin()) -
               part.first;
  if (part.count < 2)
    throw UserError(
        fmt::format("the interface history has fewer than two steps in the time asked "
                    "for; it goes from {:g} to {:g}",
                    t[0], t[t.size() - 1]));
  return part;
}

/// The recorded values of the drawn steps.
template <class Value>
auto drawn(const SpaceTime<Value>& values, const Part& part) {
  return values.middleRows(part.first, part.count);
}

/// The magnitude that 99.5 % of the values that are not zero do not exceed; of every so manieth.
double usual_magnitude(const SpaceTime<float>& values, const Part& part) {
  const auto block = drawn(values, part);
  const Eigen::Index stride = std::max<Eigen::Index>(block.rows() * block.cols() / 1000000, 1);
  std::vector<float> magnitudes;
  for (Eigen::Index i = 0; i < block.size(); i += stride) {
    const float value = std::abs(block(i / block.cols(), i % block.cols()));
    if (value > 0.0F) magnitudes.push_back(value);
  }
  if (magnitudes.empty()) return 1.0;
  const auto at = magnitudes.begin() +
                  static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(magnitudes.size() - 1));
  std::nth_element(magnitudes.begin(), at, magnitudes.end());
  return *at;
}

ColourScale scale_of(const SpaceTime<float>& values, const Part& part, const Axis& axis,
                     bool is_signed) {
  const double most = usual_magnitude(values, part);
  ColourScale scale{
      axis, {is_signed ? -most : 0.0, most}, is_signed ? &diverging_map() : &sequential_map()};
  scale.beyond_lower = drawn(values, part).minCoeff() < scale.range.lower;
  scale.beyond_upper = drawn(values, part).maxCoeff() > scale.range.upper;
  return scale;
}

PixelGrid grid_of(const Part& part, const Frame& frame) {
  const double dots = print_dpi / 25.4 / px_per_mm;
  return pixel_grid(part.t, part.line, part.nodes, part.time, part.x,
                    static_cast<int>(frame.width * dots), static_cast<int>(frame.height * dots));
}

std::string draw_image(const Image& image, const Frame& f) {
  return embedded(png_of(image), f.left, f.top, f.width, f.height);
}

/// Where several statuses fall on a pixel the rarest of the diagram is shown: a short pulse in a
/// sticking line, a short touch in an open one.
std::string draw_status(const Part& part, const Frame& frame) {
  std::array<double, 256> count{};
  for (const std::uint8_t status : drawn(part.line.status, part).reshaped())
    count.at(status) += 1.0;
  return draw_image(space_time_image<std::uint8_t>(
                        grid_of(part, frame), part.line.status,
                        [&](std::uint8_t status) { return -count.at(status); },
                        [](std::uint8_t status) { return status_colour(status); }),
                    frame);
}

/// Where several values fall on a pixel that farthest from the mean of the diagram is shown.
std::string draw_values(const Part& part, const SpaceTime<float>& values, const ColourScale& scale,
                        const Frame& frame) {
  const double mean = drawn(values, part).template cast<double>().mean();
  return draw_image(
      space_time_image<float>(
          grid_of(part, frame), values, [&](float value) { return std::abs(value - mean); },
          [&](float value) { return scale(value); }),
      frame);
}

/// Lines of these speeds from a common point at the lower left, as far as the frame goes, in black
/// on white.
std::string draw_slopes(const Part& part, const Frame& f) {
  const double t0 = part.time.lower + 0.02 * part.time.length();
  const double x0 = part.x.lower + 0.08 * part.x.length(), way = 0.84 * part.x.length();
  std::string white, black;
  for (const ReferenceLine& reference : reference_lines(part.line.speeds)) {
    if (!(reference.speed > 0.0)) continue;
    const double duration = std::min(way / reference.speed, part.time.upper - t0);
    const std::string path =
        svg::line(f.px({t0, x0}), f.px({t0 + duration, x0 + reference.speed * duration}));
    white += stroked(path, "#ffffff", 3.0, "");
    black += stroked(path, "#000000", 1.2, reference.dashes);
  }
  return fmt::format("<g fill=\"none\">\n{}{}</g>\n", white, black);
}

Frame frame_of(const Part& part, const Units& units, double width, double bar) {
  Frame frame = make_frame({"$t$", unit_of(units, "time")}, {"$x$", unit_of(units, "length")},
                           part.time, part.x);
  frame.left = left_margin(frame);
  frame.width = width - frame.left - bar;
  frame.height = panel_height;
  frame.top = 24.0;
  return frame;
}

}  // namespace

Figure interface_figure(const InterfaceHistory& history, const LineHistory& line,
                        const Units& units, const PrintOptions& options) {
  Figure figure;
  const Part part = part_of(history, line, options, figure.notes);
  const ColourScale slip =
      scale_of(line.slip_velocity, part, {"slip velocity", velocity_unit(units)}, true);
  const ColourScale pressure =
      scale_of(line.pressure, part, {"pressure", unit_of(units, "stress")}, false);
  const double width = options.width * px_per_mm;
  Frame frame = frame_of(part, units, width, std::max(bar_width(slip), bar_width(pressure)) + 6.0);
  const std::array<std::string, 3> images{draw_status(part, frame),
                                          draw_values(part, line.slip_velocity, slip, frame),
                                          draw_values(part, line.pressure, pressure, frame)};
  const InterfaceKey key = draw_interface_key(line.speeds, frame.left, width);
  const std::array<std::string, 3> bars{"", draw_bar(slip, frame, "slip"),
                                        draw_bar(pressure, frame, "pressure")};
  std::string all = key.svg;
  for (std::size_t i = 0; i < 3; ++i) {
    frame.x_texts = i == 2;
    all +=
        svg::moved(0.0, key.height + static_cast<double>(i) * (panel_height + panel_gap),
                   panel_letter(i) + images.at(i) + draw_slopes(part, frame) + draw_marks(frame) +
                       draw_labels(frame, frame.right() + right_margin) + bars.at(i));
  }
  figure.svg = print_document(
      options.width, key.height + 2.0 * (panel_height + panel_gap) + frame.bottom() + bottom_margin,
      fmt::format("Contact line {} over time", line.name), all);
  return figure;
}

}  // namespace slipwave::app
