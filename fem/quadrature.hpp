#pragma once

#include <Eigen/Core>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace slipwave::fem {

/// A point of a quadrature rule on the triangle.
struct QuadraturePoint {
  Eigen::Vector3d barycentric;
  double weight = 0.0;
};

/// The symmetric Gauss rule that integrates polynomials up to `degree` (1 to 6) exactly:
///     integral over T of f = area(T) sum_g weight_g f(x_g),   sum_g weight_g = 1,
/// with 1, 3, 6, 6, 7 and 12 points (Dunavant 1985). All points are inside and all weights
/// positive; the four-point rule of degree 3 has a negative weight, so that of degree 4 stands in
/// for it. Throws std::invalid_argument for another degree.
inline std::vector<QuadraturePoint> triangle_rule(int degree) {
  std::vector<QuadraturePoint> rule;
  const auto one = [&](double weight) {
    rule.push_back({Eigen::Vector3d::Constant(1.0 / 3.0), weight});
  };
  const auto three = [&](double a, double weight) {
    const double b = 1.0 - 2.0 * a;
    rule.push_back({{b, a, a}, weight});
    rule.push_back({{a, b, a}, weight});
    rule.push_back({{a, a, b}, weight});
  };
  const auto six = [&](double a, double b, double weight) {
    const double c = 1.0 - a - b;
    for (const Eigen::Vector3d& point : {Eigen::Vector3d(a, b, c), Eigen::Vector3d(a, c, b)})
      for (int turn = 0; turn < 3; ++turn)
        rule.push_back({{point[turn], point[(turn + 1) % 3], point[(turn + 2) % 3]}, weight});
  };
  const double root_10 = std::sqrt(10.0), root_15 = std::sqrt(15.0);
  const double a_4 = std::sqrt(38.0 - 44.0 * std::sqrt(0.4));
  const double w_4 = std::sqrt(213125.0 - 53320.0 * root_10);
  switch (degree) {
    case 1:
      one(1.0);
      break;
    case 2:
      three(1.0 / 6.0, 1.0 / 3.0);
      break;
    case 3:
    case 4:
      three((8.0 - root_10 + a_4) / 18.0, (620.0 + w_4) / 3720.0);
      three((8.0 - root_10 - a_4) / 18.0, (620.0 - w_4) / 3720.0);
      break;
    case 5:
      one(9.0 / 40.0);
      three((6.0 - root_15) / 21.0, (155.0 - root_15) / 1200.0);
      three((6.0 + root_15) / 21.0, (155.0 + root_15) / 1200.0);
      break;
    case 6:
      three(0.249286745170910421292, 0.116786275726379366030);
      three(0.063089014491502227340, 0.050844906370206816921);
      six(0.053145049844816947353, 0.310352451033784405416, 0.082851075618373575194);
      break;
    default:
      throw std::invalid_argument("quadrature of degree " + std::to_string(degree) +
                                  ": must be 1 to 6");
  }
  return rule;
}

}  // namespace slipwave::fem
