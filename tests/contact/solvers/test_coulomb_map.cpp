#include "contact/solvers/coulomb_map.hpp"

#include "contact/laws/coulomb3d.hpp"
#include "contact/residual.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace slipwave::contact {

namespace {

/// By central differences of the map.
template <int d>
Eigen::Matrix<double, d, d> by_differences(const Eigen::Matrix<double, d, 1>& y, double mu) {
  const double h = 1e-6;
  Eigen::Matrix<double, d, d> derivative;
  for (int j = 0; j < d; ++j) {
    const Eigen::Matrix<double, d, 1> e = h * Eigen::Matrix<double, d, 1>::Unit(j);
    derivative.col(j) = (coulomb_map<d>(y + e, mu) - coulomb_map<d>(y - e, mu)) / (2.0 * h);
  }
  return derivative;
}

struct Seen {
  double worst = 0.0;
  int open = 0, sticking = 0, sliding = 0;
};

/// Random points, but those within 1e-4 of where the map has no derivative.
template <int d>
Seen compare(double mu, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  Seen seen;
  for (int trial = 0; trial < 10000; ++trial) {
    Eigen::Matrix<double, d, 1> y;
    for (double& entry : y) entry = normal(generator);
    const double norm_T = y.template tail<d - 1>().norm();
    if (std::abs(norm_T - mu * y[0]) < 1e-4 || std::abs(y[0]) < 1e-4 || norm_T < 1e-2) continue;
    const auto derivative = coulomb_map_derivative<d>(y, mu);
    seen.worst = std::max(seen.worst, (derivative - by_differences<d>(y, mu)).norm());
    ++(y[0] < 0.0 ? seen.open : norm_T < mu * y[0] ? seen.sticking : seen.sliding);
  }
  return seen;
}

template <int d>
void check_dimension() {
  std::mt19937_64 generator(1);
  for (const double mu : {0.0, 0.3, 1.0, 2.0}) {
    const Seen seen = compare<d>(mu, generator);
    CHECK(seen.worst <= 1e-6);
    CHECK(seen.open > 200);
    CHECK(seen.sliding > 200);
    if (mu > 0.0) CHECK(seen.sticking > 200);
  }
}

}  // namespace

TEST_CASE("contact/coulomb_map: the derivative is that of central differences") {
  check_dimension<2>();
  check_dimension<3>();
}

TEST_CASE("contact/coulomb_map: without friction only the normal part is left") {
  const Eigen::Matrix3d normal = Eigen::Vector3d::UnitX() * Eigen::RowVector3d::UnitX();
  CHECK(coulomb_map<3>({2.0, 3.0, 4.0}, 0.0) == Eigen::Vector3d(2.0, 0.0, 0.0));
  CHECK(coulomb_map_derivative<3>({2.0, 0.0, 0.0}, 0.0) == normal);
  CHECK(coulomb_map_derivative<3>({2.0, 3.0, 4.0}, 0.0) == normal);
  CHECK(coulomb_map_derivative<3>({-2.0, 3.0, 4.0}, 0.0) == Eigen::Matrix3d::Zero());
  CHECK(coulomb_map_derivative<2>({0.0, 0.0}, 0.0) == Eigen::Matrix2d::Zero());
}

TEST_CASE("contact/coulomb_map: where the derivative jumps it is one of the two sides") {
  CHECK(coulomb_map_derivative<3>({5.0, 3.0, 4.0}, 1.0) == Eigen::Matrix3d::Identity());
  CHECK(coulomb_map_derivative<3>({0.0, 3.0, 4.0}, 1.0) == Eigen::Matrix3d::Zero());
  CHECK(coulomb_map_derivative<3>({1.0, 0.0, 0.0}, 1.0) == Eigen::Matrix3d::Identity());
}

TEST_CASE(
    "contact/coulomb_map: its fixed points are the solutions of Coulomb's law, and no others") {
  std::mt19937_64 generator(2);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 1000; ++trial) {
    Eigen::Matrix3d A;
    Eigen::Vector3d c;
    for (double& entry : A.reshaped()) entry = normal(generator);
    for (double& entry : c) entry = normal(generator);
    const Eigen::Matrix3d W = A * A.transpose() + 0.1 * Eigen::Matrix3d::Identity();
    const double mu = 0.4, r = 0.7;
    const Eigen::Vector3d p = solve_local_3d(W, c, mu).p, w = W * p + c;
    CHECK((coulomb_map<3>(p - r * w, mu) - p).norm() <= 1e-9 * (1.0 + p.norm()));
    const Eigen::Vector3d q = p + Eigen::Vector3d(0.1, 0.0, 0.0), w_q = W * q + c;
    CHECK((coulomb_map<3>(q - r * w_q, mu) - q).norm() > 1e-3);
    CHECK(natural_map_3d(q, r * w_q, mu).norm() > 1e-3);
  }
}

}  // namespace slipwave::contact
