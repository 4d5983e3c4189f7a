#pragma once

#include <cstddef>
#include <string>

namespace slipwave::app {

/// A number with so many significant digits, trailing zeros kept: "1.50", "−0.0123",
/// "2.5×10⁻⁷"; "—" where it is not a number, "∞" where it is infinite. Powers of ten stand outside
/// of 0.001 to 99999, and where the digits end before the decimal point.
std::string significant(double number, int digits);

/// The text with the minus sign of typography in place of the hyphen.
std::string with_minus_sign(const std::string& text);

/// Characters of a UTF-8 text, as a fixed-width font counts them.
std::size_t character_count(const std::string& text);

}  // namespace slipwave::app
