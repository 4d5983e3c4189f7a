#include "app/plot/slope_triangle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipwave::app {

namespace {

using Eigen::Vector2d;
using Box = Eigen::Array22d;  // first column the lower left corner, second the upper right

constexpr int samples = 24;

Box bounds(const std::vector<DrawnCurve>& curves) {
  const double infinity = std::numeric_limits<double>::infinity();
  Box box;
  box << infinity, -infinity, infinity, -infinity;
  for (const DrawnCurve& curve : curves)
    for (const Vector2d& point : curve) {
      box.col(0) = box.col(0).min(point.array());
      box.col(1) = box.col(1).max(point.array());
    }
  return box;
}

double mean_slope(const DrawnCurve& curve) {
  const Vector2d d = curve.back() - curve.front();
  return d[1] / d[0];
}

/// Height of the curve at u, or of its nearer end.
double height(const DrawnCurve& curve, double u) {
  if (u <= curve.front()[0]) return curve.front()[1];
  for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
    const Vector2d &p = curve[i], &q = curve[i + 1];
    if (u <= q[0] && q[0] > p[0]) return p[1] + (q[1] - p[1]) * (u - p[0]) / (q[0] - p[0]);
  }
  return curve.back()[1];
}

bool spans(const DrawnCurve& curve, double u) {
  return u >= curve.front()[0] && u <= curve.back()[0];
}

/// The triangle over [u, u + w] whose longest side is `gap` away from the curve.
SlopeTriangle beside(const DrawnCurve& curve, double slope, double u, double w, bool below,
                     double gap) {
  const double side = below ? -1.0 : 1.0;
  double v = side * -std::numeric_limits<double>::infinity();
  for (int i = 0; i <= samples; ++i) {
    const double du = w * i / samples;
    const double allowed = height(curve, u + du) + side * gap - slope * du;
    v = below && i > 0 ? std::min(v, allowed) : i > 0 ? std::max(v, allowed) : allowed;
  }
  SlopeTriangle triangle{slope, {u, v}, {u + w, v + slope * w}, {}, below};
  triangle.corner = {(slope > 0.0) == below ? u + w : u,
                     below ? std::min(v, v + slope * w) : std::max(v, v + slope * w)};
  return triangle;
}

Box box_of(const SlopeTriangle& t, const Vector2d& margin) {
  Box box;
  box.col(0) = t.a.cwiseMin(t.b) - margin;
  box.col(1) = t.a.cwiseMax(t.b) + margin;
  return box;
}

bool overlap(const Box& p, const Box& q) {
  return (p.col(0) < q.col(1)).all() && (q.col(0) < p.col(1)).all();
}

/// Share of the triangle's width, with its texts, over which it hides a curve.
double hidden_share(const SlopeTriangle& t, const std::vector<DrawnCurve>& curves,
                    const Vector2d& margin) {
  const Box box = box_of(t, margin);
  int hits = 0;
  for (int i = 0; i <= samples; ++i) {
    const double u = box(0, 0) + (box(0, 1) - box(0, 0)) * i / samples;
    const double edge = t.a[1] + t.slope * (std::clamp(u, t.a[0], t.b[0]) - t.a[0]);
    const double low = t.below ? box(1, 0) : edge - 0.25 * margin[1];
    const double high = t.below ? edge + 0.25 * margin[1] : box(1, 1);
    hits += std::any_of(curves.begin(), curves.end(), [&](const DrawnCurve& curve) {
      return spans(curve, u) && height(curve, u) > low && height(curve, u) < high;
    });
  }
  return static_cast<double>(hits) / samples;
}

/// Badness of a place: what is hidden counts most, then what makes the axes longer.
double cost(const SlopeTriangle& t, const std::vector<DrawnCurve>& curves,
            const std::vector<SlopeTriangle>& placed, const Box& data, const Vector2d& margin) {
  const Box box = box_of(t, margin);
  const Eigen::Array2d range = data.col(1) - data.col(0);
  const Eigen::Array2d growth =
      ((data.col(0) - box.col(0)).max(0.0) + (box.col(1) - data.col(1)).max(0.0)) / range;
  double total = 10.0 * hidden_share(t, curves, margin) + growth.sum();
  for (const SlopeTriangle& other : placed)
    total += overlap(box, box_of(other, margin)) ? 10.0 : 0.0;
  return total;
}

SlopeTriangle best_place(double slope, const std::vector<DrawnCurve>& curves,
                         const std::vector<SlopeTriangle>& placed, Box data) {
  // A flat curve would leave no room to judge by.
  data(1, 1) = std::max(data(1, 1), data(1, 0) + 0.5);
  const Eigen::Array2d range = data.col(1) - data.col(0);
  const Vector2d margin(0.045 * range[0], 0.06 * range[1]);
  const double w = std::min(0.2 * range[0], 0.35 * range[1] / std::max(std::abs(slope), 0.1));
  const DrawnCurve& curve =
      *std::min_element(curves.begin(), curves.end(), [slope](const auto& p, const auto& q) {
        return std::abs(mean_slope(p) - slope) < std::abs(mean_slope(q) - slope);
      });
  SlopeTriangle best;
  double least = std::numeric_limits<double>::infinity();
  for (const double centre : {0.5, 0.7, 0.3, 0.6, 0.4, 0.8, 0.2})
    for (const bool below : {true, false}) {
      const double u = data(0, 0) + centre * range[0] - 0.5 * w;
      const SlopeTriangle t = beside(curve, slope, u, w, below, 0.7 * margin[1]);
      const double c = cost(t, curves, placed, data, margin);
      if (c < least - 1e-9) best = t;
      least = std::min(least, c);
    }
  return best;
}

}  // namespace

std::vector<SlopeTriangle> place_triangles(const std::vector<double>& slopes,
                                           const std::vector<DrawnCurve>& curves) {
  std::vector<DrawnCurve> long_enough;
  std::copy_if(curves.begin(), curves.end(), std::back_inserter(long_enough),
               [](const DrawnCurve& c) { return c.size() > 1 && c.back()[0] > c.front()[0]; });
  std::vector<SlopeTriangle> placed;
  if (long_enough.empty()) return placed;
  for (const double slope : slopes)
    placed.push_back(best_place(slope, long_enough, placed, bounds(curves)));
  return placed;
}

}  // namespace slipwave::app
