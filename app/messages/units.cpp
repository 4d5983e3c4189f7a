#include "app/messages/units.hpp"

#include <fmt/format.h>

namespace slipwave::app {

std::string unit_of(const Units& units, const std::string& quantity) {
  const auto found = units.find(quantity);
  return found == units.end() ? "" : found->second;
}

std::string quotient_unit(const Units& units, const std::string& above, const std::string& below,
                          const char* power) {
  const std::string numerator = unit_of(units, above), denominator = unit_of(units, below);
  if (numerator.empty() || denominator.empty()) return "";
  return fmt::format("{}/{}{}", numerator, denominator, power);
}

std::string velocity_unit(const Units& units) { return quotient_unit(units, "length", "time"); }

std::string after_number(const std::string& unit) {
  return unit.empty() ? "" : fmt::format(" {}", unit);
}

std::string after_name(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

}  // namespace slipwave::app
