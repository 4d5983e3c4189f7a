#include "app/expression.hpp"

#include "app/user_error.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>
#include <memory>
#include <numbers>

namespace slipwave::app {

namespace {

/// A parser and the variable it reads; lives as long as the function that uses it.
struct Formula {
  mu::Parser parser;
  double t = 0.0;
};

}  // namespace

Expression parse_expression(const std::string& text, const std::string& where) {
  auto formula = std::make_shared<Formula>();
  try {
    formula->parser.DefineConst("pi", std::numbers::pi);
    formula->parser.DefineFun("sgn",
                              [](double x) { return static_cast<double>((x > 0.0) - (x < 0.0)); });
    formula->parser.DefineVar("t", &formula->t);
    formula->parser.SetExpr(text);
    const double at_start = formula->parser.Eval();
    if (formula->parser.GetNumResults() > 1)
      throw UserError(fmt::format(
          "{}: the formula \"{}\" has a comma outside of a function; write 0.5, not 0,5", where,
          text));
    if (!std::isfinite(at_start))
      throw UserError(fmt::format("{}: the formula \"{}\" is {} at t = 0; must be finite", where,
                                  text, at_start));
  } catch (const mu::Parser::exception_type& error) {
    throw UserError(
        fmt::format("{}: {} in the formula \"{}\"; it may use t, pi, sgn, sin, exp, ...", where,
                    error.GetMsg(), text));
  }
  return {text, [formula](double t) {
            formula->t = t;
            return formula->parser.Eval();
          }};
}

Expression constant_expression(double value) {
  return {fmt::format("{}", value), [value](double) { return value; }};
}

}  // namespace slipwave::app
