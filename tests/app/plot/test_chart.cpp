#include "app/plot/chart.hpp"
#include "app/plot/slope_triangle.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <regex>
#include <vector>

using namespace slipwave::app;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

bool contains(const std::string& text, const std::string& part) {
  return occurrences(text, part) > 0;
}

/// Every element is closed by its own name and no bare & or < stands in between.
bool is_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  static const std::regex tag(R"re(<(/?)([A-Za-z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(/?)>)re");
  static const std::regex entity("&(amp|lt|gt|quot|#[0-9]+);");
  const std::string body = svg.substr(svg.find("?>") + 2);
  std::size_t end = 0;
  for (std::sregex_iterator i(body.begin(), body.end(), tag), none; i != none; ++i) {
    const auto start = static_cast<std::size_t>(i->position());
    const std::string between = body.substr(end, start - end) + (*i)[3].str();
    if (std::regex_replace(between, entity, "").find_first_of("&<>") != std::string::npos)
      return false;
    end = start + static_cast<std::size_t>(i->length());
    if ((*i)[1] == "") open.push_back((*i)[2]);
    if ((*i)[1] == "/" && (open.empty() || open.back() != (*i)[2])) return false;
    if ((*i)[1] == "/" || (*i)[4] == "/") open.pop_back();
  }
  return open.empty() && body.substr(end) == "\n";
}

void check_svg(const Figure& figure) {
  CHECK(is_well_formed(figure.svg));
  const std::string coordinates = std::regex_replace(figure.svg, std::regex(">[^<]*<"), "><");
  CHECK_FALSE(std::regex_search(coordinates, std::regex("[^a-z](nan|inf)[^a-z]")));
}

/// Leaves a figure where SLIPWAVE_FIGURES says, for people to look at.
void show(const std::string& name, const Figure& figure) {
  if (const char* folder = std::getenv("SLIPWAVE_FIGURES"))
    std::ofstream(fmt::format("{}/{}.svg", folder, name)) << figure.svg;
}

Curve power_law(const std::string& name, double factor, double p, double wiggle = 0.0) {
  Curve curve{name, {8, 4, 2, 1, 0.5, 0.25}, {}};
  for (const double h : curve.x)
    curve.y.push_back(factor * std::pow(h, p) * (1.0 + wiggle * std::sin(5.0 * h)));
  return curve;
}

Chart errors() {
  return error_chart(
      "Manufactured solution, T3", {"mesh size h", "mm"}, {"relative error", ""},
      {power_law("L2 norm", 1e-3, 2.0, 0.05), power_law("energy norm", 1e-2, 1.0, 0.05),
       power_law("max norm", 4e-3, 1.9, 0.2)},
      {1.0, 2.0});
}

Chart profiles() {
  std::vector<Curve> curves;
  for (const int n : {10, 20, 40, 160}) {
    Curve curve{fmt::format("h = {} mm", 80.0 / n), {}, {}};
    for (int i = 0; i <= n; ++i) {
      const double x = -40.0 + 80.0 * i / n;
      curve.x.push_back(x);
      curve.y.push_back(3.2e6 * std::sqrt(std::max(0.0, 1.0 - std::pow(x / (30.0 + 40.0 / n), 2))));
    }
    curves.push_back(curve);
  }
  return profile_chart("Contact pressure at t = 1.5 ms", {"x", "mm"}, {"contact pressure", "Pa"},
                       curves);
}

}  // namespace

TEST_CASE("app/plot/chart: an error chart has its curves, labels and orders") {
  const Figure figure = draw_chart(errors());
  show("errors", figure);
  check_svg(figure);
  CHECK(figure.notes.empty());
  for (const char* text : {"Manufactured solution, T3</text>", "mesh size h (mm)</text>",
                           "relative error</text>", ">L2 norm</text>", ">energy norm</text>",
                           ">max norm</text>", "width=\"640\"", "fill=\"#ffffff\""})
    CHECK_MESSAGE(contains(figure.svg, text), text);
  CHECK(occurrences(figure.svg, "translate(") == 3 * (6 + 1));  // points and legend
  CHECK(occurrences(figure.svg, "stroke-dasharray=\"4 3\"") == 2);
}

TEST_CASE("app/plot/chart: a cost chart has falling reference slopes") {
  const Figure figure = draw_chart(cost_chart("Cost", {"mesh size h", "mm"},
                                              {power_law("Moreau–Jean–Frémond", 40.0, -2.9, 0.1),
                                               power_law("central differences", 3.0, -3.0)},
                                              {-3.0}));
  show("cost", figure);
  check_svg(figure);
  CHECK(contains(figure.svg, "wall-clock time (s)"));
  CHECK(contains(figure.svg, ">−3</text>"));
}

