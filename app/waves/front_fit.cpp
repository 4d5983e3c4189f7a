#include "app/waves/front_fit.hpp"

#include <Eigen/Core>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace slipwave::app {

namespace {

using Eigen::ArrayXd;
using Eigen::Index;

struct Points {
  ArrayXd x, t;
};

Points arrays(const std::vector<EdgePoint>& points) {
  const Index n = static_cast<Index>(points.size());
  Points p{ArrayXd(n), ArrayXd(n)};
  for (Index i = 0; i < n; ++i) {
    p.x[i] = points[static_cast<std::size_t>(i)].x - points.front().x;
    p.t[i] = points[static_cast<std::size_t>(i)].t;
  }
  return p;
}

double median(ArrayXd values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Weighted least squares: slope and the residuals t - time - slope x.
ArrayXd fit_line(const Points& p, const ArrayXd& w, double& slope, double& time) {
  const double sum = w.sum(), x_mean = (w * p.x).sum() / sum, t_mean = (w * p.t).sum() / sum;
  slope = (w * (p.x - x_mean) * (p.t - t_mean)).sum() / (w * (p.x - x_mean).square()).sum();
  time = t_mean - slope * x_mean;
  return p.t - time - slope * p.x;
}

/// How many independent points the residuals amount to.
double independent(const ArrayXd& r, double steps) {
  const Index n = r.size();
  const double squares = r.square().sum();
  const double products = (r.head(n - 1) * r.tail(n - 1)).sum();
  const double correlation = squares > 0.0 ? std::clamp(products / squares, 0.0, 0.95) : 0.0;
  const double count = static_cast<double>(n) * (1.0 - correlation) / (1.0 + correlation);
  return std::max(1.0, std::min(count, steps));
}

/// Sum of squares about the least-squares line of points [from, from + count).
double squares_about_line(const Points& p, Index from, Index count, double& slope) {
  const Points part{p.x.segment(from, count), p.t.segment(from, count)};
  double time = 0.0;
  return fit_line(part, ArrayXd::Ones(count), slope, time).square().sum();
}

double squares_about_parabola(const Points& p) {
  const ArrayXd x = p.x / p.x.abs().maxCoeff();
  Eigen::MatrixXd A(x.size(), 3);
  A << Eigen::VectorXd::Ones(x.size()), x.matrix(), x.square().matrix();
  const Eigen::VectorXd b = p.t - p.t.mean();
  return (A * A.householderQr().solve(b) - b).squaredNorm();
}

}  // namespace

FrontFit fit_front(const std::vector<EdgePoint>& points, double dt) {
  const Points p = arrays(points);
  const double n = static_cast<double>(points.size()), quantum = dt / std::sqrt(12.0);
  FrontFit fit;
  ArrayXd w = ArrayXd::Ones(p.x.size()), r;
  for (int sweep = 0; sweep < 20; ++sweep) {
    r = fit_line(p, w, fit.slowness, fit.time);
    const double scale = std::max(1.4826 * median(r.abs()), quantum);
    w = (1.5 * scale / r.abs().max(1.5 * scale)).eval();
  }
  fit.scatter = std::max(std::sqrt((w * r.square()).sum() / std::max(1.0, n - 2.0)), quantum);
  const double x_mean = (w * p.x).sum() / w.sum();
  const double count = independent(w * r, std::abs(p.t[p.t.size() - 1] - p.t[0]) / dt);
  fit.error = fit.scatter * std::sqrt(n / count / (w * (p.x - x_mean).square()).sum());
  return fit;
}

int find_kink(const std::vector<EdgePoint>& points, double dt, int least, double change) {
  const Index n = static_cast<Index>(points.size());
  if (n < 2 * least) return 0;
  const Points p = arrays(points);
  const double floor = static_cast<double>(n) * dt * dt / 12.0;
  double best = 0.25 * (squares_about_parabola(p) + floor);
  Index kink = 0;
  for (Index k = least; k + least <= n; ++k) {
    double before = 0.0, after = 0.0;
    const double squares =
        squares_about_line(p, 0, k, before) + squares_about_line(p, k, n - k, after);
    const double larger = std::max(std::abs(before), std::abs(after));
    if (squares + floor >= best || std::abs(before - after) <= change * larger) continue;
    best = squares + floor;
    kink = k;
  }
  return static_cast<int>(kink);
}

}  // namespace slipwave::app
