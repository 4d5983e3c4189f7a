#pragma once

#include <map>
#include <string>

namespace slipwave::app {

/// Units by quantity: length, time, stress, energy, ...; what has none is drawn without.
using Units = std::map<std::string, std::string>;

/// The unit of a quantity, or nothing.
std::string unit_of(const Units& units, const std::string& quantity);

/// The unit of velocities: that of length over that of time, where both are known.
std::string velocity_unit(const Units& units);

/// " ms": the unit as it follows a number.
std::string after_number(const std::string& unit);

}  // namespace slipwave::app
