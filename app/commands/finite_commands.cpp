#include "app/commands/finite_commands.hpp"

#include "app/case/case_file.hpp"
#include "app/model/few_dofs_model.hpp"
#include "app/commands/equilibria.hpp"
#include "app/commands/outcomes.hpp"
#include "app/commands/stability.hpp"

#include <fmt/format.h>

namespace slipwave::app {

namespace {

/// What the case has instead of what a command needs.
std::string what_it_has(const Case& c) {
  return c.finite ? fmt::format("system.kind = \"{}\"", c.finite->kind) : "a [mesh]";
}

const dynamics::MassSpring& mass_spring_of(const Case& c, const std::string& case_file) {
  const auto* model = c.finite ? std::get_if<dynamics::MassSpring>(&c.finite->model) : nullptr;
  if (model) return *model;
  throw UserError(
      fmt::format("{}: has {}; equilibria and stability are of system.kind = \"mass-spring\", such "
                  "as cases/mass_spring.toml",
                  case_file, what_it_has(c)));
}

}  // namespace

ExitCode show_equilibria(const std::string& case_file, const std::vector<std::string>& set) {
  const Case c = read_case(case_file, set);
  print_equilibria(mass_spring_of(c, case_file), c.unit("length"), c.unit("force"));
  return success;
}

ExitCode show_stability(const std::string& case_file, const std::vector<std::string>& set) {
  const Case c = read_case(case_file, set);
  const bool agrees =
      print_stability(mass_spring_of(c, case_file), c.scheme.scheme, c.time_after(c.step_count),
                      c.unit("time"), c.unit("length"), c.unit("force"));
  return agrees ? success : step_failed;
}

ExitCode show_outcomes(const std::string& case_file, const std::vector<std::string>& set) {
  const Case c = read_case(case_file, set);
  if (!c.finite || c.finite->kind != "stick")
    throw UserError(fmt::format(
        "{}: has {}; outcomes are of system.kind = \"stick\", such as cases/painleve_rod.toml",
        case_file, what_it_has(c)));
  const FiniteModel model(c);
  const dynamics::State state = model.initial_state();
  return print_outcomes(*model.rigid_body(), state.q, state.v) ? success : step_failed;
}

}  // namespace slipwave::app
