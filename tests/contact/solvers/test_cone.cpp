#include "contact/solvers/cone.hpp"

#include "contact/residual.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace slipwave::contact {

namespace {

/// By central differences of the projection.
template <int d>
Eigen::Matrix<double, d, d> by_differences(const Eigen::Matrix<double, d, 1>& x, double mu) {
  const double h = 1e-6;
  Eigen::Matrix<double, d, d> derivative;
  for (int j = 0; j < d; ++j) {
    const Eigen::Matrix<double, d, 1> e = h * Eigen::Matrix<double, d, 1>::Unit(j);
    derivative.col(j) = (project_on_cone<d>(x + e, mu) - project_on_cone<d>(x - e, mu)) / (2.0 * h);
  }
  return derivative;
}

struct Seen {
  double worst = 0.0;
  int inside = 0, polar = 0, edge = 0;
};

/// Random points, but those within 1e-4 of where the projection has no derivative.
template <int d>
Seen compare(double mu, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  Seen seen;
  for (int trial = 0; trial < 10000; ++trial) {
    Eigen::Matrix<double, d, 1> x;
    for (double& entry : x) entry = normal(generator);
    const double norm_T = x.template tail<d - 1>().norm();
    if (std::abs(norm_T - mu * x[0]) < 1e-4 || std::abs(mu * norm_T + x[0]) < 1e-4) continue;
    if (norm_T < 1e-2) continue;
    const auto derivative = cone_derivative<d>(x, mu);
    seen.worst = std::max(seen.worst, (derivative - by_differences<d>(x, mu)).norm());
    ++(norm_T < mu * x[0] ? seen.inside : mu * norm_T < -x[0] ? seen.polar : seen.edge);
  }
  return seen;
}

template <int d>
void check_dimension() {
  std::mt19937_64 generator(1);
  for (const double mu : {0.0, 0.3, 1.0, 2.0}) {
    const Seen seen = compare<d>(mu, generator);
    CHECK(seen.worst <= 1e-6);
    CHECK(seen.edge > 200);
    CHECK(seen.polar > 200);
    if (mu > 0.0) CHECK(seen.inside > 200);
  }
}

}  // namespace

TEST_CASE("contact/cone: the derivative of the projection is that of central differences") {
  check_dimension<2>();
  check_dimension<3>();
}

TEST_CASE("contact/cone: without friction only the normal part is left, wherever x_T points") {
  const Eigen::Matrix3d normal = Eigen::Vector3d::UnitX() * Eigen::RowVector3d::UnitX();
  CHECK(cone_derivative<3>({2.0, 0.0, 0.0}, 0.0) == normal);
  CHECK(cone_derivative<3>({2.0, 3.0, 4.0}, 0.0) == normal);
  CHECK(cone_derivative<3>({-2.0, 3.0, 4.0}, 0.0) == Eigen::Matrix3d::Zero());
  CHECK(cone_derivative<2>({0.0, 0.0}, 0.0) == Eigen::Matrix2d::Zero());
}

TEST_CASE("contact/cone: on the edge it is one of the two sides, symmetric, between 0 and 1") {
  CHECK(cone_derivative<3>({5.0, 3.0, 4.0}, 1.0) == Eigen::Matrix3d::Identity());
  CHECK(cone_derivative<3>({-5.0, 3.0, 4.0}, 1.0) == Eigen::Matrix3d::Zero());
  CHECK(cone_derivative<3>({0.0, 0.0, 0.0}, 1.0) == Eigen::Matrix3d::Identity());
  const Eigen::Matrix3d P = cone_derivative<3>({5.0, 6.0, 4.0}, 0.5);
  CHECK((P - P.transpose()).norm() == 0.0);
  CHECK((P * P - P).trace() <= 0.0);
}

}  // namespace slipwave::contact
