#include "app/report/packed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipwave::app {

Quantised quantise(std::span<const float> values) {
  constexpr std::uint16_t levels = 65534, not_a_number = 65535;
  Quantised q{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest(), {}};
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    q.low = std::min<double>(q.low, value);
    q.high = std::max<double>(q.high, value);
  }
  if (q.low > q.high) q.low = q.high = 0.0;
  const double scale = q.high > q.low ? levels / (q.high - q.low) : 0.0;
  q.levels.reserve(values.size());
  for (const float value : values)
    q.levels.push_back(std::isfinite(value)
                           ? static_cast<std::uint16_t>(std::lround((value - q.low) * scale))
                           : not_a_number);
  return q;
}

}  // namespace slipwave::app
