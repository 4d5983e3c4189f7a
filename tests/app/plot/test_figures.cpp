#include "app/messages/user_error.hpp"
#include "app/plot/colour_map.hpp"
#include "app/plot/comparison_figures.hpp"
#include "app/plot/interface_key.hpp"
#include "app/plot/page.hpp"
#include "app/plot/palette.hpp"
#include "app/plot/render.hpp"
#include "app/plot/run_figures.hpp"
#include "app/plot/space_time.hpp"
#include "app/plot/svg.hpp"
#include "app/plot/warp.hpp"

#include <cairo.h>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <glib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <regex>
#include <string>
#include <vector>

using namespace slipwave;
using namespace slipwave::app;

namespace {

const Units units{{"length", "mm"}, {"time", "ms"}, {"energy", "N mm"}, {"stress", "MPa"}};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The part of a figure that is the panel of a letter.
std::string panel(const std::string& svg, char letter) {
  const std::size_t start = svg.find(fmt::format(">({})</text>", letter));
  REQUIRE(start != std::string::npos);
  return svg.substr(start, svg.find(fmt::format(">({})</text>", char(letter + 1))) - start);
}

std::vector<double> numbers_in(const std::string& text) {
  static const std::regex number(R"(-?\d+(\.\d+)?)");
  std::vector<double> numbers;
  for (std::sregex_iterator i(text.begin(), text.end(), number), none; i != none; ++i)
    numbers.push_back(std::stod(i->str()));
  return numbers;
}

/// Left, top, width, height of a panel's frame.
std::vector<double> frame_in(const std::string& panel) {
  std::smatch match;
  REQUIRE(std::regex_search(
      panel, match, std::regex(R"re(<path d="(M[\d.]+,[\d.]+h[\d.]+v[\d.]+)h-[\d.]+z")re")));
  return numbers_in(match[1]);
}

/// The points, x and y in turn, of the first path with a stroke that looks so.
std::vector<double> path_in(const std::string& panel, const std::string& stroke) {
  const std::size_t at = panel.find(fmt::format("<g fill=\"none\" {}", stroke));
  REQUIRE(at != std::string::npos);
  const std::size_t start = panel.find("d=\"", at) + 3;
  return numbers_in(panel.substr(start, panel.find('"', start) - start));
}

/// A ledger of so many rows, all zero but for the time from 0 to 2.
Columns ledger(std::size_t rows) {
  Columns columns;
  for (const char* name :
       {"kinetic", "strain", "external_work", "damping_work", "prescribed_work", "numerical_work",
        "contact_normal_work", "contact_tangential_work", "projection_work", "gyroscopic_work",
        "algorithmic_energy", "max_tangential_work", "min_tangential_work", "open", "sticking",
        "sliding"})
    columns[name].assign(rows, 0.0);
  for (std::size_t i = 0; i < rows; ++i)
    columns["t"].push_back(2.0 * static_cast<double>(i) / static_cast<double>(rows - 1));
  columns["sliding"].assign(rows, 3.0);
  return columns;
}

/// Two triangles of a unit square, its upper right corner pulled.
BodyFrame square() {
  BodyFrame frame;
  frame.mesh.nodes.resize(2, 4);
  frame.mesh.nodes << 0, 1, 1, 0, 0, 0, 1, 1;
  frame.mesh.triangles.resize(3, 2);
  frame.mesh.triangles << 0, 0, 1, 2, 2, 3;
  frame.fields["displacement"] = Eigen::VectorXd::Zero(8);
  frame.fields["displacement"].segment<2>(4) << 3e-3, 4e-3;
  frame.triangle_fields["von_mises"] = Eigen::VectorXd::LinSpaced(2, 1.0, 2.0);
  frame.triangle_fields["stress_xy"] = Eigen::VectorXd::LinSpaced(2, -1.0, 3.0);
  return frame;
}

/// A line of nodes at x = 0, 1, 2, ... that sticks under pressure 1 for ever, at t = 1, 2, 3, ...
InterfaceHistory sticking(int steps, int nodes) {
  InterfaceHistory history;
  history.t = Eigen::VectorXd::LinSpaced(steps, 1.0, steps);
  LineHistory line;
  line.name = "bottom";
  line.x = Eigen::VectorXd::LinSpaced(nodes, 0.0, nodes - 1.0);
  line.piece = Eigen::VectorXi::Zero(nodes);
  line.speeds = {0.2, 0.1, 0.05};
  line.status.setConstant(steps, nodes, 1);
  line.pressure.setConstant(steps, nodes, 1.0F);
  line.slip_velocity.setZero(steps, nodes);
  history.lines.push_back(line);
  return history;
}

std::vector<int> all_nodes(const LineHistory& line) {
  std::vector<int> nodes;
  for (int i = 0; i < static_cast<int>(line.x.size()); ++i) nodes.push_back(i);
  return nodes;
}

/// A PNG's pixels, as cairo reads them.
Image read_png(const std::string& png) {
  struct Source {
    const std::string& bytes;
    std::size_t at = 0;
  } source{png};
  const auto read = [](void* from, unsigned char* data, unsigned int length) {
    auto& s = *static_cast<Source*>(from);
    if (s.at + length > s.bytes.size()) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(data, s.bytes.data() + s.at, length);
    s.at += length;
    return CAIRO_STATUS_SUCCESS;
  };
  cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(read, &source);
  REQUIRE(cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS);
  Image image{cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), {}};
  for (int row = 0; row < image.height; ++row) {
    const auto* pixels = reinterpret_cast<const std::uint32_t*>(
        cairo_image_surface_get_data(surface) +
        std::ptrdiff_t{row} * cairo_image_surface_get_stride(surface));
    image.pixels.insert(image.pixels.end(), pixels, pixels + image.width);
  }
  cairo_surface_destroy(surface);
  return image;
}

