#include "app/waves/track_waves.hpp"
#include "tests/support/recorded_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace slipwave;

namespace {

/// The wave that came farthest, of those that the tracker finds. No node may ever have touched.
app::Wave farthest_wave(const app::InterfaceHistory& history, app::SurfaceSignal signal) {
  CHECK((history.lines.at(0).status.array() == 0).all());
  app::TrackerOptions options;
  options.signal = signal;
  const std::vector<app::Wave> waves = app::track_waves(history, options);
  REQUIRE(!waves.empty());
  return *std::max_element(waves.begin(), waves.end(), [](const auto& a, const auto& b) {
    return std::abs(a.end.x - a.start.x) < std::abs(b.end.x - b.start.x);
  });
}

}  // namespace

// PMMA in plane stress: c_p = 2374.234, c_s = 1345.167, c_R = 1239.738 mm/ms.
TEST_CASE("verification/wave_speeds: a plane pressure pulse runs at c_p") {
  const app::Wave wave =
      farthest_wave(tests::recorded_run("verify/pressure_pulse"), app::SurfaceSignal::tangential);
  CHECK(wave.type == app::WaveClass::surface_pulse);
  CHECK(wave.end.x - wave.start.x > 80.0);
  CHECK(wave.speed == doctest::Approx(2374.234).epsilon(0.01));
}

TEST_CASE("verification/wave_speeds: a plane shear pulse runs at c_s") {
  const app::Wave wave =
      farthest_wave(tests::recorded_run("verify/shear_pulse_speed"), app::SurfaceSignal::normal);
  CHECK(wave.type == app::WaveClass::surface_pulse);
  CHECK(wave.end.x - wave.start.x > 80.0);
  CHECK(wave.speed == doctest::Approx(1345.167).epsilon(0.01));
}

TEST_CASE("verification/wave_speeds: a pulse on a free surface runs at c_R") {
  const app::Wave wave =
      farthest_wave(tests::recorded_run("verify/rayleigh_pulse"), app::SurfaceSignal::magnitude);
  CHECK(wave.type == app::WaveClass::surface_pulse);
  CHECK(wave.end.x - wave.start.x > 100.0);
  CHECK(wave.speed == doctest::Approx(1239.738).epsilon(0.02));
}
