#include "app/plot/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>

namespace slipwave::app {

namespace {

std::string superscript(int number) {
  static const std::array<std::string, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits.at(std::size_t(c - '0'));
  return text;
}

}  // namespace

std::string with_minus_sign(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '-' ? "−" : std::string(1, c);
  return result;
}

std::size_t character_count(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string significant(double number, int digits) {
  assert(digits >= 1);
  if (std::isnan(number)) return "—";
  if (std::isinf(number)) return number < 0.0 ? "−∞" : "∞";
  if (number == 0.0) return "0";
  // The exponent after rounding: 9.996 with three digits is 1.00×10¹.
  const std::string scientific = fmt::format("{:.{}e}", number, digits - 1);
  const std::size_t e = scientific.find('e');
  const int exponent = std::atoi(scientific.c_str() + e + 1);
  if (exponent < -3 || exponent > 4 || exponent >= digits)
    return with_minus_sign(scientific.substr(0, e)) + "×10" + superscript(exponent);
  return with_minus_sign(fmt::format("{:.{}f}", number, digits - 1 - exponent));
}

}  // namespace slipwave::app
