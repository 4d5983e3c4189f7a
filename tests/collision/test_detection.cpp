#include "collision/detection.hpp"

#include "parallel/team.hpp"
#include "tests/collision/random_solids.hpp"
#include "tests/support/masonry_wall.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace slipwave;
using namespace slipwave::collision;
using Eigen::Vector3d;

namespace {

bool are_same(const PatchPoint& a, const PatchPoint& b) {
  return a.point == b.point && a.gap == b.gap && a.id == b.id;
}

bool are_same(const Meeting& a, const Meeting& b) {
  return a.A == b.A && a.B == b.B && a.patch.normal == b.patch.normal &&
         std::ranges::equal(a.patch.points, b.patch.points,
                            [](const auto& p, const auto& q) { return are_same(p, q); });
}

bool are_same(const std::vector<Meeting>& a, const std::vector<Meeting>& b) {
  return std::ranges::equal(a, b, [](const auto& m, const auto& n) { return are_same(m, n); });
}

/// Every joint has four points, and gaps up to `gap`.
void check_joints(const tests::MasonryWall& wall, double gap) {
  Detection detection = wall.detection();
  const std::vector<Meeting>& meetings =
      detection.find(wall.poses, wall.alert(1e-3), wall.present());
  CHECK(meetings.size() == 755);
  int points = 0;
  double most = 0.0;
  for (const Meeting& meeting : meetings)
    for (const PatchPoint& point : meeting.patch.points) {
      ++points;
      most = std::max(most, std::abs(point.gap));
    }
  CHECK(points == 3020);
  CHECK(most <= gap);
}

/// Who has a patch with whom, and the ids of its points.
std::vector<std::pair<int, std::uint32_t>> names(const std::vector<Meeting>& meetings) {
  std::vector<std::pair<int, std::uint32_t>> result;
  for (const Meeting& meeting : meetings)
    for (const PatchPoint& point : meeting.patch.points)
      result.emplace_back(1000 * meeting.A + meeting.B, point.id);
  return result;
}

/// Bodies of all kinds, heaped up.
struct Heap {
  std::vector<Collider> bodies;
  std::vector<Pose> poses;
  std::vector<double> alert;
  std::vector<char> present;

  explicit Heap(tests::RandomSolids& random) {
    for (int i = 0; i < 60; ++i) {
      add(random.shape(), random);
      if (i % 6 == 0) add(sphere(0.3), random);
      if (i % 6 == 1) add(capsule(1.0, 0.2), random);
      if (i % 20 == 2) add(HalfSpace{{0.0, 0.0, -2.0}, Vector3d::UnitZ()}, random);
    }
  }
  void add(const Shape& shape, tests::RandomSolids& random) {
    const auto i = static_cast<int>(bodies.size());
    bodies.push_back({shape, 0.1 * (i % 2), i % 3, i % 5 != 0});
    poses.push_back({4.0 * random.vector(), random.rotation()});
    alert.push_back(i % 4 < 2 ? 0.0 : random.number(0.0, 0.2));
    present.push_back(i % 7 != 0);
  }
  static std::vector<std::vector<char>> touches() { return {{1, 1, 0}, {1, 1, 1}, {0, 1, 0}}; }
};

/// One pair after the other.
std::vector<Meeting> slowly(const Heap& heap) {
  std::vector<Meeting> result;
  const auto count = static_cast<int>(heap.bodies.size());
  for (int A = 0; A < count; ++A)
    for (int B = A + 1; B < count; ++B) {
      const auto i = static_cast<std::size_t>(A), j = static_cast<std::size_t>(B);
      const Collider &a = heap.bodies[i], &b = heap.bodies[j];
      const auto g = static_cast<std::size_t>(a.group), h = static_cast<std::size_t>(b.group);
      if (!heap.present[i] || !heap.present[j] || !(a.moves || b.moves)) continue;
      if (!Heap::touches()[g][h]) continue;
      Meeting meeting{A, B, {}};
      find_patch(a.shape, heap.poses[i], b.shape, heap.poses[j], a.skin + b.skin,
                 heap.alert[i] + heap.alert[j], meeting.patch);
      if (!meeting.patch.points.empty()) result.push_back(meeting);
    }
  return result;
}

}  // namespace

TEST_CASE(
    "collision/detection: the wall has 755 joints of four points, blocks that share an edge "
    "none") {
  check_joints(tests::MasonryWall(), 1e-14);
}

