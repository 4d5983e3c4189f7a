#pragma once

#include <array>
#include <map>
#include <string>

namespace slipwave::app {

/// What [units] of a case may name.
inline constexpr std::array quantities{"length", "time", "mass", "force", "stress", "energy"};

/// The labels of quantities, as the case file has them; what has none is told without.
using Units = std::map<std::string, std::string>;

/// The unit of a quantity, or nothing.
std::string unit_of(const Units& units, const std::string& quantity);

/// "kg/m^3" of mass, length and "^3", where both labels are known; otherwise nothing.
std::string quotient_unit(const Units& units, const std::string& above, const std::string& below,
                          const char* power = "");

/// The unit of velocities: that of length over that of time, where both are known.
std::string velocity_unit(const Units& units);

/// " ms": the unit as it follows a number.
std::string after_number(const std::string& unit);

/// "x (mm)": the unit as it follows a name.
std::string after_name(const std::string& name, const std::string& unit);

}  // namespace slipwave::app