/// The first image that a figure has in it.
Image first_image(const std::string& svg) {
  const std::string start = "data:image/png;base64,";
  const std::size_t at = svg.find(start) + start.size();
  gsize length = 0;
  guchar* bytes = g_base64_decode(svg.substr(at, svg.find('"', at) - at).c_str(), &length);
  const std::string png(reinterpret_cast<const char*>(bytes), length);
  g_free(bytes);
  return read_png(png);
}

}  // namespace

TEST_CASE("app/plot/figures: formulas in texts are slanted, lowered and raised") {
  CHECK(svg::markup("a < b") == "a &lt; b");
  CHECK(svg::markup("costs 3$") == "costs 3$");
  const std::string w = svg::markup("max $w_T^+$ & more");
  CHECK(w.starts_with("max <tspan font-style=\"italic\">w</tspan><tspan dy=\"3\""));
  CHECK(contains(w, ">T</tspan><tspan dy=\"-8\" font-size=\"10\">+</tspan><tspan dy=\"5\">"));
  CHECK(w.ends_with(" &amp; more"));
  CHECK(svg::text_width("$w_T$") == svg::text_width("wT"));
}

TEST_CASE("app/plot/figures: the curves of the energy figure are the ledger") {
  Columns columns = ledger(21);
  for (std::size_t i = 0; i < 21; ++i) {
    columns["kinetic"][i] = 1.0 + std::sin(0.7 * static_cast<double>(i));
    columns["strain"][i] = 0.5;
    columns["external_work"][i] = 4.0 * static_cast<double>(i);
    columns["min_tangential_work"][i] = -0.1 * static_cast<double>(i);
  }
  const Figure figure = energy_figure(columns, units, {});
  CHECK(figure.notes.empty());
  CHECK(contains(figure.svg, "width=\"170mm\""));
  const std::string d = panel(figure.svg, 'd');
  const std::vector<double> f = frame_in(d), path = path_in(d, "stroke=\"#0072B2\"");
  REQUIRE(path.size() == 2 * 21);
  // 5 % of air above and below -2 ... 0; coordinates have two decimals.
  for (std::size_t i = 0; i < 21; ++i) {
    const double work = columns["min_tangential_work"][i];
    CHECK(std::abs(path[2 * i] - f[0] - f[2] * columns["t"][i] / 2.0) < 0.011);
    CHECK(std::abs(path[2 * i + 1] - f[1] - f[3] * (0.1 - work) / 2.2) < 0.011);
  }
  // Total energy: kinetic and strain; its partner starts with it and rises with the work.
  const std::string b = panel(figure.svg, 'b');
  const std::vector<double> energy = path_in(b, "stroke=\"#000000\""),
                            works = path_in(b, "stroke=\"#56B4E9\"");
  REQUIRE(energy.size() == works.size());
  CHECK(energy[1] == works[1]);
  const double per_unit = (works[1] - works.back()) / 80.0;
  for (std::size_t i = 0; i < 21; ++i)
    CHECK((energy[1] - energy[2 * i + 1]) / per_unit ==
          doctest::Approx(columns["kinetic"][i] - 1.0).epsilon(0.01).scale(1.0));
}

