#include "app/study/samples.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace slipwave::app {

namespace {

PairedComparison of_differences(const std::vector<double>& d) {
  return compare_pairs(std::vector<double>(d.size(), 0.0), d);
}

/// Two-sided, of Student's t with 9 degrees of freedom: t = 2.262 leaves 0.05, 3.250 leaves 0.01.
std::vector<double> ten_with_t(double t) {
  std::vector<double> d{-1.5, -1.0, -0.6, -0.3, -0.1, 0.1, 0.3, 0.6, 1.0, 1.5};
  const SampleFigures figures = figures_of(d);
  for (double& x : d) x += t * figures.deviation / std::sqrt(10.0);
  return d;
}

}  // namespace

TEST_CASE("app/study/samples: mean, deviation, extremes") {
  const SampleFigures figures = figures_of({2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0});
  CHECK(figures.count == 8);
  CHECK(figures.mean == 5.0);
  CHECK(figures.deviation == doctest::Approx(std::sqrt(32.0 / 7.0)).epsilon(1e-14));
  CHECK(figures.least == 2.0);
  CHECK(figures.largest == 9.0);
  CHECK(figures_of({3.0}).deviation == 0.0);
}

TEST_CASE("app/study/samples: known shares of signs") {
  CHECK(of_differences({1.0}).p == 1.0);
  CHECK(of_differences({0.0, 0.0, 0.0}).p == 1.0);
  // All of one sign: only all signs one way or the other are as far.
  CHECK(of_differences({1.0, 2.0, 3.0, 4.0, 5.0}).p == 2.0 / 32.0);
  CHECK(of_differences({-0.1, -0.2, -0.3, -0.1, -0.7, -0.5}).p == 2.0 / 64.0);
  // 1 + 2 + 3 - 4 = 2: of the 16 sums 10, 8, 6, 4, 4, 2, 2, 0 and their negatives 14 are as far.
  CHECK(of_differences({1.0, 2.0, 3.0, -4.0}).p == 14.0 / 16.0);
  CHECK(of_differences({1.0, 2.0, 3.0, -4.0}).mean == 0.5);
  CHECK(compare_pairs({3.0, 1.0}, {5.0, 2.0}).mean == 1.5);
  CHECK(compare_pairs({3.0, 1.0}, {5.0, 2.0}).standard_error == doctest::Approx(0.5));
}

TEST_CASE("app/study/samples: near Student's test where that holds, and not far off when drawn") {
  CHECK(of_differences(ten_with_t(2.262)).p == doctest::Approx(0.05).epsilon(0.25));
  CHECK(of_differences(ten_with_t(3.250)).p == doctest::Approx(0.01).epsilon(0.6));
  CHECK(of_differences(ten_with_t(0.0)).p > 0.9);
  // 24 pairs are drawn; of equal sizes the exact share is binomial.
  std::vector<double> d(24, 1.0);
  for (int i = 0; i < 8; ++i) d[static_cast<std::size_t>(i)] = -1.0;
  const PairedComparison drawn = of_differences(d);
  CHECK_FALSE(drawn.exact);

  double share = 0.0;
  for (int k = 0; k <= 24; ++k)
    if (std::abs(24 - 2 * k) >= 8)
      share += std::exp(std::lgamma(25.0) - std::lgamma(k + 1.0) - std::lgamma(25.0 - k) -
                        24.0 * std::log(2.0));
  CHECK(drawn.p == doctest::Approx(share).epsilon(0.02));
  CHECK(of_differences(d).p == drawn.p);
}

}  // namespace slipwave::app