TEST_CASE("collision/detection: so it has wherever it stands and however it is turned") {
  tests::RandomSolids random(1);
  for (const double distance : {0.0, 10.0, 1000.0}) {
    tests::MasonryWall wall;
    const Pose by{distance * random.vector(), random.rotation()};
    for (Pose& pose : wall.poses) pose = {by.R * pose.x + by.x, by.R * pose.R};
    check_joints(wall, 1e-14 * (20.0 + distance));
  }
}

TEST_CASE("collision/detection: and with blocks a little out of place, every point the same id") {
  tests::RandomSolids random(2);
  const tests::MasonryWall exact;
  Detection detection = exact.detection();
  const auto expected = names(detection.find(exact.poses, exact.alert(1e-3), exact.present()));
  for (const double off : {1e-16, 1e-13, 1e-11, 1e-9, 1e-8}) {
    tests::MasonryWall wall;
    for (Pose& pose : wall.poses) {
      pose.x += off * random.vector();
      pose.R = Eigen::AngleAxisd(off, random.vector().normalized()).matrix() * pose.R;
    }
    CAPTURE(off);
    check_joints(wall, 40.0 * off + 1e-14);
    CHECK(names(detection.find(wall.poses, wall.alert(1e-3), wall.present())) == expected);
  }
}

TEST_CASE(
    "collision/detection: finds what pairs one by one find, the same bits on 1, 2, 4 threads") {
  tests::RandomSolids random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Heap heap(random);
    const std::vector<Meeting> expected = slowly(heap);
    CHECK(expected.size() > 5);
    for (const int threads : {1, 2, 4}) {
      parallel::set_threads(threads);
      Detection detection(heap.bodies, Heap::touches());
      CHECK(are_same(detection.find(heap.poses, heap.alert, heap.present), expected));
    }
    parallel::set_threads(1);
  }
}

TEST_CASE("collision/detection: skins, radii and alert distances of both bodies count") {
  for (const bool plane : {true, false}) {
    const Shape ground = plane ? Shape(HalfSpace{}) : Shape(box({9.0, 9.0, 0.0625}));
    const double top = plane ? 0.0 : 0.03125;
    Detection detection({{ground, 0.25}, {sphere(1.0), 0.5}}, {{1}});
    const auto met = [&](double height, double alert_ground, double alert_ball) {
      const std::vector<Pose> poses = {{}, {{0.0, 0.0, top + height}, Eigen::Matrix3d::Identity()}};
      return !detection.find(poses, {alert_ground, alert_ball}, {1, 1}).empty();
    };
    CHECK(met(1.75, 0.0, 0.0));
    CHECK(!met(1.8125, 0.0, 0.0));
    CHECK(met(1.8125, 0.0625, 0.0));
    CHECK(met(1.8125, 0.0, 0.0625));
  }
}

TEST_CASE("collision/detection: remembers nothing of configurations before") {
  tests::RandomSolids random(4);
  Heap heap(random);
  Detection old(heap.bodies, Heap::touches());
  for (int trial = 0; trial < 20; ++trial) {
    for (Pose& pose : heap.poses) pose.x = (trial % 2 == 0 ? 4.0 : 8.0) * random.vector();
    for (char& present : heap.present) present = random.whole(5) > 0;
    Detection fresh(heap.bodies, Heap::touches());
    CHECK(are_same(old.find(heap.poses, heap.alert, heap.present),
                   fresh.find(heap.poses, heap.alert, heap.present)));
  }
}

/// At 60 m/s and ten times the step of the paper the pebble flies 0.3 m in a step, through the
/// plate of 0.02 m; with alert distances of 2 h |u| it is seen in front of it, with none it never
/// is.
TEST_CASE("collision/detection: a fast pebble is seen before a thin plate") {
  const double h = 5e-3, u = 60.0;
  Detection detection({{box({0.02, 2.0, 2.0})}, {hull(box({0.05, 0.05, 0.05}).vertices)}}, {{1}});
  for (const double start : {-1.0, -0.9, -0.85, -0.8, -0.75})
    for (const bool alert : {true, false}) {
      bool seen = false;
      for (double x = start; x < 1.0; x += h * u) {
        const std::vector<Meeting>& meetings =
            detection.find({{}, {{x, 0.1, 0.2}, Eigen::Matrix3d::Identity()}},
                           {0.0, alert ? 2.0 * h * u : 0.0}, {1, 1});
        for (const Meeting& meeting : meetings)
          if (x < 0.0 && meeting.patch.normal == Vector3d::UnitX()) seen = true;
      }
      CHECK(seen == alert);
    }
}
