#include "app/case/expression.hpp"
#include "app/messages/user_error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace slipwave::app {

namespace {

double at(const std::string& formula, double t) {
  return parse_expression(formula, "here").value(t);
}

std::string refusal(const std::string& formula) {
  try {
    parse_expression(formula, "block.toml:3: gravity.y");
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("app/case/expression: a formula is evaluated at the time asked for") {
  CHECK(at("3", 7.0) == 3.0);
  CHECK(at("2*t + 1", 0.25) == 1.5);
  CHECK(at("t^2", 3.0) == 9.0);
  CHECK(at("sin(pi*t)", 0.5) == 1.0);
  CHECK(at("exp(-t)", 2.0) == std::exp(-2.0));
  CHECK(at("t < 1 ? 5 : 6", 0.5) == 5.0);
  CHECK(at("t < 1 ? 5 : 6", 1.0) == 6.0);
  CHECK(at("min(t, 2, 3)", 9.0) == 2.0);
}

TEST_CASE("app/case/expression: pi is pi to the last bit") {
  CHECK(at("pi", 0.0) == std::numbers::pi);
}

TEST_CASE("app/case/expression: sgn is -1, 0 and 1") {
  CHECK(at("sgn(t)", -1e-300) == -1.0);
  CHECK(at("sgn(t)", 0.0) == 0.0);
  CHECK(at("sgn(t)", 1e-300) == 1.0);
  CHECK(at("2*sgn(sin(4*pi*t))", 0.125) == 2.0);
  CHECK(at("2*sgn(sin(4*pi*t))", 0.375) == -2.0);
}

TEST_CASE("app/case/expression: a copy lives on its own") {
  const Expression copy = [] { return Expression(parse_expression("t + 1", "here")); }();
  CHECK(copy.value(1.0) == 2.0);
  CHECK(copy.text == "t + 1");
  CHECK(Expression{}.value(3.0) == 0.0);
}

TEST_CASE("app/case/expression: a constant keeps its bits in its text") {
  const Expression tenth = constant_expression(0.1);
  CHECK(tenth.value(5.0) == 0.1);
  CHECK(std::stod(tenth.text) == 0.1);
}

TEST_CASE(
    "app/case/expression: a formula that cannot be used is refused with the place and the reason") {
  for (const char* formula : {"", "x", "2*(t", "2*t)", "t+", "foo(t)", "1 2", "t = = 1"}) {
    CAPTURE(formula);
    const std::string message = refusal(formula);
    CHECK(message.starts_with("block.toml:3: gravity.y: "));
    CHECK(message.find("in the formula \"" + std::string(formula) + "\"") != std::string::npos);
  }
  CHECK(refusal("0,5") ==
        "block.toml:3: gravity.y: the formula \"0,5\" has a comma outside of a function; write "
        "0.5, not 0,5");
  CHECK(refusal("1/t") ==
        "block.toml:3: gravity.y: the formula \"1/t\" is inf at t = 0; must be finite");
  CHECK(refusal("sqrt(t-1)").find("nan at t = 0") != std::string::npos);
}

}  // namespace slipwave::app
