#include "app/results/period.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace slipwave;

namespace {

struct Signal {
  std::vector<double> t, y;
  std::optional<double> period() const { return app::dominant_period(t, y); }
};

/// f at n times, 0.01 apart.
Signal sampled(const std::function<double(double)>& f, int n = 1000) {
  Signal signal;
  for (int i = 1; i <= n; ++i) {
    signal.t.push_back(0.01 * i);
    signal.y.push_back(f(0.01 * i));
  }
  return signal;
}

double sine(double t, double T) { return std::sin(2.0 * M_PI * t / T); }
double sawtooth(double t, double T) { return t / T - std::floor(t / T); }
double pulses(double t, double T) { return sawtooth(t, T) < 0.1 ? 1.0 : 0.0; }

void check_within_a_percent(const Signal& signal, double T) {
  const std::optional<double> found = signal.period();
  CAPTURE(T);
  REQUIRE(found);
  CAPTURE(*found);
  CHECK(std::abs(*found - T) < 0.01 * T);
}

}  // namespace

TEST_CASE("app/results/period: within 1 % for a sine, a sawtooth and pulses of many periods") {
  for (const double T : {0.0531, 0.0977, 0.2, 0.3137, 0.71, 1.3, 2.9}) {
    check_within_a_percent(sampled([&](double t) { return 3.0 + sine(t + 0.3, T); }), T);
    check_within_a_percent(sampled([&](double t) { return sawtooth(t, T); }), T);
    if (T > 0.2) check_within_a_percent(sampled([&](double t) { return pulses(t, T); }), T);
  }
}

TEST_CASE("app/results/period: a trend, noise and a stronger overtone do not hide it") {
  std::mt19937 generator(4);
  std::normal_distribution<double> noise;
  const double T = 0.37;
  check_within_a_percent(sampled([&](double t) { return 20.0 * t + sine(t, T); }), T);
  check_within_a_percent(sampled([&](double t) { return sine(t, T) + 0.5 * noise(generator); }), T);
  check_within_a_percent(
      sampled([&](double t) { return 0.6 * sine(t, T) + sine(t + 0.02, 0.5 * T); }), T);
}

TEST_CASE("app/results/period: there is none in a ramp, a decay, a step and a constant") {
  CHECK_FALSE(sampled([](double t) { return 5.0 - 0.3 * t; }).period());
  CHECK_FALSE(sampled([](double) { return 7.1; }).period());
  CHECK_FALSE(sampled([](double) { return 0.0; }).period());
  for (const double rate : {0.1, 1.0, 10.0})
    CHECK_FALSE(sampled([&](double t) { return std::exp(-rate * t); }).period());
  CHECK_FALSE(sampled([](double t) { return t < 4.0 ? 0.0 : 1.0; }).period());
  CHECK_FALSE(sampled([](double t) { return t * t; }).period());
}

TEST_CASE("app/results/period: there is none in white noise, whatever its draw and length") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> noise;
    for (const int n : {20, 50, 200, 1000}) {
      CAPTURE(seed);
      CAPTURE(n);
      CHECK_FALSE(sampled([&](double) { return 1.0 + noise(generator); }, n).period());
    }
  }
}

TEST_CASE(
    "app/results/period: there is none where fewer than three periods were seen, or few values") {
  CHECK(sampled([](double t) { return sine(t, 3.0); }).period());
  CHECK_FALSE(sampled([](double t) { return sine(t, 4.0); }).period());
  CHECK_FALSE(sampled([](double t) { return sine(t, 0.04); }, 15).period());
  CHECK_FALSE(Signal{}.period());
}

TEST_CASE("app/results/period: steps of two sizes and values that are missing do not move it") {
  Signal signal;
  for (double t = 0.0; t < 10.0; t += t < 5.0 ? 0.01 : 0.02) {
    signal.t.push_back(t);
    const bool missing = signal.t.size() % 7 == 0;
    signal.y.push_back(missing ? std::numeric_limits<double>::quiet_NaN() : sine(t, 0.4));
  }
  check_within_a_percent(signal, 0.4);
  signal.y.assign(signal.y.size(), std::numeric_limits<double>::quiet_NaN());
  CHECK_FALSE(signal.period());
}
