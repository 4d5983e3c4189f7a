#include "collision/detection.hpp"
#include "tests/collision/random_solids.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/masonry_wall.hpp"

#include <doctest/doctest.h>

using namespace slipwave;

TEST_CASE("collision/detection: allocates nothing once its memory has grown") {
  if (!counting_allocations()) return;
  tests::RandomSolids random(1);
  const tests::MasonryWall wall(0.01);
  collision::Detection detection = wall.detection();
  const std::vector<double> alert = wall.alert(0.01);
  const std::vector<char> present = wall.present();
  std::vector<std::vector<collision::Pose>> configurations(6, wall.poses);
  for (std::vector<collision::Pose>& poses : configurations)
    for (collision::Pose& pose : poses) {
      pose.x += 0.02 * random.vector();
      pose.R = Eigen::AngleAxisd(0.02, random.vector().normalized()).matrix() * pose.R;
    }
  const auto find_all = [&] {
    std::size_t points = 0;
    for (const std::vector<collision::Pose>& poses : configurations)
      for (const collision::Meeting& meeting : detection.find(poses, alert, present))
        points += meeting.patch.points.size();
    return points;
  };
  // Patches change places, each with the memory that it has.
  std::size_t points = 0;
  for (int k = 0; k < 10; ++k) points = find_all();
  CHECK(points > 6000);
  const long before = allocations();
  CHECK(find_all() == points);
  CHECK(allocations() == before);
}
