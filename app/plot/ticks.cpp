#include "app/plot/ticks.hpp"

#include "app/plot/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slipwave::app {

namespace {

/// Ends that are on a mark but for round-off have that mark.
constexpr double slack = 1e-9;

/// The multiple of 1, 2 or 5 times a power of ten that makes at most seven marks.
double nice_step(double range) {
  const double power = std::pow(10.0, std::floor(std::log10(range / 6.0)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (range / (factor * power) <= 6.0 + slack) return factor * power;
  return 10.0 * power;
}

/// 10^3k of numbers that are tedious to read, else 0.
int common_exponent(double largest) {
  if (largest >= 1e-2 && largest < 1e5) return 0;
  return 3 * static_cast<int>(std::floor(std::log10(largest) / 3.0));
}

Ticks linear_ticks(double lower, double upper) {
  const double step = nice_step(upper - lower);
  Ticks ticks;
  ticks.exponent = common_exponent(std::max(std::abs(lower), std::abs(upper)));
  const double unit = std::pow(10.0, ticks.exponent);
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / unit) + slack)));
  const double first = std::ceil(lower / step - slack), last = std::floor(upper / step + slack);
  for (double i = first; i <= last; i += 1.0)
    ticks.marks.push_back(  // + 0.0: no negative zero
        {i * step + 0.0,
         {with_minus_sign(fmt::format("{:.{}f}", i * step / unit + 0.0, decimals)), ""}});
  return ticks;
}

/// 2×10^k as people write it: in full near one.
NumberText logarithmic_text(int factor, int k, bool in_full) {
  if (in_full) return {fmt::format("{:g}", factor * std::pow(10.0, k)), ""};
  return {factor == 1 ? "10" : fmt::format("{}×10", factor), with_minus_sign(std::to_string(k))};
}

Ticks logarithmic_ticks(double lower, double upper) {
  const double low = std::log10(lower), high = std::log10(upper);
  const bool few = high - low < 2.3;
  const bool in_full = low > -2.5 && high < 4.0 && high - low < 4.0;
  const int every = std::max(1, static_cast<int>(std::ceil((high - low) / 8.0)));
  Ticks ticks;
  for (int k = static_cast<int>(std::floor(low)); k <= std::ceil(high); ++k)
    for (int factor = 1; factor < 10; ++factor) {
      const double at = factor * std::pow(10.0, k);
      if (std::log10(at) < low - slack || std::log10(at) > high + slack) continue;
      const bool has_text =
          factor == 1 ? k % every == 0 : few && (factor == 2 || factor == 5 || high - low < 0.5);
      if (has_text || every == 1)
        ticks.marks.push_back({at, has_text ? logarithmic_text(factor, k, in_full) : NumberText{}});
    }
  return ticks;
}

}  // namespace

Ticks make_ticks(AxisScale scale, double lower, double upper) {
  return scale == AxisScale::linear ? linear_ticks(lower, upper) : logarithmic_ticks(lower, upper);
}

}  // namespace slipwave::app
