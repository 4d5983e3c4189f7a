#include "collision/detection.hpp"

#include "tests/support/masonry_wall.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace slipwave;
using namespace slipwave::collision;
using Eigen::Vector3d;

namespace {

int point_count(const std::vector<Meeting>& meetings) {
  int count = 0;
  for (const Meeting& meeting : meetings) count += static_cast<int>(meeting.patch.points.size());
  return count;
}

}  // namespace

TEST_CASE("collision/detection: the wall has 755 joints of four points") {
  const tests::MasonryWall wall;
  CHECK(wall.bodies.size() == 276);
  Detection detection = wall.detection();
  const std::vector<Meeting>& meetings =
      detection.find(wall.poses, wall.alert(1e-3), wall.present());
  CHECK(meetings.size() == 755);
  CHECK(point_count(meetings) == 3020);
  for (const Meeting& meeting : meetings)
    for (const PatchPoint& point : meeting.patch.points) CHECK(std::abs(point.gap) <= 1e-14);
}
