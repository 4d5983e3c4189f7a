#include "app/report/packed.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace slipwave;

TEST_CASE("app/report/packed: quantised numbers are off by half a level at most") {
  std::vector<float> values;
  for (int i = 0; i < 1'000; ++i) values.push_back(std::sin(float(i)) * 17.0f - 3.0f);
  values.push_back(std::numeric_limits<float>::quiet_NaN());
  const app::Quantised q = app::quantise(values);
  const double level = (q.high - q.low) / 65534.0;
  for (std::size_t i = 0; i < 1'000; ++i)
    CHECK(std::abs(q.low + level * q.levels[i] - values[i]) <= 0.5001 * level);
  CHECK(q.levels.back() == 65535);
  CHECK(app::quantise(std::vector<float>(3, 2.0f)).levels == std::vector<std::uint16_t>(3, 0));
}