TEST_CASE("app/plot/comparison_figures: dissipation is what contacts took, a curve for each run") {
  NamedLedger one{"one", ledger(11)}, two{"two", ledger(11)};
  for (std::size_t i = 0; i < 11; ++i) {
    one.ledger["contact_normal_work"][i] = -1.0 * static_cast<double>(i);
    one.ledger["contact_tangential_work"][i] = -3.0 * static_cast<double>(i);
    two.ledger["contact_tangential_work"][i] = -2.0 * static_cast<double>(i);
  }
  const Figure figure = dissipation_figure({one, two}, units, {});
  CHECK(contains(figure.svg, ">one<"));
  const std::vector<double> first = path_in(figure.svg, "stroke=\"#0072B2\""),
                            second = path_in(figure.svg, "stroke=\"#D55E00\"");
  REQUIRE(first.size() == 22);
  REQUIRE(second.size() == 22);
  CHECK(first[1] == second[1]);
  for (std::size_t i = 0; i < 11; ++i)
    CHECK(std::abs((first[1] - first[2 * i + 1]) - 2.0 * (second[1] - second[2 * i + 1])) < 0.04);
  CHECK_THROWS_AS(contact_work_figure({{"empty", {}}}, units, {}), UserError);
}

TEST_CASE("app/plot/figures: what is zero is drawn only if it belongs to the paper's figure") {
  Columns columns = ledger(5);
  CHECK_FALSE(contains(energy_figure(columns, units, {}).svg, "damping work"));
  columns["damping_work"][3] = -1.0;
  CHECK(contains(energy_figure(columns, units, {}).svg, "damping work"));
  columns["sliding"].assign(5, 0.0);  // and without contacts there are no panels of theirs
  CHECK_FALSE(contains(energy_figure(columns, units, {}).svg, ">(c)</text>"));
  CHECK_THROWS_WITH_AS((void)work_figure(columns, units, {}),
                       "the run has no contacts: there is no tangential work", UserError);
}

TEST_CASE("app/plot/figures: round-off is not given an axis of its own") {
  Columns columns = ledger(9);
  columns["min_tangential_work"][4] = -0.5;
  columns["max_tangential_work"][5] = 3e-15;
  const std::string quiet = work_figure(columns, units, {}).svg;
  CHECK(contains(quiet, "at most 3.0×10⁻¹⁵ N mm"));
  columns["max_tangential_work"][5] = 0.0;
  CHECK(contains(work_figure(columns, units, {}).svg, "never positive"));
  columns["max_tangential_work"][5] = 0.3;
  const std::string loud = work_figure(columns, units, {}).svg;
  CHECK_FALSE(contains(loud, "at most"));
  CHECK_FALSE(contains(loud, "never"));
}

