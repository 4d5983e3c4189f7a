#include "app/commands/equilibria.hpp"

#include <fmt/format.h>

#include <cmath>

namespace slipwave::app {

namespace {

using dynamics::EquilibriumKind;
using dynamics::EquilibriumSet;
using dynamics::Stability;

char compared(int sign) { return sign < 0 ? '<' : sign > 0 ? '>' : '='; }

std::string number(double x) { return fmt::format("{:.5g}", x == 0.0 ? 0.0 : x); }

std::string range(const dynamics::Interval& interval) {
  if (interval.is_point()) return number(interval.lower);
  return fmt::format("({}, {})", number(interval.lower), number(interval.upper));
}

void print_cell(const dynamics::MassSpring& model, const EquilibriumSet& set,
                const std::string& length_unit, const std::string& force_unit) {
  const bool has_units = !force_unit.empty() && !length_unit.empty();
  fmt::print("A = K_t F_n - W F_t = {}{}\n", number(set.A),
             has_units ? fmt::format("{}^2/{}", force_unit, length_unit.substr(1)) : "");
  if (model.W == 0.0)
    fmt::print("mu = {:.5g}, W = 0: as for mu < K_t/W\n", model.friction);
  else
    fmt::print("mu = {:.5g} {} K_t/|W| = {:.5g}\n", model.friction, compared(set.sign_of_friction),
               model.K_t / std::abs(model.W));
  fmt::print("Table 1 of [BLP05]: A {} 0, mu {} K_t/W{}\n", compared(set.sign_of_A),
             compared(set.sign_of_friction), set.mirrored ? ", with t reversed as W < 0" : "");
  if (set.sign_of_A < 0 && set.sign_of_friction > 0)
    fmt::print("  which leaves out the strictly stuck ones; they solve (8)\n");
}

}  // namespace

std::string name_of(EquilibriumKind kind) {
  switch (kind) {
    case EquilibriumKind::without_contact:
      return "without contact";
    case EquilibriumKind::grazing:
      return "grazing";
    case EquilibriumKind::frictionless:
      return "frictionless contact";
    case EquilibriumKind::impending_positive_slip:
      return "impending positive slip";
    case EquilibriumKind::impending_negative_slip:
      return "impending negative slip";
    case EquilibriumKind::strictly_stuck:
      return "strictly stuck";
  }
  return "";
}

std::string name_of(Stability stability) {
  switch (stability) {
    case Stability::lyapunov_stable:
      return "Lyapunov stable";
    case Stability::asymptotically_stable:
      return "asymptotically stable";
    case Stability::unstable:
      return "unstable";
  }
  return "";
}

std::string reason_of(const dynamics::Equilibrium& equilibrium) {
  if (equilibrium.statement == 0) return "energy";
  return fmt::format("Prop. 1, {}", equilibrium.statement);
}

void print_equilibria(const dynamics::MassSpring& model, const std::string& length_unit,
                      const std::string& force_unit) {
  const EquilibriumSet set = dynamics::equilibria(model);
  print_cell(model, set, length_unit, force_unit);
  for (const dynamics::Equilibrium& member : set.members) {
    fmt::print("\n{}{}: {} ({})\n", name_of(member.kind),
               member.is_continuum() ? ", infinitely many" : "", name_of(member.stability),
               reason_of(member));
    fmt::print("  U_t  {:<26} U_n  {}{}\n", range(member.U_t), range(member.U_n), length_unit);
    fmt::print("  R_t  {:<26} R_n  {}{}\n", range(member.R_t), range(member.R_n), force_unit);
  }
}

std::string what_it_has(const Case& c) {
  if (c.solids) return "rigid bodies in space";
  return c.few_dofs ? fmt::format("system.kind = \"{}\"", c.few_dofs->kind) : "a [mesh]";
}

const dynamics::MassSpring& mass_spring_of(const Case& c, const std::string& case_file) {
  const auto* model = c.few_dofs ? std::get_if<dynamics::MassSpring>(&c.few_dofs->model) : nullptr;
  if (model) return *model;
  throw UserError(
      fmt::format("{}: has {}; equilibria and stability are of system.kind = \"mass-spring\", such "
                  "as cases/mass_spring.toml",
                  case_file, what_it_has(c)));
}

ExitCode show_equilibria(const std::string& case_file, const std::vector<std::string>& set) {
  const Case c = read_case(case_file, set);
  print_equilibria(mass_spring_of(c, case_file), c.unit("length"), c.unit("force"));
  return success;
}

}  // namespace slipwave::app
