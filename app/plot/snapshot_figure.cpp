#include "app/messages/user_error.hpp"
#include "app/plot/colour_map.hpp"
#include "app/plot/number_text.hpp"
#include "app/plot/page.hpp"
#include "app/plot/render.hpp"
#include "app/plot/run_figures.hpp"
#include "app/plot/svg.hpp"
#include "app/plot/warp.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace slipwave::app {

namespace {

using Eigen::Vector2d;

/// Colours that triangles have at most: those of one colour are one path.
constexpr int shades = 128;

/// A field with one value per triangle, its name and its unit.
struct ColourField {
  Eigen::VectorXd values;
  Axis axis;
  bool is_signed = false;
};

/// The unit of a field, as far as the units say.
std::string field_unit(const Units& units, const std::string& field) {
  if (field.starts_with("displacement")) return unit_of(units, "length");
  if (field.starts_with("velocity")) return velocity_unit(units);
  if (field.starts_with("reaction")) return unit_of(units, "force");
  if (field.starts_with("stress") || field == "von_mises") return unit_of(units, "stress");
  return "";
}

/// "stress_xy" -> "stress xy", "von_mises" -> "von Mises stress", "velocity_x" -> "velocity in x".
std::string field_name(const std::string& field) {
  if (field == "von_mises") return "von Mises stress";
  std::string name = field;
  const std::size_t at = name.find('_');
  if (at == std::string::npos) return name;
  return name.replace(at, 1, name.size() - at == 2 ? " in " : " ");
}

/// The mean over the corners of each triangle of what a node has.
template <class OfNode>
Eigen::VectorXd mean_of_corners(const fem::Mesh& mesh, const OfNode& of_node) {
  Eigen::VectorXd values(mesh.triangle_count());
  for (int e = 0; e < mesh.triangle_count(); ++e)
    values[e] = (of_node(mesh.triangles(0, e)) + of_node(mesh.triangles(1, e)) +
                 of_node(mesh.triangles(2, e))) /
                3.0;
  return values;
}

ColourField field_of(const BodyFrame& frame, const std::string& name, const Units& units) {
  ColourField field{{}, {field_name(name), field_unit(units, name)}, name != "von_mises"};
  if (const auto found = frame.triangle_fields.find(name); found != frame.triangle_fields.end()) {
    field.values = found->second;
    return field;
  }
  if (const auto found = frame.fields.find(name); found != frame.fields.end()) {
    const Eigen::VectorXd& v = found->second;
    field.values = mean_of_corners(frame.mesh, [&](int i) { return v.segment<2>(2 * i).norm(); });
    field.is_signed = false;
    return field;
  }
  for (const auto& [vector, values] : frame.fields)
    for (const int k : {0, 1})
      if (name == vector + (k == 0 ? "_x" : "_y")) {
        const Eigen::VectorXd& v = values;
        field.values = mean_of_corners(frame.mesh, [&, k](int i) { return v[2 * i + k]; });
        return field;
      }
  throw UserError(fmt::format("no field \"{}\" in the frames; they have {}", name,
                              fmt::join(snapshot_fields(frame), ", ")));
}

ColourScale scale_of(const ColourField& field) {
  Range range;
  for (const double value : field.values) range.include(value);
  const double most = std::max(std::abs(range.lower), std::abs(range.upper));
  const bool diverges = field.is_signed && range.lower < 0.0 && range.upper > 0.0;
  if (diverges) range = {-most, most};
  if (!(range.length() > 0.0)) range = {range.lower, range.lower + std::max(most, 1.0)};
  return {field.axis, range, diverges ? &diverging_map() : &sequential_map()};
}

const Eigen::VectorXd& displacement_of(const BodyFrame& frame) {
  const auto found = frame.fields.find("displacement");
  if (found == frame.fields.end()) throw UserError("the frames have no displacement");
  return found->second;
}

/// As asked for, or as suits the frame.
Warp warp_for(const BodyFrame& frame, const std::optional<double>& factor) {
  WarpFinder finder;
  finder.add(frame.mesh.nodes, displacement_of(frame));
  Warp warp = finder.result();
  warp.factor = factor.value_or(warp.factor);
  return warp;
}

std::string triangle_path(const Frame& f, const Eigen::Matrix2Xd& nodes, const fem::Mesh& mesh,
                          int e) {
  const Vector2d a = f.px(nodes.col(mesh.triangles(0, e))),
                 b = f.px(nodes.col(mesh.triangles(1, e))),
                 c = f.px(nodes.col(mesh.triangles(2, e)));
  return fmt::format("M{:.2f},{:.2f}L{:.2f},{:.2f}L{:.2f},{:.2f}z", a[0], a[1], b[0], b[1], c[0],
                     c[1]);
}

/// Triangles, one path for each colour. Without mesh lines their edges are stroked in their own
/// colour, lest the paper shines through.
std::string draw_triangles(const Frame& frame, const Eigen::Matrix2Xd& nodes, const fem::Mesh& mesh,
                           const std::vector<std::uint32_t>& colours, bool mesh_lines) {
  std::map<std::uint32_t, std::string> paths;
  for (int e = 0; e < mesh.triangle_count(); ++e)
    paths[colours[static_cast<std::size_t>(e)]] += triangle_path(frame, nodes, mesh, e);
  std::string svg =
      fmt::format("<g stroke-linejoin=\"round\" stroke-width=\"{}\">\n", mesh_lines ? 0.25 : 0.4);
  for (const auto& [colour, path] : paths)
    svg += fmt::format("<path fill=\"{0}\" stroke=\"{1}\" d=\"{2}\"/>\n", hex(colour),
                       mesh_lines ? "#000000" : hex(colour), path);
  return svg + "</g>\n";
}

/// The inside of a frame as an image at the resolution of print.
std::string as_image(const Frame& f, const std::string& drawing) {
  const std::string inside = svg::moved(-f.left, -f.top, drawing);
  const std::string png =
      svg_to_png(print_document(f.width / px_per_mm, f.height, "", inside), print_dpi);
  return embedded(png, f.left, f.top, f.width, f.height);
}

std::string draw_body(const Frame& frame, const Eigen::Matrix2Xd& nodes, const fem::Mesh& mesh,
                      const std::vector<std::uint32_t>& colours) {
  const bool vectors = mesh.triangle_count() <= most_vector_triangles;
  const std::string drawing = draw_triangles(frame, nodes, mesh, colours, vectors);
  return vectors ? drawing : as_image(frame, drawing);
}

std::vector<std::uint32_t> colours_of(const ColourField& field, const ColourScale& scale) {
  std::vector<std::uint32_t> colours;
  for (const double value : field.values) {
    const double s = (value - scale.range.lower) / scale.range.length();
    colours.push_back(colour_at(*scale.map, std::round(s * shades) / shades));
  }
  return colours;
}

struct Box {
  Range x, y;
};

Box box_of(const Eigen::Matrix2Xd& nodes) {
  return {{nodes.row(0).minCoeff(), nodes.row(0).maxCoeff()},
          {nodes.row(1).minCoeff(), nodes.row(1).maxCoeff()}};
}

/// A range of some length about the middle of another.
Range widened(const Range& range, double length) {
  const double middle = 0.5 * (range.lower + range.upper);
  return {middle - 0.5 * length, middle + 0.5 * length};
}

/// Axes for a body, as long as the larger of two bodies needs, so that both have one scale; y at
/// least so many times as long as x.
Frame frame_over(const Box& body, const Box& other, const Units& units, double least) {
  const double x = std::max(body.x.length(), other.x.length());
  const double y = std::max(body.y.length(), other.y.length());
  const double air = 0.08 * std::max(x, y);
  const std::string unit = unit_of(units, "length");
  return make_frame({"$x$", unit}, {"$y$", unit}, widened(body.x, x + air),
                    widened(body.y, std::max(y + air, least * (x + air))));
}

/// Where the panels stand.
struct SnapshotLayout {
  Frame undeformed, deformed;
  double cell_width = 0.0, cell_height = 0.0;
  bool side_by_side = false;
};

/// A flat body has air above and below it, so that the colour bar beside it has room for its label.
SnapshotLayout lay_out(const Box& undeformed, const Box& deformed, const ColourScale& scale,
                       const Units& units, double width_mm) {
  SnapshotLayout layout{frame_over(undeformed, deformed, units, 0.0),
                        frame_over(deformed, undeformed, units, 0.0)};
  layout.side_by_side = width_mm >= two_columns_from;
  const double total = width_mm * px_per_mm - bar_width(scale) - 6.0;
  const auto left_of = [](const SnapshotLayout& l) {
    return std::max(left_margin(l.undeformed), left_margin(l.deformed));
  };
  const auto width_of = [&](double left) {
    return layout.side_by_side ? 0.5 * (total - right_margin) - left : total - left;
  };
  const double least = bar_height(scale) / width_of(left_of(layout));
  layout.undeformed = frame_over(undeformed, deformed, units, least);
  layout.deformed = frame_over(deformed, undeformed, units, least);
  for (Frame* frame : {&layout.undeformed, &layout.deformed}) {
    frame->left = left_of(layout);
    frame->top = 26.0;
    frame->width = width_of(frame->left);
    frame->height = frame->width * frame->y.length() / frame->x.length();
  }
  layout.cell_width = layout.undeformed.right() + right_margin;
  layout.cell_height = layout.undeformed.bottom() + bottom_margin;
  return layout;
}

std::string draw_panel(std::size_t i, const Frame& frame, const std::string& title,
                       const std::string& body) {
  return panel_letter(i) + svg::text_at(frame.left, 15.0, "start", svg::markup(title)) + body +
         draw_marks(frame) + draw_labels(frame, frame.right() + right_margin);
}

}  // namespace

