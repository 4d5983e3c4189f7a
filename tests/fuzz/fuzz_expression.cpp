#include "app/case/expression.hpp"
#include "app/messages/user_error.hpp"
#include "tests/fuzz/targets.hpp"

#include <array>

namespace slipwave::fuzz {

void expression(const std::string& bytes) {
  try {
    const app::Formula formula = app::parse_formula(bytes, {"x", "y"}, "here");
    for (const double x : {0.0, -1.5, 1e300}) (void)formula(std::array{x, 0.5 * x}.data());
  } catch (const app::UserError&) {
  }
  try {
    const app::Expression of_time = app::parse_expression(bytes, "here");
    for (const double t : {0.0, 0.25, 1e9}) (void)of_time.value(t);
  } catch (const app::UserError&) {
  }
}

}  // namespace slipwave::fuzz