TEST_CASE("app/plot/figures: no peak of a long ledger is lost, and few points are drawn") {
  Columns columns = ledger(100001);
  columns["min_tangential_work"][77777] = -1.0;
  columns["max_tangential_work"][12345] = 1.0;
  const std::string svg = work_figure(columns, units, {}).svg;
  for (const char letter : {'a', 'b'}) {
    const std::string part = panel(svg, letter);
    const std::vector<double> f = frame_in(part),
                              path = path_in(part, letter == 'a' ? "stroke=\"#D55E00\""
                                                                 : "stroke=\"#0072B2\"");
    CHECK(path.size() < 2 * 4 * 1600);
    double least = 1e9, most = -1e9, least_at = 0.0, most_at = 0.0;
    for (std::size_t i = 0; i < path.size(); i += 2) {
      if (path[i + 1] < least) least_at = path[i];
      if (path[i + 1] > most) most_at = path[i];
      least = std::min(least, path[i + 1]);
      most = std::max(most, path[i + 1]);
    }
    const double row = letter == 'a' ? 12345.0 : 77777.0;
    CHECK((letter == 'a' ? least_at : most_at) ==
          doctest::Approx(f[0] + f[2] * row / 100000.0).epsilon(1e-4));
    CHECK(most - least == doctest::Approx(f[3] / 1.1).epsilon(1e-3));
  }
}

TEST_CASE("app/plot/figures: a part of the run is drawn, and one without rows is refused") {
  const Columns columns = ledger(21);
  const std::string svg = energy_figure(columns, units, {170.0, Range{0.5, 1.0}}).svg;
  CHECK(path_in(panel(svg, 'd'), "stroke=\"#0072B2\"").size() == 2 * 6);
  CHECK_THROWS_WITH_AS(
      (void)energy_figure(columns, units, {170.0, Range{3.0, 4.0}}),
      "energy.csv has fewer than two rows in the time asked for; it goes from 0 to 2", UserError);
}

TEST_CASE("app/plot/figures: narrow figures have one column") {
  const auto frames_left = [](double width) {
    const std::string svg = energy_figure(ledger(5), units, {width}).svg;
    std::vector<double> x;
    static const std::regex cell(R"re(translate\(([\d.]+),[\d.]+\)">\n<text x="4.00")re");
    for (std::sregex_iterator i(svg.begin(), svg.end(), cell), none; i != none; ++i)
      x.push_back(std::stod((*i)[1]));
    return x;
  };
  CHECK(frames_left(85.0) == std::vector<double>{0.0, 0.0, 0.0, 0.0});
  const std::vector<double> wide = frames_left(170.0);
  REQUIRE(wide.size() == 4);
  CHECK(wide[1] == doctest::Approx(85.0 * px_per_mm).epsilon(1e-4));
}

TEST_CASE("app/plot/figures: colours go from end to end, and the sequential ones brighten") {
  CHECK(colour_at(sequential_map(), -1.0) == sequential_map().front());
  CHECK(colour_at(sequential_map(), 2.0) == sequential_map().back());
  CHECK(colour_at(diverging_map(), 0.5) == 0xf7f7f7);
  CHECK(colour_at({0x000000, 0xff8000}, 0.5) == 0x804000);
  double before = -1.0;
  for (int i = 0; i <= 100; ++i) {
    const std::uint32_t c = colour_at(sequential_map(), i / 100.0);
    const double brightness =
        0.2126 * (c >> 16 & 255U) + 0.7152 * (c >> 8 & 255U) + 0.0722 * (c & 255U);
    CHECK(brightness > before);
    before = brightness;
  }
}

TEST_CASE("app/plot/figures: an image survives its PNG") {
  const Image image{3, 2, {0xFF102030, 0xFFFFFFFF, 0, 0xFF000000, 0xFF00FF00, 0xFFFF0001}};
  const Image read = read_png(png_of(image));
  CHECK(read.width == 3);
  CHECK(read.height == 2);
  CHECK(read.pixels == image.pixels);
}

