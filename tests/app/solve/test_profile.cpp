#include "app/solve/profile.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

using namespace slipwave::app;

namespace {

constexpr double failed = std::numeric_limits<double>::infinity();

/// Four problems, three methods; nobody solves the last problem.
Eigen::ArrayXXd times() {
  Eigen::ArrayXXd t(4, 3);
  t << 1.0, 2.0, 4.0,    //
      3.0, 3.0, failed,  //
      10.0, 5.0, 80.0,   //
      failed, failed, failed;
  return t;
}

}  // namespace

TEST_CASE("app/solve/profile: ratios are to the fastest of each problem, infinite where failed") {
  Eigen::ArrayXXd expected(4, 3);
  expected << 1.0, 2.0, 4.0,  //
      1.0, 1.0, failed,       //
      2.0, 1.0, 16.0,         //
      failed, failed, failed;
  CHECK((ratios_to_fastest(times()) == expected).all());
}

TEST_CASE("app/solve/profile: shares are of all problems, those that nobody solves too") {
  const Eigen::ArrayXXd ratios = ratios_to_fastest(times());
  CHECK(share_within(ratios.col(0), 1.0) == 0.5);
  CHECK(share_within(ratios.col(0), 1.5) == 0.5);
  CHECK(share_within(ratios.col(0), 2.0) == 0.75);
  CHECK(share_within(ratios.col(1), 1.0) == 0.5);
  CHECK(share_within(ratios.col(1), 2.0) == 0.75);
  CHECK(share_within(ratios.col(2), 3.9) == 0.0);
  CHECK(share_within(ratios.col(2), 4.0) == 0.25);
  CHECK(share_within(ratios.col(2), 1e300) == 0.5);
  CHECK(share_within(Eigen::ArrayXd(), 1.0) == 0.0);
}

TEST_CASE("app/solve/profile: steps rise at the ratios and end at the last tau") {
  const Eigen::ArrayXXd ratios = ratios_to_fastest(times());
  const ProfileSteps first = profile_steps(ratios.col(0), 8.0);
  CHECK(first.x == std::vector<double>{0.0, 1.0, 1.0, 3.0});
  CHECK(first.y == std::vector<double>{0.5, 0.5, 0.75, 0.75});
  const ProfileSteps third = profile_steps(ratios.col(2), 8.0);
  CHECK(third.x == std::vector<double>{0.0, 2.0, 2.0, 3.0});
  CHECK(third.y == std::vector<double>{0.0, 0.0, 0.25, 0.25});
  CHECK(profile_steps(ratios.col(2), 2.0).x.empty());
}

TEST_CASE("app/solve/profile: the median of an odd and of an even number of numbers") {
  CHECK(median({3.0, 1.0, 100.0}) == 3.0);
  CHECK(median({3.0, 1.0, 100.0, 5.0}) == 4.0);
  CHECK(median({failed, 1.0, failed}) == failed);
  CHECK_THROWS_AS(median({}), std::invalid_argument);
}
