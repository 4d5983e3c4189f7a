// find_patch() against a slow oracle, and what must hold for any pair.

#include "collision/patch.hpp"
#include "tests/collision/random_solids.hpp"
#include "tests/collision/slow_distance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace slipwave;
using namespace slipwave::collision;
using Eigen::Vector3d;
using tests::RandomSolids;

namespace {

constexpr double far_alert = 1e3;
#ifdef SLIPWAVE_SANITIZED
constexpr int share = 20;  // a sanitizer looks at one of so many
#else
constexpr int share = 1;
#endif

/// Two polyhedra somewhere.
struct Drawn {
  Convex A, B;
  Pose at_A, at_B;
  double skin = 0.0;

  double size() const { return extent(A) + extent(B); }
  /// That of the cores, and what they are grown by.
  double exact() const {
    return tests::slow_gap({A, at_A}, {B, at_B}) - A.radius - B.radius - skin;
  }
  Patch patch(double alert = far_alert) const {
    Patch result;
    find_patch(A, at_A, B, at_B, skin, alert, result);
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

/// Touching bodies may have no patch. Where cores are nearer than 1e-9 of the size and edges
/// parallel to round-off, the directions of the edges do not give a normal to the last digits.
void check_exact(const Drawn& pair) {
  const Patch patch = pair.patch();
  const double exact = pair.exact();
  const double core = exact + pair.A.radius + pair.B.radius + pair.skin;
  const double tolerance = std::abs(core) <= 1e-9 * pair.size() ? 3e-12 : 1e-12;
  if (patch.points.empty())
    CHECK(std::abs(exact) <= 1e-7 * pair.size());
  else
    CHECK(std::abs(least_gap(patch) - exact) <= tolerance * pair.size());
}

/// Where the line through a point along n enters a polyhedron and leaves it; planes that are missed
/// by round-off are hit.
std::array<double, 2> passage(const tests::SlowSolid& solid, const Vector3d& point,
                              const Vector3d& n) {
  std::array<double, 2> ends = {-1e300, 1e300};
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    const Vector3d normal = solid.normals[f].cast<double>();
    const Vector3d on = solid.at(solid.faces[f][0]).cast<double>();
    const double slope = normal.dot(n), height = normal.dot(on - point);
    if (slope < -1e-6) ends[0] = std::max(ends[0], height / slope);
    if (slope > 1e-6) ends[1] = std::min(ends[1], height / slope);
  }
  return ends;
}

/// Every point is half way between where the line along n leaves B and enters A.
void check_points(const Drawn& pair) {
  const Patch patch = pair.patch();
  const tests::SlowSolid A(pair.A, pair.at_A), B(pair.B, pair.at_B);
  for (const PatchPoint& point : patch.points) {
    const double enters = passage(A, point.point, patch.normal)[0];
    const double leaves = passage(B, point.point, patch.normal)[1];
    CHECK(std::abs(enters - leaves - point.gap) <= 1e-9);
    CHECK(std::abs(enters + leaves) <= 1e-9);
  }
}

/// Both bodies moved together.
Drawn moved(const Drawn& pair, const Pose& by) {
  const auto move = [&](const Pose& at) { return Pose{by.R * at.x + by.x, by.R * at.R}; };
  return {pair.A, pair.B, move(pair.at_A), move(pair.at_B), pair.skin};
}

/// Bodies of the same shape may give points of mirrored ids the other way round.
void check_same_gaps(const Patch& a, const Patch& b, double tolerance) {
  REQUIRE(a.points.size() == b.points.size());
  std::vector<double> gaps_a, gaps_b;
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    CHECK(a.points[i].id == b.points[i].id);
    gaps_a.push_back(a.points[i].gap);
    gaps_b.push_back(b.points[i].gap);
  }
  std::ranges::sort(gaps_a);
  std::ranges::sort(gaps_b);
  for (std::size_t i = 0; i < gaps_a.size(); ++i)
    CHECK(std::abs(gaps_a[i] - gaps_b[i]) <= tolerance);
}

bool are_same(const PatchPoint& a, const PatchPoint& b) {
  return a.point == b.point && a.gap == b.gap && a.id == b.id;
}

void check_symmetric(const Drawn& pair) {
  const Patch patch = pair.patch();
  const Patch other = Drawn{pair.B, pair.A, pair.at_B, pair.at_A, pair.skin}.patch();
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
  for (int trial = 0; trial < 60000 / share; ++trial) {
    Drawn pair = drawn(random);
    if (trial % 3 == 1) set_gap(pair, std::pow(10.0, random.number(-10.0, 0.0)));
    if (trial % 3 == 2) set_gap(pair, -std::pow(10.0, random.number(-10.0, -1.0)));
    CAPTURE(trial);
    check_exact(pair);
  }
}

TEST_CASE("collision/find_patch: 40 000 pairs of boxes that nearly touch have it too") {
  RandomSolids random(2);
  for (int trial = 0; trial < 40000 / share; ++trial) {
    CAPTURE(trial);
    check_exact(drawn_boxes(random));
  }
}

TEST_CASE(
    "collision/find_patch: 20 000 pairs with a sphere or capsule, or a skin, have it as well") {
  RandomSolids random(8);
  for (int trial = 0; trial < 20000 / share; ++trial) {
    Drawn pair = trial % 2 == 0 ? drawn(random) : drawn_boxes(random);
    pair.skin = random.number(0.0, 0.1);
    if (trial % 3 > 0) pair.A = random.round();
    if (trial % 3 > 1) pair.B = random.round();
    if (trial % 5 == 0) set_gap(pair, std::pow(10.0, random.number(-10.0, 0.0)));
    CAPTURE(trial);
    check_exact(pair);
    check_symmetric(pair);
    check_ids(pair.patch());
  }
}

TEST_CASE(
    "collision/find_patch: nothing is beyond the alert distance, and nothing within is missed") {
  RandomSolids random(9);
  for (int trial = 0; trial < 5000 / share; ++trial) {
    const Drawn pair = drawn(random);
    const double exact = pair.exact();
    CHECK(pair.patch(exact - 1e-12).points.empty());
    const Patch patch = pair.patch(exact + 1e-12), all = pair.patch(exact + 0.1);
    CHECK(!patch.points.empty());
    CHECK(all.normal == patch.normal);
    for (const PatchPoint& point : all.points) CHECK(point.gap <= exact + 0.1);
    for (const PatchPoint& point : pair.patch().points)
      CHECK(std::ranges::count(all.points, point.id, &PatchPoint::id) ==
            (point.gap <= exact + 0.1 ? 1 : 0));
  }
}

TEST_CASE("collision/find_patch: the same bits and ids for (B, A), ids that differ") {
  RandomSolids random(3);
  for (int trial = 0; trial < 20000 / share; ++trial) {
    Drawn pair = trial % 2 == 0 ? drawn(random) : drawn_boxes(random);
    if (trial % 4 == 0) pair.B = pair.A;
    CAPTURE(trial);
    check_symmetric(pair);
    check_ids(pair.patch());
  }
}

TEST_CASE("collision/find_patch: each point is between the surfaces, its gap along the normal") {
  RandomSolids random(4);
  for (int trial = 0; trial < 5000 / share; ++trial) {
    Drawn pair = drawn(random);
    if (trial % 2 == 1) set_gap(pair, std::pow(10.0, random.number(-6.0, 0.0)));
    CAPTURE(trial);
    check_points(pair);
  }
}

TEST_CASE("collision/find_patch: moving both bodies together changes gaps by round-off") {
  RandomSolids random(5);
  for (int trial = 0; trial < 10000 / share; ++trial) {
    const Drawn pair = drawn(random);
    CAPTURE(trial);
    check_same_gaps(pair.patch(), moved(pair, {10.0 * random.vector(), random.rotation()}).patch(),
                    1e-11);
  }
}

TEST_CASE("collision/find_patch: so it does where boxes touch or are in line") {
  RandomSolids random(6);
  for (int trial = 0; trial < 10000 / share; ++trial) {
    const Drawn pair{random.box(), random.box(), random.on_lattice(), random.on_lattice()};
    if (pair.exact() < -1e-12) continue;
    CAPTURE(trial);
    check_same_gaps(pair.patch(), moved(pair, {10.0 * random.vector(), random.rotation()}).patch(),
                    1e-13);
  }
}

TEST_CASE("collision/find_patch: gaps change as little as bodies and points move") {
  RandomSolids random(7);
  double most = 0.0;
  for (int trial = 0; trial < 2000 / share; ++trial) {
    Drawn pair = drawn(random);
    set_gap(pair, 0.1);
    const double step = 1e-4;
    const Vector3d v = step * random.vector(), axis = random.vector().normalized();
    Patch before = pair.patch();
    for (int k = 0; k < 50; ++k) {
      pair.at_A.x += v;
      pair.at_A.R = Eigen::AngleAxisd(step, axis).matrix() * pair.at_A.R;
      const Patch patch = pair.patch();
      for (const PatchPoint& point : patch.points)
        for (const PatchPoint& old : before.points)
          if (point.id == old.id)
            most = std::max(
                most, std::abs(point.gap - old.gap) / (step + (point.point - old.point).norm()));
      CHECK(std::abs(least_gap(patch) - least_gap(before)) <= 4.0 * step);
      before = patch;
    }
  }
  CHECK(most <= 40.0);
}