TEST_CASE("app/plot/figures: PNG has 300 dots per inch and says so; its letters are there") {
  const std::string svg =
      print_document(50.8, 25.4 * px_per_mm, "", svg::text_at(20.0, 60.0, "start", "Word"));
  const std::string png = svg_to_png(svg);
  CHECK(png.substr(37, 4) == "pHYs");
  CHECK(png.substr(41, 9) == std::string("\0\0\x2e\x23\0\0\x2e\x23\1", 9));  // 11811 per metre
  const Image image = read_png(png);
  CHECK(std::abs(image.width - 600) <= 1);
  CHECK(std::abs(image.height - 300) <= 1);
  CHECK((image.pixels.front() & 0xFFFFFFU) == 0xFFFFFFU);
  CHECK((image.pixels.back() & 0xFFFFFFU) == 0xFFFFFFU);
  const auto dark = std::count_if(image.pixels.begin(), image.pixels.end(),
                                  [](std::uint32_t p) { return (p & 255U) < 64U; });
  CHECK(dark > 200);
  CHECK_THROWS_AS((void)svg_to_png("<svg"), std::runtime_error);
}

TEST_CASE("app/plot/figures: PDF has the figure's size in points and text as text") {
  const std::string pdf = svg_to_pdf(
      print_document(50.8, 25.4 * px_per_mm, "", svg::text_at(20.0, 60.0, "start", "Word")));
  CHECK(pdf.starts_with("%PDF-"));
  std::smatch box;
  REQUIRE(std::regex_search(pdf, box, std::regex(R"(/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \])")));
  CHECK(std::stod(box[1]) == doctest::Approx(144.0).epsilon(1e-4));
  CHECK(std::stod(box[2]) == doctest::Approx(72.0).epsilon(1e-4));
  CHECK(contains(pdf, "/Type /Font"));
  CHECK_FALSE(contains(pdf, "/Subtype /Image"));
}

