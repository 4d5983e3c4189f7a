#include "app/waves/mode_growth.hpp"

#include "app/messages/user_error.hpp"

#include <fmt/format.h>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slipwave::app {

namespace {

using Eigen::Index;
using std::numbers::pi;

/// The nodes of a window, in the order of their x.
std::vector<Index> nodes_in(const LineHistory& line, Window window) {
  std::vector<Index> nodes;
  for (Index i = 0; i < line.x.size(); ++i)
    if (line.x[i] >= window.from && line.x[i] <= window.to) nodes.push_back(i);
  std::sort(nodes.begin(), nodes.end(), [&](Index a, Index b) { return line.x[a] < line.x[b]; });
  return nodes;
}

/// The window from its first node over as many whole wavelengths as it holds.
Window whole_wavelengths(const LineHistory& line, Window window, double wavelength, int& count) {
  const double round = 1e-6;  // of a wavelength: a window of exactly n of them holds n
  const std::vector<Index> nodes =
      nodes_in(line, {window.from - round * wavelength, window.to + round * wavelength});
  const double from = nodes.empty() ? 0.0 : line.x[nodes.front()];
  const double width = nodes.empty() ? 0.0 : line.x[nodes.back()] - from;
  count = static_cast<int>(std::floor(width / wavelength + round));
  if (count < 1)
    throw UserError(
        fmt::format("wavelength {:.6g}: the nodes of \"{}\" between x = {:.6g} and "
                    "{:.6g} do not hold one",
                    wavelength, line.name, from, from + width));
  return {from, from + (count + round) * wavelength};
}

/// Square roots of the lengths that nodes stand for: half way to their neighbours.
Eigen::VectorXd root_weights(const LineHistory& line, const std::vector<Index>& nodes) {
  Eigen::VectorXd w(static_cast<Index>(nodes.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double before = line.x[nodes[i == 0 ? 0 : i - 1]];
    const double after = line.x[nodes[std::min(i + 1, nodes.size() - 1)]];
    w[static_cast<Index>(i)] = std::sqrt(0.5 * (after - before));
  }
  return w;
}

struct Slope {
  double value = 0.0, error = 0.0;
};

/// Slope of y over t by least squares. The error counts residuals that follow one another (with
/// autocorrelation r) as n (1 - r)/(1 + r) independent ones.
Slope fit_slope(const Eigen::ArrayXd& t, const Eigen::ArrayXd& y) {
  const Eigen::ArrayXd centred = t - t.mean();
  const double squares = centred.square().sum();
  Slope slope{(centred * (y - y.mean())).sum() / squares, 0.0};
  const Eigen::ArrayXd r = y - y.mean() - slope.value * centred;
  const Index n = t.size();
  const double sum = r.square().sum();
  const double products = (r.head(n - 1) * r.tail(n - 1)).sum();
  const double correlation = sum > 0.0 ? std::clamp(products / sum, 0.0, 0.98) : 0.0;
  slope.error = std::sqrt(sum / static_cast<double>(n - 2) / squares * (1.0 + correlation) /
                          (1.0 - correlation));
  return slope;
}

/// arg A without jumps of more than half a turn.
Eigen::ArrayXd unwrapped_phase(const std::vector<std::complex<double>>& A) {
  Eigen::ArrayXd phase(static_cast<Index>(A.size()));
  phase[0] = std::arg(A[0]);
  for (std::size_t j = 1; j < A.size(); ++j)
    phase[static_cast<Index>(j)] =
        phase[static_cast<Index>(j) - 1] + std::arg(A[j] * std::conj(A[j - 1]));
  return phase;
}

/// A at each step of the window in t.
void project(const LineHistory& line, const Eigen::VectorXd& t, double k,
             const std::vector<Index>& nodes, Window in_t, ModeGrowth& mode) {
  const Eigen::VectorXd w = root_weights(line, nodes);
  const Index n = w.size();
  Eigen::ArrayXd x(n);
  for (Index i = 0; i < n; ++i) x[i] = line.x[nodes[static_cast<std::size_t>(i)]];
  Eigen::MatrixXd basis(n, 3);
  basis << w, w.array() * (k * x).cos(), w.array() * (k * x).sin();
  const Eigen::HouseholderQR<Eigen::MatrixXd> fit(basis);
  Eigen::VectorXd v(n);
  for (Index j = 0; j < t.size(); ++j) {
    if (t[j] < in_t.from || t[j] > in_t.to) continue;
    for (Index i = 0; i < n; ++i)
      v[i] = w[i] * double{line.slip_velocity(j, nodes[static_cast<std::size_t>(i)])};
    const Eigen::Vector3d c = fit.solve(v);  // mean + a cos kx + b sin kx, A = a - ib
    mode.times.push_back(t[j]);
    mode.amplitude.emplace_back(c[1], -c[2]);
  }
}

}  // namespace

ModeGrowth mode_growth(const LineHistory& line, const Eigen::VectorXd& t, double wavelength,
                       Window in_x, Window in_t) {
  if (!(wavelength > 0.0))
    throw UserError(fmt::format("wavelength {}: must be positive", wavelength));
  ModeGrowth mode;
  mode.x = whole_wavelengths(line, in_x, wavelength, mode.wavelengths);
  const std::vector<Index> nodes = nodes_in(line, mode.x);
  if (nodes.size() < 4 * static_cast<std::size_t>(mode.wavelengths))
    throw UserError(
        fmt::format("wavelength {:.6g}: \"{}\" has only {} nodes in {} wavelength(s); "
                    "at least 4 each are needed",
                    wavelength, line.name, nodes.size(), mode.wavelengths));
  const double k = 2.0 * pi / wavelength;
  project(line, t, k, nodes, in_t, mode);
  if (mode.times.size() < 3)
    throw UserError(
        fmt::format("only {} recorded step(s) between t = {:.6g} and {:.6g}; at least "
                    "3 are needed",
                    mode.times.size(), in_t.from, in_t.to));
  for (const std::complex<double>& A : mode.amplitude)
    if (A == 0.0)
      throw UserError(
          fmt::format("wavelength {:.6g}: the slip velocity of \"{}\" is zero or has "
                      "nothing of it; choose a window in which it slips",
                      wavelength, line.name));
  mode.t = {mode.times.front(), mode.times.back()};
  const auto n = static_cast<Index>(mode.times.size());
  const Eigen::ArrayXd times = Eigen::Map<const Eigen::ArrayXd>(mode.times.data(), n);
  Eigen::ArrayXd log_amplitude(n);
  for (Index j = 0; j < n; ++j)
    log_amplitude[j] = std::log(std::abs(mode.amplitude[static_cast<std::size_t>(j)]));
  const Slope growth = fit_slope(times, log_amplitude);
  const Slope phase = fit_slope(times, unwrapped_phase(mode.amplitude));
  mode.growth = growth.value;
  mode.growth_error = growth.error;
  mode.phase_speed = -phase.value / k;
  mode.phase_speed_error = phase.error / k;
  return mode;
}

}  // namespace slipwave::app
