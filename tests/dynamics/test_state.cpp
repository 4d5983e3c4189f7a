#include "dynamics/state.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace slipwave;

TEST_CASE("dynamics/state: one number that is not finite is seen in any of the vectors") {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto member :
       {&dynamics::State::q, &dynamics::State::v, &dynamics::State::a, &dynamics::State::filtered_q,
        &dynamics::State::filtered_v, &dynamics::State::filtered_F})
    for (const double bad : {infinity, -infinity, nan})
      for (const int place : {0, 57, 100}) {
        dynamics::State state;
        for (Eigen::VectorXd* vector : {&state.q, &state.v, &state.a, &state.filtered_q,
                                        &state.filtered_v, &state.filtered_F})
          vector->setConstant(101, std::numeric_limits<double>::max());
        CHECK(state.is_finite());
        (state.*member)[place] = bad;
        CHECK(!state.is_finite());
      }
}

TEST_CASE("dynamics/state: two infinities of opposite sign do not hide each other") {
  dynamics::State state;
  state.q = state.v = Eigen::VectorXd::Zero(4);
  state.v[0] = std::numeric_limits<double>::infinity();
  state.v[1] = -state.v[0];
  CHECK(!state.is_finite());
}
