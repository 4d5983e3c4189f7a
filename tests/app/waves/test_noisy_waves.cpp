#include "app/waves/track_waves.hpp"
#include "tests/app/waves/synthetic_history.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace slipwave::app {

namespace {

constexpr double length = 40.0, dx = 0.5, dt = 0.24 * dx / pmma.pressure;

/// Results over many random histories.
struct Tally {
  int there = 0, missed = 0, invented = 0;
  std::vector<double> errors;  ///< of speeds, relative
  int within_one = 0, within_two = 0;

  void add(const Comparison& c, int waves) {
    there += waves;
    missed += c.missed;
    invented += c.invented;
    errors.push_back(c.worst_speed);
    for (const double d : c.deviations) {
      within_one += std::abs(d) <= 1.0 ? 1 : 0;
      within_two += std::abs(d) <= 2.0 ? 1 : 0;
    }
  }
  double recall() const { return 1.0 - double(missed) / there; }
  double precision() const { return double(there - missed) / (there - missed + invented); }
  double share_within_two() const { return double(within_two) / (there - missed); }
  double quantile(double q) {
    std::sort(errors.begin(), errors.end());
    return errors[static_cast<std::size_t>(q * double(errors.size() - 1))];
  }
  void print(const char* what) {
    if (!std::getenv("SLIPWAVE_TEST_VERBOSE")) return;
    fmt::print(
        "{:32} there {} recall {:.3f} precision {:.3f} | speed error median {:.2e} 95% {:.2e} "
        "worst {:.2e} | within 1 sigma {:.3f}, 2 sigma {:.3f}\n",
        what, there, recall(), precision(), quantile(0.5), quantile(0.95), quantile(1.0),
        double(within_one) / (there - missed), share_within_two());
  }
};

/// Pulses of random class, speed, length, place and direction, one in each history.
Tally random_pulses(int count, double flips, double jitter, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  Tally tally;
  for (int k = 0; k < count; ++k) {
    const double c = pmma.rayleigh * std::exp(std::log(0.1) + uniform(random) * std::log(20.0));
    const bool right = uniform(random) < 0.5, opens = uniform(random) < 0.5;
    const double span = 12.0 + 25.0 * uniform(random), from = uniform(random) * (length - span);
    const double t_0 = (30.0 + 20.0 * uniform(random)) * dt;
    const auto x = uneven_nodes(81, length, seed + static_cast<unsigned>(k));
    auto h = quiet_history(x, dt, static_cast<int>(1.3 * span / c / dt) + 150, stick_);
    const Pulse pulse{opens ? WaveClass::schallamach : WaveClass::slip_pulse,
                      right ? from : from + span,
                      right ? from + span : from,
                      t_0,
                      right ? c : -c,
                      3.0 + 4.0 * uniform(random),
                      opens ? open_ : backward_,
                      -5.0};
    const Wave wave = paint(h, pulse);
    jitter_arrivals(h, jitter, random);
    flip_statuses(h, flips, random);
    const auto found = track_waves(h);
    tally.add(compare(found, {wave}, 3.0, 3.0 / c + 10.0 * dt), 1);
  }
  return tally;
}

/// Slip pulses from either end with random speeds, lengths and times, `together` in each history:
/// some hide in one another for long.
Tally random_scenes(int count, int together, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  Tally tally;
  for (int k = 0; k < count; ++k) {
    std::vector<Pulse> pulses;
    double slowest = pmma.pressure;
    for (int n = 0; n < together; ++n) {
      const double c = pmma.rayleigh * std::exp(std::log(0.2) + uniform(random) * std::log(8.0));
      const bool right = uniform(random) < 0.5;
      const double t_0 = (20.0 + 400.0 * uniform(random)) * dt, L = 2.0 + 2.0 * uniform(random);
      pulses.push_back({WaveClass::slip_pulse, right ? 0.0 : length, right ? length : 0.0, t_0,
                        right ? c : -c, L, forward_, 5.0});
      slowest = std::min(slowest, c);
    }
    const auto x = uneven_nodes(81, length, seed + static_cast<unsigned>(k));
    auto h = quiet_history(x, dt, static_cast<int>(1.3 * length / slowest / dt) + 500, stick_);
    std::vector<Wave> waves;
    for (const Pulse& pulse : pulses) waves.push_back(paint(h, pulse));
    tally.add(compare(track_waves(h), waves, 8.0, 8.0 / slowest), together);
  }
  return tally;
}

}  // namespace

TEST_CASE("app/waves/noisy_waves: pulses that cross and overtake at random") {
  Tally two = random_scenes(150, 2, 77), three = random_scenes(150, 3, 78);
  two.print("two at random");
  three.print("three at random");
  CHECK(two.recall() >= 0.94);
  CHECK(two.precision() >= 0.95);
  CHECK(three.recall() >= 0.90);
  CHECK(three.precision() >= 0.88);
}

TEST_CASE(
    "app/waves/noisy_waves: without noise all of 200 random pulses are found, speeds within 1 %") {
  Tally tally = random_pulses(200, 0.0, 0.0, 1);
  tally.print("no noise");
  CHECK(tally.recall() == 1.0);
  CHECK(tally.precision() == 1.0);
  CHECK(tally.quantile(1.0) <= 0.01);
  CHECK(tally.share_within_two() >= 0.90);
}

TEST_CASE("app/waves/noisy_waves: arrivals that scatter by 2 rows") {
  Tally tally = random_pulses(200, 0.0, 2.0, 1000);
  tally.print("jitter 2 rows");
  CHECK(tally.recall() >= 0.99);
  CHECK(tally.precision() >= 0.97);
  CHECK(tally.share_within_two() >= 0.90);
}

TEST_CASE("app/waves/noisy_waves: one status in a hundred is wrong") {
  Tally tally = random_pulses(200, 0.01, 0.0, 2000);
  tally.print("flips 1 %");
  CHECK(tally.recall() >= 0.99);
  CHECK(tally.precision() >= 0.99);
  CHECK(tally.share_within_two() >= 0.90);
}

TEST_CASE("app/waves/noisy_waves: one status in twenty is wrong, and arrivals scatter by a row") {
  Tally tally = random_pulses(200, 0.05, 1.0, 3000);
  tally.print("flips 5 %, jitter 1 row");
  CHECK(tally.recall() >= 0.99);
  CHECK(tally.precision() >= 0.99);
  CHECK(tally.share_within_two() >= 0.90);
}

TEST_CASE("app/waves/noisy_waves: wrong statuses alone are no waves") {
  std::mt19937 random(5);
  for (const NodeStatus status : {open_, stick_, forward_}) {
    auto h = quiet_history(even_nodes(81, length), dt, 3000, status);
    flip_statuses(h, 0.05, random);
    CHECK(track_waves(h).empty());
  }
}

}  // namespace slipwave::app
