#include "app/plot/units.hpp"

#include <fmt/format.h>

namespace slipwave::app {

std::string unit_of(const Units& units, const std::string& quantity) {
  const auto found = units.find(quantity);
  return found == units.end() ? "" : found->second;
}

std::string velocity_unit(const Units& units) {
  const std::string length = unit_of(units, "length"), time = unit_of(units, "time");
  return length.empty() || time.empty() ? "" : fmt::format("{}/{}", length, time);
}

std::string after_number(const std::string& unit) {
  return unit.empty() ? "" : fmt::format(" {}", unit);
}

}  // namespace slipwave::app
