#include "app/messages/user_error.hpp"
#include "app/waves/mode_growth.hpp"
#include "tests/app/waves/synthetic_history.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace slipwave::app {

namespace {

constexpr double wavelength = 12.5;
constexpr double k = 2.0 * std::numbers::pi / wavelength;

/// Slip velocity 5 + height e^(growth t) cos(k (x - c t) + 0.4) on irregular nodes.
InterfaceHistory growing_mode(double growth, double c, double height) {
  auto h = quiet_history(uneven_nodes(81, 40.0, 11), 1e-4, 300, forward_);
  for (Eigen::Index j = 0; j < h.t.size(); ++j)
    for (Eigen::Index i = 0; i < 81; ++i)
      h.lines[0].slip_velocity(j, i) =
          static_cast<float>(5.0 + height * std::exp(growth * h.t[j]) *
                                       std::cos(k * (h.lines[0].x[i] - c * h.t[j]) + 0.4));
  return h;
}

}  // namespace

TEST_CASE("app/waves/mode_growth: modes that grow or decay, running either way, to 0.1 %") {
  for (const double growth : {40.0, 5.0, -30.0})
    for (const double c : {1940.0, -3080.0, 300.0}) {
      const auto h = growing_mode(growth, c, 0.01);
      const ModeGrowth mode = mode_growth(h.lines[0], h.t, wavelength);
      CHECK(mode.wavelengths == 3);
      CHECK(std::abs(mode.growth / growth - 1.0) <= 1e-3);
      CHECK(std::abs(mode.phase_speed / c - 1.0) <= 1e-3);
      CHECK(mode.growth_error <= 1e-3 * std::abs(growth));
    }
}

TEST_CASE("app/waves/mode_growth: the windows are kept to") {
  const auto h = growing_mode(40.0, 1940.0, 0.01);
  const ModeGrowth mode = mode_growth(h.lines[0], h.t, wavelength, {10.0, 30.0}, {0.005, 0.02});
  CHECK(mode.wavelengths == 1);
  CHECK(mode.x.from >= 10.0);
  CHECK(mode.x.to <= 30.0);
  CHECK(mode.t.from >= 0.005);
  CHECK(mode.t.to <= 0.02);
  CHECK(std::abs(mode.growth / 40.0 - 1.0) <= 1e-3);
  CHECK(std::abs(mode.phase_speed / 1940.0 - 1.0) <= 1e-3);
}

TEST_CASE("app/waves/mode_growth: the stated errors cover noise") {
  std::mt19937 random(4);
  std::normal_distribution<float> noise(0.0F, 0.01F);
  int growth_in = 0, speed_in = 0;
  for (int sample = 0; sample < 100; ++sample) {
    auto h = growing_mode(40.0, 1940.0, 0.05);
    for (float& v : h.lines[0].slip_velocity.reshaped()) v += noise(random);
    const ModeGrowth mode = mode_growth(h.lines[0], h.t, wavelength);
    growth_in += std::abs(mode.growth - 40.0) <= 2.0 * mode.growth_error ? 1 : 0;
    speed_in += std::abs(mode.phase_speed - 1940.0) <= 2.0 * mode.phase_speed_error ? 1 : 0;
  }
  CHECK(growth_in >= 90);
  CHECK(speed_in >= 90);
}

TEST_CASE("app/waves/mode_growth: what it cannot measure it says") {
  const auto h = growing_mode(40.0, 1940.0, 0.01);
  CHECK_THROWS_AS(mode_growth(h.lines[0], h.t, 41.0), UserError);
  CHECK_THROWS_AS(mode_growth(h.lines[0], h.t, 1.0), UserError);
  CHECK_THROWS_AS(mode_growth(h.lines[0], h.t, -1.0), UserError);
  CHECK_THROWS_AS(mode_growth(h.lines[0], h.t, wavelength, {}, {0.01, 0.01005}), UserError);
  const auto still = quiet_history(even_nodes(81, 40.0), 1e-4, 30, stick_);
  CHECK_THROWS_AS(mode_growth(still.lines[0], still.t, wavelength), UserError);
}

}  // namespace slipwave::app
