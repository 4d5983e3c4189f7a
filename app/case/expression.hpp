#pragma once

#include <functional>
#include <string>
#include <vector>

namespace slipwave::app {

/// A formula of the time t with its text, for the resolved case file.
struct Expression {
  std::string text = "0";
  std::function<double(double)> value = [](double) { return 0.0; };
};

/// Parses a formula in `t` (muParser, with `pi` and `sgn`, which is 0 at 0). Throws UserError
/// saying what is wrong with the formula, or that it is not finite at t = 0; `where` stands in
/// front of the message.
Expression parse_expression(const std::string& text, const std::string& where);

/// A formula of several variables.
using Formula = std::function<double(const double* values)>;

/// Parses a formula in the named variables, with the same functions. Throws the same UserError.
Formula parse_formula(const std::string& text, const std::vector<std::string>& names,
                      const std::string& where);

/// A constant.
Expression constant_expression(double value);

}  // namespace slipwave::app
