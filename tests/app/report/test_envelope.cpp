#include "app/report/envelope.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace slipwave;

TEST_CASE("app/report/envelope: a thinned curve keeps its ends and every spike") {
  std::vector<double> values(10'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.001 * double(i));
  values[1234] = 50.0;
  values[1235] = -50.0;
  const std::vector<std::size_t> rows = app::envelope(values, 100);
  CHECK(rows.size() <= 202);
  CHECK(rows.front() == 0);
  CHECK(rows.back() == 9'999);
  CHECK(std::is_sorted(rows.begin(), rows.end()));
  CHECK(std::count(rows.begin(), rows.end(), 1234) == 1);
  CHECK(std::count(rows.begin(), rows.end(), 1235) == 1);
}

TEST_CASE("app/report/envelope: a short curve is drawn row by row, and a gap is not lost") {
  CHECK(app::envelope({3.0, 1.0, 2.0}, 100) == std::vector<std::size_t>{0, 1, 2});
  CHECK(app::envelope({}, 100).empty());
  std::vector<double> values(1'000, 1.0);
  values[777] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::size_t> rows = app::envelope(values, 10);
  CHECK(std::count(rows.begin(), rows.end(), 777) == 1);
}