TEST_CASE("app/plot/chart: a profile chart takes the power of ten into the label") {
  const Figure figure = draw_chart(profiles());
  show("profiles", figure);
  check_svg(figure);
  CHECK(contains(figure.svg, "contact pressure (10<tspan"));
  CHECK(contains(figure.svg, ">−40</text>"));
  CHECK(occurrences(figure.svg, ">h = ") == 4);
}

TEST_CASE("app/plot/chart: the same chart gives the same bytes") {
  CHECK(draw_chart(errors()).svg == draw_chart(errors()).svg);
  CHECK(draw_chart(profiles()).svg == draw_chart(profiles()).svg);
}

TEST_CASE("app/plot/chart: points without a place are left out and noted, and interrupt the line") {
  Chart chart = errors();
  chart.curves = {
      {"a <b> & \"c\"", {8, 4, 2, 1, 0.5, 0.25}, {1.0, 0.5, 0.0, -1.0, not_a_number, 0.1}}};
  chart.slopes.clear();
  chart.curves.push_back(power_law("far", 1.0, 1.0));
  chart.y.upper = 2.0;
  const Figure figure = draw_chart(chart);
  show("left_out", figure);
  check_svg(figure);
  REQUIRE(figure.notes.size() == 3);
  CHECK(figure.notes[0] == "a <b> & \"c\": 1 point left out, not finite");
  CHECK(figure.notes[1] == "a <b> & \"c\": 2 points left out, not positive on a logarithmic axis");
  CHECK(figure.notes[2] == "far: 2 points left out, outside of the axes");
  CHECK(contains(figure.svg, "a &lt;b&gt; &amp; &quot;c&quot;: 1 point left out"));
  CHECK(occurrences(figure.svg, "translate(") == 3 + 4 + 2);
  // The first curve is a piece of two points, then a single one, which has no line.
  const std::regex piece(R"re(round">\n<path d="M[^L"]*L[^L"]*"/>\n</g>\n<g>)re");
  CHECK(std::regex_search(figure.svg, piece));
}

TEST_CASE("app/plot/chart: charts of nothing, of one point and of equal values are drawn") {
  for (const AxisScale scale : {AxisScale::linear, AxisScale::logarithmic})
    for (const Curve& curve :
         {Curve{"none", {}, {}}, Curve{"one", {2.0}, {3.0}}, Curve{"equal", {1.0, 2.0}, {5.0, 5.0}},
          Curve{"zero", {0}, {0}}, Curve{"tiny", {1, 2}, {1e-300, 2e-300}},
          Curve{"huge", {1, 2}, {1e300, 9e299}}, Curve{"denormal", {1, 2}, {5e-324, 1e-323}}}) {
      Chart chart{"t", {"x", "", scale, {}, {}}, {"y", "", scale, {}, {}}, {curve}, {1.0}};
      check_svg(draw_chart(chart));
    }
  check_svg(draw_chart(Chart{}));
}

TEST_CASE("app/plot/chart: ends of axes that make no sense do no harm") {
  Chart chart = errors();
  chart.y.upper = 1e-9;
  Figure figure = draw_chart(chart);
  check_svg(figure);
  CHECK(figure.notes.size() == 3);  // nothing is left, neither curve nor triangle
  chart.y.lower = 1e-3;
  check_svg(draw_chart(chart));
  chart.y.lower = -1.0;
  check_svg(draw_chart(chart));
}

TEST_CASE(
    "app/plot/chart: a reference slope for which given ends leave no room is left out and noted") {
  Chart chart = error_chart("", {"h", ""}, {"e", ""}, {{"flat", {1, 10}, {1.0, 1.01}}}, {5.0});
  CHECK(contains(draw_chart(chart).svg, "stroke-dasharray=\"4 3\""));
  chart.y.lower = 0.99;
  chart.y.upper = 1.02;
  const Figure figure = draw_chart(chart);
  check_svg(figure);
  CHECK_FALSE(contains(figure.svg, "stroke-dasharray=\"4 3\""));
  REQUIRE(figure.notes.size() == 1);
  CHECK(figure.notes[0] == "reference slope 5 left out, outside of the axes");
}