TEST_CASE("app/plot/figures: the snapshot's triangles are the nodes, warped") {
  const Figure figure = snapshot_figure(square(), {0.3, 100.0, "displacement"}, units, {});
  CHECK(figure.notes.empty());
  CHECK(contains(figure.svg, "= 0.3 ms, warp 100×"));
  CHECK(contains(figure.svg, ">displacement (mm)</text>"));
  // Both panels: lengths 1.3 and 1.4 of the larger body, and air.
  const std::string b = panel(figure.svg, 'b');
  const std::vector<double> f = frame_in(b);
  const double px = f[2] / (1.3 + 0.08 * 1.4);
  CHECK(f[3] == doctest::Approx(px * 1.08 * 1.4).epsilon(1e-4));
  CHECK(frame_in(panel(figure.svg, 'a'))[2] == f[2]);
  static const std::regex triangle(R"re(stroke="#000000" d="(M[^z]*)z)re");
  std::smatch match;
  REQUIRE(std::regex_search(b, match, triangle));
  const std::vector<double> corners = numbers_in(match[1]);
  REQUIRE(corners.size() == 6);
  // Corners 1 or 3 apart, corner 2 pulled by 100 times (3e-3, 4e-3), all relative to corner 0.
  const double pulled_x = corners[4] - corners[0], pulled_y = corners[1] - corners[5];
  const bool lower = std::abs(corners[1] - corners[3]) < 0.02;
  CHECK((lower ? pulled_x : corners[2] - corners[0]) == doctest::Approx(1.3 * px).epsilon(1e-3));
  CHECK((lower ? pulled_y : corners[1] - corners[3]) == doctest::Approx(1.4 * px).epsilon(1e-3));
}

TEST_CASE("app/plot/figures: rigid motion is drawn as it is, and never magnified") {
  BodyFrame frame = square();
  Eigen::VectorXd& q = frame.fields["displacement"];
  const RigidMotion motion{{0.5, 0.5}, {7.0, -3.0}, 0.02};
  for (int i = 0; i < 4; ++i) q.segment<2>(2 * i) = motion.at(frame.mesh.nodes.col(i));
  const RigidMotion fit = best_fit(frame.mesh.nodes, q);
  CHECK((fit.translation - motion.translation).norm() < 1e-14);
  CHECK(fit.rotation == doctest::Approx(motion.rotation).epsilon(1e-12));
  const Eigen::Map<const Eigen::Matrix2Xd> u(q.data(), 2, 4);
  const auto warp_of = [&] {
    WarpFinder finder;
    finder.add(frame.mesh.nodes, q);
    return finder.result();
  };
  CHECK(warp_of().factor == 1.0);
  CHECK(warp_of().spares_rotation);
  Warp warp = warp_of();
  warp.factor = 100.0;
  CHECK((warped(frame.mesh.nodes, q, warp) - frame.mesh.nodes - u).cwiseAbs().maxCoeff() < 1e-12);

  // A little shear of the moved body is seen, its motion is not.
  q[4] += 1e-4;
  q[6] += 1e-4;
  CHECK(warp_of().spares_rotation);
  const double factor = warp_of().factor;
  CHECK(factor == 2000.0);
  const Eigen::Matrix2Xd places = warped(frame.mesh.nodes, q, warp_of());
  CHECK((places.rowwise().mean() - frame.mesh.nodes.rowwise().mean() - u.rowwise().mean()).norm() <
        1e-12);
  CHECK((places - frame.mesh.nodes - u).cwiseAbs().maxCoeff() < 1e-4 * factor);

  // A body that only shears over its ground keeps its lower edge where it is but for the mean.
  q.setZero();
  q[4] = q[6] = 1e-3;
  CHECK_FALSE(warp_of().spares_rotation);
  CHECK(warp_of().factor == 200.0);
  const Eigen::Matrix2Xd sheared = warped(frame.mesh.nodes, q, warp_of());
  CHECK(sheared(1, 0) == 0.0);
  CHECK(sheared(1, 1) == 0.0);
  CHECK(sheared(0, 2) - sheared(0, 1) == doctest::Approx(0.2));
}

TEST_CASE("app/plot/figures: the colour bar of a flat body has letters of full size") {
  BodyFrame frame = square();
  frame.mesh.nodes.row(0) *= 60.0;
  for (const double width : {170.0, 80.0}) {
    const std::string svg =
        snapshot_figure(frame, {0.3, 1.0, "displacement"}, units, {width, {}}).svg;
    std::smatch label;
    REQUIRE(std::regex_search(
        svg, label, std::regex(R"re(font-size="([\d.]+)" transform="rotate[^>]*>displ)re")));
    CHECK(std::stod(label[1]) == svg::font);
    // One scale in x and in y.
    const std::vector<double> f = frame_in(panel(svg, 'a'));
    CHECK(f[3] > 100.0);
  }
}

TEST_CASE(
    "app/plot/palette: statuses are told apart by lightness alone, in grey and by every eye") {
  const auto lightness = [](std::uint32_t colour) {  // CIE L*
    double Y = 0.0;
    const std::array<double, 3> weight{0.2126, 0.7152, 0.0722};
    for (unsigned k = 0; k < 3; ++k) {
      const double c = (colour >> (16U - 8U * k) & 0xFFU) / 255.0;
      Y += weight.at(k) * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
    return Y > 0.008856 ? 116.0 * std::cbrt(Y) - 16.0 : 903.3 * Y;
  };
  for (const palette::StatusLook& a : palette::statuses)
    for (const palette::StatusLook& b : palette::statuses)
      if (a.name != b.name) CHECK(std::abs(lightness(a.colour) - lightness(b.colour)) > 10.0);
}

TEST_CASE("app/plot/figures: a snapshot shows any field and names them all") {
  const BodyFrame frame = square();
  CHECK(contains(snapshot_figure(frame, {0.0, 1.0, "von_mises"}, units, {}).svg,
                 ">von Mises stress (MPa)</text>"));
  const std::string shear = snapshot_figure(frame, {0.0, 1.0, "stress_xy"}, units, {}).svg;
  CHECK(contains(shear, hex(diverging_map().back())));  // 3 of -3 ... 3
  CHECK(contains(shear, ">stress xy (MPa)</text>"));
  CHECK(contains(snapshot_figure(frame, {0.0, 1.0, "displacement_y"}, {}, {}).svg,
                 ">displacement in y</text>"));
  CHECK_THROWS_WITH_AS((void)snapshot_figure(frame, {0.0, 1.0, "heat"}, units, {}),
                       "no field \"heat\" in the frames; they have displacement, displacement_x, "
                       "displacement_y, stress_xy, von_mises",
                       UserError);
}

TEST_CASE("app/plot/figures: large meshes are an image without mesh lines") {
  BodyFrame frame = square();
  const int count = most_vector_triangles + 1;
  frame.mesh.triangles = frame.mesh.triangles.col(0).replicate(1, count).eval();
  frame.triangle_fields["von_mises"] = Eigen::VectorXd::Constant(count, 2.0);
  const Figure figure = snapshot_figure(frame, {0.0, 1.0, "von_mises"}, units, {});
  CHECK(contains(figure.svg, "data:image/png;base64,"));
  CHECK(figure.svg.size() < 100000);
  REQUIRE(figure.notes.size() == 1);
  CHECK(figure.notes[0] == "20001 triangles: drawn as an image without mesh lines");
}

TEST_CASE("app/plot/figures: a pulse of one node and one step survives on a coarse diagram") {
  InterfaceHistory history = sticking(5000, 100);
  LineHistory& line = history.lines[0];
  line.status(3210, 42) = 0;
  line.slip_velocity(3210, 42) = -7.0F;
  const PixelGrid grid =
      pixel_grid(history.t, line, all_nodes(line), {0.0, 5000.0}, {0.0, 99.0}, 200, 30);
  const Image image = space_time_image<std::uint8_t>(
      grid, line.status, [](std::uint8_t s) { return s == 0 ? 1.0 : 0.0; },
      [](std::uint8_t s) { return s == 0 ? 0x0000FFU : 0x00FF00U; });
  REQUIRE(image.pixels.size() == 200 * 30);
  std::vector<std::size_t> where;
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    if (image.pixels[i] == 0xFF0000FF) where.push_back(i);
  REQUIRE(where.size() == 1);
  CHECK(where[0] % 200 == 3211 / 25);            // its time is 3211
  CHECK(where[0] / 200 == 30 * (99 - 42) / 99);  // from the top
}

TEST_CASE("app/plot/figures: the diagram of the status shows what is rare, be it open or closed") {
  const std::uint32_t open = 0xFF000000 | status_colour(0), sticks = 0xFF000000 | status_colour(1);
  for (const bool opening : {true, false}) {
    InterfaceHistory history = sticking(20000, 20);
    history.lines[0].status.setConstant(opening ? 1 : 0);
    history.lines[0].status(12345, 7) = opening ? 0 : 1;
    const Image image =
        first_image(interface_figure(history, history.lines[0], units, {100.0}).svg);
    CHECK(image.width < 2000);  // so that ten steps and more are on a pixel
    const auto count = [&](std::uint32_t colour) {
      return std::count(image.pixels.begin(), image.pixels.end(), colour);
    };
    const auto rare = count(opening ? open : sticks), usual = count(opening ? sticks : open);
    CHECK(rare > 0);
    CHECK(rare < 2 * image.height / 19);  // one column, the share of one node
    CHECK(rare + usual == static_cast<long>(image.pixels.size()));
  }
}

TEST_CASE("app/plot/figures: every step and every node is on a pixel, each in its place") {
  const InterfaceHistory history = sticking(40, 5);
  const LineHistory& line = history.lines[0];
  for (const int width : {7, 40, 400}) {
    const PixelGrid grid =
        pixel_grid(history.t, line, all_nodes(line), {0.0, 40.0}, {0.0, 4.0}, width, 80);
    std::vector<int> seen(40, 0);
    for (const auto& steps : grid.steps) {
      REQUIRE_FALSE(steps.empty());
      for (const int step : steps) ++seen[static_cast<std::size_t>(step)];
    }
    CHECK(*std::min_element(seen.begin(), seen.end()) > 0);
  }
  // Half a share at the ends: 10, 20, 20, 20, 10 rows.
  const PixelGrid grid =
      pixel_grid(history.t, line, all_nodes(line), {0.0, 40.0}, {0.0, 4.0}, 4, 80);
  std::vector<int> rows(5, 0);
  for (const auto& nodes : grid.nodes)
    for (const int node : nodes) ++rows[static_cast<std::size_t>(node)];
  CHECK(rows == std::vector<int>{10, 20, 20, 20, 10});
  CHECK(grid.nodes.front() == std::vector<int>{4});
}

TEST_CASE("app/plot/figures: between the pieces of a line the diagram is empty") {
  InterfaceHistory history = sticking(4, 4);
  LineHistory& line = history.lines[0];
  line.x << 0.0, 1.0, 9.0, 10.0;
  line.piece << 0, 0, 1, 1;
  const PixelGrid grid =
      pixel_grid(history.t, line, all_nodes(line), {0.0, 4.0}, {0.0, 10.0}, 4, 100);
  CHECK(grid.nodes[50].empty());
  CHECK_FALSE(grid.nodes[5].empty());
  CHECK_FALSE(grid.nodes[95].empty());
}

TEST_CASE("app/plot/figures: the reference slopes of the diagram are the speeds") {
  const InterfaceHistory history = sticking(100, 11);
  const Figure figure = interface_figure(history, history.lines[0], units, {});
  CHECK(figure.notes.empty());
  for (const char* text : {">open</text>", ">sticking</text>", ">slip velocity (mm/ms)</text>",
                           ">pressure (MPa)</text>", "data:image/png;base64,"})
    CHECK_MESSAGE(contains(figure.svg, text), text);
  const std::string c = panel(figure.svg, 'c');
  const std::vector<double> f = frame_in(c);
  static const std::regex line(
      R"re(stroke="#000000" stroke-width="1.2"[^>]*>\n<path d="([^"]*)")re");
  std::vector<double> speeds;
  for (std::sregex_iterator i(c.begin(), c.end(), line), none; i != none; ++i) {
    const std::vector<double> p = numbers_in((*i)[1]);
    speeds.push_back((p[1] - p[3]) / f[3] * 10.0 / ((p[2] - p[0]) / f[2] * 100.0));
  }
  REQUIRE(speeds.size() == 3);
  CHECK(speeds[0] == doctest::Approx(0.2).epsilon(1e-3));
  CHECK(speeds[1] == doctest::Approx(0.1).epsilon(1e-3));
  CHECK(speeds[2] == doctest::Approx(0.05).epsilon(1e-3));
}

TEST_CASE(
    "app/plot/figures: a diagram needs steps; pieces that overlap are not drawn over one another") {
  const InterfaceHistory one = sticking(1, 5);
  CHECK_THROWS_AS((void)interface_figure(one, one.lines[0], units, {}), UserError);
  InterfaceHistory history = sticking(10, 5);
  CHECK_THROWS_AS(
      (void)interface_figure(history, history.lines[0], units, {170.0, Range{50.0, 60.0}}),
      UserError);
  history.lines[0].x << 0.0, 1.0, 2.0, 0.5, 1.5;
  history.lines[0].piece << 0, 0, 0, 1, 1;
  const Figure figure = interface_figure(history, history.lines[0], units, {});
  REQUIRE(figure.notes.size() == 1);
  CHECK(figure.notes[0] == "bottom: the longest of 2 pieces is drawn");
}
