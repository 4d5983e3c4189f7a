#include "app/report/packed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipwave::app {

std::string base64(std::span<const std::byte> bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

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
