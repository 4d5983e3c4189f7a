#include "fem/quadrature.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace slipwave::fem {

namespace {

/// The largest error, relative to the integral, over the monomials L1^a L2^b L3^c of a degree.
double largest_error(const std::vector<QuadraturePoint>& rule, int degree) {
  double largest = 0.0;
  for (int a = 0; a <= degree; ++a)
    for (int b = 0; a + b <= degree; ++b) {
      const int c = degree - a - b;
      double sum = 0.0;
      for (const auto& [L, weight] : rule)
        sum += weight * std::pow(L[0], a) * std::pow(L[1], b) * std::pow(L[2], c);
      // 2 a! b! c! / (a + b + c + 2)!, over a triangle of unit area.
      const double exact = 2.0 * std::tgamma(a + 1) * std::tgamma(b + 1) * std::tgamma(c + 1) /
                           std::tgamma(degree + 3);
      largest = std::max(largest, std::abs(sum / exact - 1.0));
    }
  return largest;
}

}  // namespace

TEST_CASE(
    "fem/quadrature: every monomial up to the degree is integrated, of the next one not all") {
  for (int degree = 1; degree <= 6; ++degree) {
    CAPTURE(degree);
    const auto rule = triangle_rule(degree);
    for (int d = 0; d <= degree; ++d) CHECK(largest_error(rule, d) <= 1e-14);
    const int reached = degree == 3 ? 4 : degree;
    CHECK(largest_error(rule, reached + 1) >= 1e-3);
  }
}

TEST_CASE("fem/quadrature: points are inside, weights positive and their sum 1") {
  const int counts[] = {1, 3, 6, 6, 7, 12};
  for (int degree = 1; degree <= 6; ++degree) {
    CAPTURE(degree);
    double sum = 0.0;
    for (const auto& [L, weight] : triangle_rule(degree)) {
      CHECK(L.minCoeff() > 0.05);
      CHECK(L.sum() == doctest::Approx(1.0).epsilon(1e-15));
      CHECK(weight > 0.0);
      sum += weight;
    }
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-15));
    CHECK(int(triangle_rule(degree).size()) == counts[degree - 1]);
  }
}

TEST_CASE("fem/quadrature: other degrees are refused") {
  CHECK_THROWS_WITH(triangle_rule(0), "quadrature of degree 0: must be 1 to 6");
  CHECK_THROWS_WITH(triangle_rule(7), "quadrature of degree 7: must be 1 to 6");
}

}  // namespace slipwave::fem
