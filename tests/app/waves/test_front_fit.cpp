#include "app/waves/front_fit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace slipwave::app {

namespace {

std::vector<EdgePoint> line_of(int n, double slowness) {
  std::vector<EdgePoint> points;
  for (int i = 0; i < n; ++i) points.push_back({i, 0, 2.0 + 0.5 * i, 1.0 + slowness * 0.5 * i});
  return points;
}

}  // namespace

TEST_CASE("app/waves/front_fit: a line is a line, whatever one late node does") {
  auto points = line_of(30, -0.7);
  CHECK(std::abs(fit_front(points, 1e-9).slowness + 0.7) <= 1e-12);
  points[22].t += 100.0;
  CHECK(std::abs(fit_front(points, 1e-3).slowness + 0.7) <= 1e-3);
}

TEST_CASE("app/waves/front_fit: the stated error is the spread of the slopes under noise") {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0.0, 0.05);
  double squares = 0.0, stated = 0.0;
  const int samples = 2000;
  for (int k = 0; k < samples; ++k) {
    auto points = line_of(40, 0.3);
    for (EdgePoint& p : points) p.t += noise(random);
    const FrontFit fit = fit_front(points, 0.01);
    squares += std::pow(fit.slowness - 0.3, 2) / samples;
    stated += fit.error / samples;
  }
  CHECK(std::abs(stated / std::sqrt(squares) - 1.0) <= 0.1);
}

TEST_CASE("app/waves/front_fit: a kink is found, a smooth bend is none") {
  auto points = line_of(30, 0.2);
  for (int i = 18; i < 30; ++i) points[static_cast<std::size_t>(i)].t += 0.3 * 0.5 * (i - 18);
  const int kink = find_kink(points, 1e-3, 3, 0.25);
  CHECK((kink == 18 || kink == 19));
  points = line_of(30, 0.2);
  CHECK(find_kink(points, 1e-3, 3, 0.25) == 0);
  for (int i = 0; i < 30; ++i) points[static_cast<std::size_t>(i)].t += 0.01 * i * i;
  CHECK(find_kink(points, 1e-3, 3, 0.25) == 0);
}

}  // namespace slipwave::app