TEST_CASE("app/plot/chart: no two of twenty curves look alike without colour") {
  Chart chart = errors();
  chart.slopes.clear();
  chart.curves.clear();
  for (int i = 0; i < 20; ++i)
    chart.curves.push_back(power_law(fmt::format("curve {}", i), i + 1.0, 1.0));
  const std::string svg = draw_chart(chart).svg;
  show("twenty", draw_chart(chart));
  // A legend entry: dashes, or none, then the marker's path.
  const std::regex entry(
      R"re(round"( stroke-dasharray="[^"]*")?>\n<path d="[^"]*"/>\n</g>\n<path transform="[^"]*" d="([^"]*)")re");
  std::vector<std::string> looks;
  for (std::sregex_iterator i(svg.begin(), svg.end(), entry), none; i != none; ++i)
    looks.push_back((*i)[1].str() + (*i)[2].str());
  REQUIRE(looks.size() == 20);
  std::sort(looks.begin(), looks.end());
  CHECK(std::adjacent_find(looks.begin(), looks.end()) == looks.end());
}

TEST_CASE("app/plot/chart: ticks are where people expect them") {
  const auto texts = [](AxisScale scale, double lower, double upper) {
    std::string all;
    for (const Tick& tick : make_ticks(scale, lower, upper).marks)
      if (!tick.text.mantissa.empty()) all += tick.text.mantissa + tick.text.exponent + " ";
    return all;
  };
  CHECK(texts(AxisScale::linear, -0.1, 1.1) == "0.0 0.2 0.4 0.6 0.8 1.0 ");
  CHECK(texts(AxisScale::linear, -40, 40) == "−40 −20 0 20 40 ");
  CHECK(texts(AxisScale::linear, 0, 3.2e6) == "0 1 2 3 ");
  CHECK(make_ticks(AxisScale::linear, 0, 3.2e6).exponent == 6);
  CHECK(texts(AxisScale::logarithmic, 0.2, 10) == "0.2 0.5 1 2 5 10 ");
  CHECK(texts(AxisScale::logarithmic, 1e-5, 2.0) == "10−5 10−4 10−3 10−2 10−1 100 ");
  CHECK(texts(AxisScale::logarithmic, 1e-5, 5e-5) == "10−5 2×10−5 5×10−5 ");
}

TEST_CASE("app/plot/chart: reference triangles have their slope and stay clear of the curves") {
  DrawnCurve first, second;
  for (const double u : {-0.6, -0.3, 0.0, 0.3, 0.6, 0.9}) {
    first.emplace_back(u, u - 2.0);
    second.emplace_back(u, 2.0 * u - 3.0);
  }
  const std::vector<SlopeTriangle> triangles = place_triangles({1.0, 2.0}, {first, second});
  REQUIRE(triangles.size() == 2);
  for (const SlopeTriangle& t : triangles) {
    const Eigen::Vector2d d = t.b - t.a;
    CHECK(d[1] / d[0] == doctest::Approx(t.slope));
    // The corner is on the far side of the longest side from the curve.
    CHECK((t.corner[0] == t.a[0] || t.corner[0] == t.b[0]));
    CHECK((t.corner[1] == t.a[1] || t.corner[1] == t.b[1]));
    const double height = t.corner[1] - (t.a[1] + t.slope * (t.corner[0] - t.a[0]));
    CHECK((t.below ? -height : height) == doctest::Approx(std::abs(d[1])));
    for (const Eigen::Vector2d& p : {t.a, t.b, t.corner}) {
      // All corners on one side of each curve.
      CHECK((p[1] < p[0] - 2.0) == (t.a[1] < t.a[0] - 2.0));
      CHECK((p[1] < 2.0 * p[0] - 3.0) == (t.a[1] < 2.0 * t.a[0] - 3.0));
    }
  }
}

TEST_CASE(
    "app/plot/curve: a thinned curve keeps its peaks, and a gap beside a peak loses neither") {
  Curve curve{"", {}, {}, {}};
  for (int i = 0; i < 30000; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(std::sin(0.001 * i));
  }
  curve.y[12340] = -7.0;
  curve.y[12343] = not_a_number;
  curve.y[12345] = 9.0;
  curve.y[20000] = not_a_number;  // the first of its stretch
  curve.y[20003] = 5.0;
  const Curve thin = thinned(curve);
  CHECK(thin.x.size() < 7510);
  CHECK(thin.x.front() == 0.0);
  CHECK(thin.x.back() == 29999.0);
  CHECK(std::is_sorted(thin.x.begin(), thin.x.end()));
  for (const double peak : {-7.0, 9.0, 5.0})
    CHECK(std::count(thin.y.begin(), thin.y.end(), peak) == 1);
  CHECK(std::count_if(thin.y.begin(), thin.y.end(), [](double y) { return std::isnan(y); }) == 2);
}
