#include "collision/broad_phase.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

using namespace slipwave::collision;
using Eigen::Array3d;

TEST_CASE("collision/broad_phase: all pairs of boxes that meet, whatever the widest axis") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  BroadPhase broad_phase;
  for (int trial = 0; trial < 30; ++trial) {
    std::vector<Bounds> boxes;
    Array3d spread = Array3d::Ones();
    spread[trial % 3] = 5.0;
    for (int i = 0; i < 60; ++i) {
      const Array3d centre = spread * Array3d(number(random), number(random), number(random));
      const Array3d half = 0.5 * Array3d(number(random), number(random), number(random)).abs();
      boxes.push_back({centre - half, centre + half});
    }
    std::vector<Candidates> expected;
    for (int A = 0; A < 60; ++A)
      for (int B = A + 1; B < 60; ++B)
        if (boxes[static_cast<std::size_t>(A)].meets(boxes[static_cast<std::size_t>(B)]))
          expected.push_back({A, B});
    std::vector<Candidates> found = broad_phase.find(boxes);
    std::ranges::sort(found, {}, [](const Candidates& c) { return std::pair(c.A, c.B); });
    CHECK(found == expected);
    CHECK(!found.empty());
  }
}

TEST_CASE("collision/broad_phase: boxes that touch meet, empty ones meet nobody") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Bounds a{Array3d::Zero(), Array3d::Ones()};
  const Bounds b{Array3d(1.0, 0.0, 0.0), Array3d(2.0, 1.0, 1.0)};
  const Bounds empty{Array3d::Constant(infinity), Array3d::Constant(-infinity)};
  BroadPhase broad_phase;
  CHECK(broad_phase.find({b, empty, a, empty}) == std::vector<Candidates>{{0, 2}});
  CHECK(broad_phase.find({empty, empty}).empty());
}
