#pragma once

#include "files/base64.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slipwave::app {

/// The numbers of an array, little-endian, as text.
template <class Value>
std::string packed(const std::vector<Value>& values) {
  return files::base64(std::as_bytes(std::span(values)));
}

/// Numbers rounded to 65535 levels between the smallest and the largest: an error of at most
/// (high - low) / 131068.
struct Quantised {
  double low = 0.0, high = 0.0;
  std::vector<std::uint16_t> levels;  ///< 65535: not a finite number
};

/// Rounds to levels 0 to 65534.
Quantised quantise(std::span<const float> values);

}  // namespace slipwave::app
