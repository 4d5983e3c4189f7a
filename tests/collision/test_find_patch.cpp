// find_patch() against a slow oracle, and what must hold for any pair.

#include "collision/patch.hpp"
#include "tests/collision/random_solids.hpp"
#include "tests/collision/slow_distance.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace slipwave;
using namespace slipwave::collision;
using Eigen::Vector3d;
using tests::RandomSolids;

namespace {

constexpr double far_alert = 1e3;

/// Two polyhedra somewhere.
struct Drawn {
  Convex A, B;
  Pose at_A, at_B;

  double size() const { return extent(A) + extent(B); }
  double exact() const { return tests::slow_gap({A, at_A}, {B, at_B}); }
  Patch patch(double alert = far_alert) const {
    Patch result;
    find_patch(A, at_A, B, at_B, 0.0, alert, result);
    return result;
  }
};

double least_gap(const Patch& patch) {
  double least = 1e300;
  for (const PatchPoint& point : patch.points) least = std::min(least, point.gap);
  return least;
}

Drawn drawn(RandomSolids& random) {
  return {random.shape(),
          random.shape(),
          {1.3 * random.vector(), random.rotation()},
          {1.3 * random.vector(), random.rotation()}};
}

/// Boxes face to face, edge to edge, corner to corner, or nearly so.
Drawn drawn_boxes(RandomSolids& random) {
  Drawn pair{random.box(), random.box(), random.on_lattice(), random.on_lattice()};
  const double off = std::pow(10.0, -1.0 - random.whole(15));
  if (random.whole(3) > 0) pair.at_A.x += off * random.vector();
  if (random.whole(3) > 0)
    pair.at_A.R = Eigen::AngleAxisd(off, random.vector().normalized()).matrix() * pair.at_A.R;
  return pair;
}

/// Moves A along the normal to about a given gap.
void set_gap(Drawn& pair, double gap) {
  const Patch patch = pair.patch();
  if (!patch.points.empty()) pair.at_A.x += (gap - least_gap(patch)) * patch.normal;
}

/// Touching bodies may have no patch.
void check_exact(const Drawn& pair) {
  const Patch patch = pair.patch();
  const double exact = pair.exact();
  if (patch.points.empty())
    CHECK(std::abs(exact) <= 1e-7 * pair.size());
  else
    CHECK(std::abs(least_gap(patch) - exact) <= 1e-12 * pair.size());
}

bool are_same(const PatchPoint& a, const PatchPoint& b) {
  return a.point == b.point && a.gap == b.gap && a.id == b.id;
}

void check_symmetric(const Drawn& pair) {
  const Patch patch = pair.patch();
  const Patch other = Drawn{pair.B, pair.A, pair.at_B, pair.at_A}.patch();
  CHECK(std::ranges::equal(patch.points, other.points, are_same));
  const bool same = pair.at_A.x == pair.at_B.x;  // perhaps the same body twice
  if (!patch.points.empty() && !same) CHECK(patch.normal == -other.normal);
}

void check_ids(const Patch& patch) {
  for (std::size_t i = 0; i < patch.points.size(); ++i) {
    CHECK(patch.points[i].id < (1u << 24));
    if (i > 0) CHECK(patch.points[i - 1].id < patch.points[i].id);
  }
}

}  // namespace

TEST_CASE("collision/find_patch: 60 000 random pairs have the gap of the slow oracle") {
  RandomSolids random(1);
  for (int trial = 0; trial < 60000; ++trial) {
    Drawn pair = drawn(random);
    if (trial % 3 == 1) set_gap(pair, std::pow(10.0, random.number(-10.0, 0.0)));
    if (trial % 3 == 2) set_gap(pair, -std::pow(10.0, random.number(-10.0, -1.0)));
    CAPTURE(trial);
    check_exact(pair);
  }
}

TEST_CASE("collision/find_patch: 40 000 pairs of boxes that nearly touch have it too") {
  RandomSolids random(2);
  for (int trial = 0; trial < 40000; ++trial) {
    CAPTURE(trial);
    check_exact(drawn_boxes(random));
  }
}

TEST_CASE("collision/find_patch: the same bits and ids for (B, A), ids that differ") {
  RandomSolids random(3);
  for (int trial = 0; trial < 20000; ++trial) {
    Drawn pair = trial % 2 == 0 ? drawn(random) : drawn_boxes(random);
    if (trial % 4 == 0) pair.B = pair.A;
    CAPTURE(trial);
    check_symmetric(pair);
    check_ids(pair.patch());
  }
}
