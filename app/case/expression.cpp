#include "app/case/expression.hpp"

#include "app/messages/user_error.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace slipwave::app {

namespace {

/// A parser and the variables it reads; lives as long as the function that uses it.
struct Parsed {
  mu::Parser parser;
  std::vector<double> values;
};

/// Longer texts are no formulas that a person wrote, and would fill the message about them.
constexpr std::size_t longest_formula = 10000;

/// muParser takes a single = for an assignment, and "t=5" for 5.
bool assigns(const std::string& text) {
  for (std::size_t i = text.find('='); i != std::string::npos; i = text.find('=', i + 1)) {
    const bool compares = i > 0 && std::string("<>!").find(text[i - 1]) != std::string::npos;
    if (i + 1 < text.size() && text[i + 1] == '=' && !compares)
      ++i;
    else if (!compares)
      return true;
  }
  return false;
}

std::shared_ptr<Parsed> parse(const std::string& text, const std::vector<std::string>& names,
                              const std::string& where) {
  if (text.size() > longest_formula)
    throw UserError(fmt::format("{}: the formula has {} characters; at most {} are supported",
                                where, text.size(), longest_formula));
  if (assigns(text))
    throw UserError(fmt::format("{}: assignment with = in the formula \"{}\"; write == to compare",
                                where, text));
  auto parsed = std::make_shared<Parsed>();
  parsed->values.assign(names.size(), 0.0);
  try {
    parsed->parser.DefineConst("pi", std::numbers::pi);
    parsed->parser.DefineFun("sgn",
                             [](double x) { return static_cast<double>((x > 0.0) - (x < 0.0)); });
    for (std::size_t i = 0; i < names.size(); ++i)
      parsed->parser.DefineVar(names[i], &parsed->values[i]);
    parsed->parser.SetExpr(text);
    parsed->parser.Eval();
    if (parsed->parser.GetNumResults() > 1)
      throw UserError(fmt::format(
          "{}: the formula \"{}\" has a comma outside of a function; write 0.5, not 0,5", where,
          text));
  } catch (const mu::Parser::exception_type& error) {
    throw UserError(fmt::format("{}: {} in the formula \"{}\"; it may use {}pi, sgn, sin, exp, ...",
                                where, error.GetMsg(), text,
                                names.empty() ? "" : fmt::format("{}, ", fmt::join(names, ", "))));
  }
  return parsed;
}

}  // namespace

Formula parse_formula(const std::string& text, const std::vector<std::string>& names,
                      const std::string& where) {
  return [parsed = parse(text, names, where)](const double* values) {
    std::copy_n(values, parsed->values.size(), parsed->values.begin());
    return parsed->parser.Eval();
  };
}

Expression parse_expression(const std::string& text, const std::string& where) {
  const Formula formula = parse_formula(text, {"t"}, where);
  const double start = 0.0;
  const double at_start = formula(&start);
  if (!std::isfinite(at_start))
    throw UserError(fmt::format("{}: the formula \"{}\" is {} at t = 0; must be finite", where,
                                text, at_start));
  return {text, [formula](double t) { return formula(&t); }};
}

Expression constant_expression(double value) {
  return {fmt::format("{}", value), [value](double) { return value; }};
}

}  // namespace slipwave::app
