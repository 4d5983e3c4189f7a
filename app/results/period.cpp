#include "app/results/period.hpp"

#include <Eigen/Core>

#include <unsupported/Eigen/FFT>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>

namespace slipwave::app {

namespace {

using Spectrum = std::vector<std::complex<double>>;

constexpr double least_correlation = 0.3;
constexpr double deviations = 4.0;     // of the correlation that noise has by chance
constexpr double least_periods = 3.0;  // in the time there is
constexpr std::size_t fewest = 16;     // values

/// y at evenly spaced times, as many as there are finite values.
Eigen::VectorXd evenly_spaced(const std::vector<double>& t, const std::vector<double>& y,
                              double& spacing) {
  std::vector<std::size_t> finite;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (std::isfinite(y[i]) && (finite.empty() || t[i] > t[finite.back()])) finite.push_back(i);
  if (finite.size() < fewest) return {};
  const double first = t[finite.front()];
  spacing = (t[finite.back()] - first) / static_cast<double>(finite.size() - 1);
  Eigen::VectorXd even(static_cast<Eigen::Index>(finite.size()));
  std::size_t k = 0;
  for (Eigen::Index i = 0; i < even.size(); ++i) {
    const double at = first + static_cast<double>(i) * spacing;
    while (k + 2 < finite.size() && t[finite[k + 1]] < at) ++k;
    const std::size_t a = finite[k], b = finite[k + 1];
    even[i] = y[a] + (y[b] - y[a]) * std::clamp((at - t[a]) / (t[b] - t[a]), 0.0, 1.0);
  }
  return even;
}

/// x less the straight line that fits it best.
Eigen::VectorXd without_line(const Eigen::VectorXd& x) {
  const Eigen::VectorXd k = Eigen::VectorXd::LinSpaced(x.size(), -1.0, 1.0);
  return (x.array() - x.mean() - k.array() * (k.dot(x) / k.squaredNorm())).matrix();
}

/// |FFT|² of x followed by zeros, at least `factor` times as long, the length being a power of two.
std::vector<double> power_of(const Eigen::VectorXd& x, Eigen::Index factor) {
  std::size_t length = 1;
  while (length < static_cast<std::size_t>(factor * x.size())) length *= 2;
  std::vector<double> padded(length, 0.0);
  std::copy(x.begin(), x.end(), padded.begin());
  Eigen::FFT<double> fft;
  Spectrum spectrum;
  fft.fwd(spectrum, padded);
  std::vector<double> power(spectrum.size());
  std::transform(spectrum.begin(), spectrum.end(), power.begin(),
                 [](const std::complex<double>& value) { return std::norm(value); });
  return power;
}

/// Where the parabola through the logarithms at i−1, i and i+1 is highest.
double top_near(const std::vector<double>& power, std::size_t i) {
  const double a = std::log(power[i - 1]), b = std::log(power[i]), c = std::log(power[i + 1]);
  const double bend = a - 2.0 * b + c;
  return static_cast<double>(i) + (bend < 0.0 ? 0.5 * (a - c) / bend : 0.0);
}

/// The period of the highest peak, in spacings; 0 where the highest power is not at a peak.
double peak_of_periodogram(const Eigen::VectorXd& x) {
  const double n = static_cast<double>(x.size());
  Eigen::VectorXd windowed = x;
  for (Eigen::Index i = 0; i < x.size(); ++i)
    windowed[i] *= 0.5 - 0.5 * std::cos(2.0 * M_PI * (static_cast<double>(i) + 0.5) / n);
  const std::vector<double> power = power_of(windowed, 4);
  const std::size_t half = power.size() / 2;
  const auto highest = std::max_element(power.begin() + 1, power.begin() + static_cast<long>(half));
  const auto i = static_cast<std::size_t>(highest - power.begin());
  if (i < 2 || power[i - 1] >= power[i] || power[i + 1] > power[i]) return 0.0;
  return static_cast<double>(power.size()) / top_near(power, i);
}

/// The correlation of x with itself moved by 0, 1, ..., each with the squares of its own part:
///     r_k = Σ x_i x_{i+k} / √(Σ x_i² Σ x_{i+k}²).
std::vector<double> autocorrelation(const Eigen::VectorXd& x) {
  const std::vector<double> power = power_of(x, 2);
  Eigen::FFT<double> fft;
  std::vector<double> products;
  fft.inv(products, Spectrum(power.begin(), power.end()));
  double early = x.squaredNorm(), late = early;
  std::vector<double> r;
  for (Eigen::Index k = 0; k < x.size() - 1; ++k) {
    r.push_back(early > 0.0 && late > 0.0
                    ? products[static_cast<std::size_t>(k)] / std::sqrt(early * late)
                    : 0.0);
    early -= x[x.size() - 1 - k] * x[x.size() - 1 - k];
    late -= x[k] * x[k];
  }
  return r;
}

/// The highest correlation within a tenth of a lag.
double correlation_near(const std::vector<double>& r, double lag) {
  const auto first = static_cast<std::size_t>(std::max(1.0, std::floor(0.9 * lag)));
  const auto last = std::min(r.size(), static_cast<std::size_t>(std::ceil(1.1 * lag)) + 1);
  return first < last ? *std::max_element(r.begin() + static_cast<long>(first),
                                          r.begin() + static_cast<long>(last))
                      : 0.0;
}

}  // namespace

std::optional<double> dominant_period(const std::vector<double>& t, const std::vector<double>& y) {
  double spacing = 0.0;
  const Eigen::VectorXd values = evenly_spaced(t, y, spacing);
  if (values.size() == 0) return std::nullopt;
  const Eigen::VectorXd x = without_line(values);
  // What is left of a straight line is round-off.
  if (x.cwiseAbs().maxCoeff() <= 1e-10 * values.cwiseAbs().maxCoeff()) return std::nullopt;
  const double peak = peak_of_periodogram(x),
               longest = static_cast<double>(x.size()) / least_periods;
  if (!(peak > 0.0)) return std::nullopt;
  const std::vector<double> r = autocorrelation(x);
  double best = 0.0;
  for (int m = 1; m <= 3; ++m)
    if (m * peak <= longest) best = std::max(best, correlation_near(r, m * peak));
  for (int m = 1; m <= 3 && m * peak <= longest; ++m) {
    const double found = correlation_near(r, m * peak);
    const double by_chance = deviations / std::sqrt(static_cast<double>(x.size()) - m * peak);
    if (found >= 0.6 * best && found >= std::max(least_correlation, by_chance))
      return m * peak * spacing;
  }
  return std::nullopt;
}

}  // namespace slipwave::app
