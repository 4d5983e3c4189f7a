#include "app/study/samples.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>

namespace slipwave::app {

namespace {

/// Up to so many pairs all choices of signs are counted.
constexpr std::size_t most_counted = 20;
constexpr int random_choices = 1'000'000;
/// Sums that differ by less, relative to the sum of sizes, are the same but for round-off.
constexpr double same = 1e-12;

double sum_of_sizes(const std::vector<double>& d) {
  return std::accumulate(d.begin(), d.end(), 0.0,
                         [](double sum, double x) { return sum + std::abs(x); });
}

/// The share of all choices of signs whose sum is as far from 0. Each differs from the one before
/// in one sign, by Gray's code.
double counted_share(const std::vector<double>& d, double limit) {
  const std::uint32_t choices = 1u << d.size();
  std::vector<double> sign(d.size(), 1.0);
  double sum = std::accumulate(d.begin(), d.end(), 0.0);
  std::uint32_t as_far = 0;
  for (std::uint32_t choice = 1;; ++choice) {
    as_far += std::abs(sum) >= limit;
    if (choice == choices) break;
    const auto k = static_cast<std::size_t>(std::countr_zero(choice));
    sign[k] = -sign[k];
    sum += 2.0 * sign[k] * d[k];
  }
  return static_cast<double>(as_far) / choices;
}

/// The same of random choices and the one that was observed; always the same ones.
double random_share(const std::vector<double>& d, double limit) {
  std::mt19937_64 generator(1);
  int as_far = 1;
  for (int choice = 0; choice < random_choices; ++choice) {
    double sum = 0.0;
    for (const double x : d) sum += (generator() >> 63) != 0 ? x : -x;
    as_far += std::abs(sum) >= limit;
  }
  return static_cast<double>(as_far) / (random_choices + 1);
}

}  // namespace

SampleFigures figures_of(const std::vector<double>& values) {
  assert(!values.empty());
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  SampleFigures figures{values.size(), std::accumulate(values.begin(), values.end(), 0.0) / n, 0.0,
                        *least, *largest};
  double squares = 0.0;
  for (const double x : values) squares += (x - figures.mean) * (x - figures.mean);
  if (values.size() > 1) figures.deviation = std::sqrt(squares / (n - 1.0));
  return figures;
}

PairedComparison compare_pairs(const std::vector<double>& a, const std::vector<double>& b) {
  assert(a.size() == b.size() && !a.empty());
  std::vector<double> d(a.size());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = b[i] - a[i];
  const SampleFigures figures = figures_of(d);
  const double n = static_cast<double>(d.size());
  const double limit = n * std::abs(figures.mean) - same * sum_of_sizes(d);
  const bool exact = d.size() <= most_counted;
  return {d.size(), figures.mean, figures.deviation / std::sqrt(n),
          exact ? counted_share(d, limit) : random_share(d, limit), exact};
}

}  // namespace slipwave::app