std::vector<std::string> snapshot_fields(const BodyFrame& frame) {
  std::vector<std::string> names;
  for (const auto& [name, values] : frame.fields)
    for (const char* part : {"", "_x", "_y"}) names.push_back(name + part);
  for (const auto& [name, values] : frame.triangle_fields) names.push_back(name);
  return names;
}

Figure snapshot_figure(const BodyFrame& frame, const SnapshotOptions& snapshot, const Units& units,
                       const PrintOptions& options) {
  const ColourField field = field_of(frame, snapshot.field, units);
  const ColourScale scale = scale_of(field);
  const Warp warp = warp_for(frame, snapshot.warp);
  const Eigen::Matrix2Xd deformed = warped(frame.mesh.nodes, displacement_of(frame), warp);
  const SnapshotLayout layout =
      lay_out(box_of(frame.mesh.nodes), box_of(deformed), scale, units, options.width);
  const std::vector<std::uint32_t> plain(static_cast<std::size_t>(frame.mesh.triangle_count()),
                                         0xf2f2f2);
  const std::string first =
      draw_panel(0, layout.undeformed, "undeformed",
                 draw_body(layout.undeformed, frame.mesh.nodes, frame.mesh, plain));
  const std::string second =
      draw_panel(1, layout.deformed,
                 fmt::format("$t$ = {:.6g}{}, warp {}×", snapshot.t,
                             after_number(unit_of(units, "time")), warp.factor),
                 draw_body(layout.deformed, deformed, frame.mesh, colours_of(field, scale)));
  const double rows = layout.side_by_side ? 1.0 : 2.0;
  const std::string all = first + svg::moved(layout.side_by_side ? layout.cell_width : 0.0,
                                             layout.side_by_side ? 0.0 : layout.cell_height,
                                             second + draw_bar(scale, layout.deformed, "bar"));
  Figure figure{
      print_document(options.width, rows * layout.cell_height, "Undeformed and deformed mesh", all),
      {}};
  if (frame.mesh.triangle_count() > most_vector_triangles)
    figure.notes.push_back(fmt::format("{} triangles: drawn as an image without mesh lines",
                                       frame.mesh.triangle_count()));
  return figure;
}

}  // namespace slipwave::app
