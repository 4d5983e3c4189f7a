#pragma once

#include "app/case/case_file.hpp"
#include "app/messages/user_error.hpp"
#include "dynamics/theorems/equilibria.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// Prints the cell of [BLP05, Table 1] that the model is in, and all its equilibria with what is
/// proven of them. Units are labels with a leading space, or empty.
void print_equilibria(const dynamics::MassSpring& model, const std::string& length_unit,
                      const std::string& force_unit);

/// A kind of equilibrium in words, up to 23 characters.
std::string name_of(dynamics::EquilibriumKind kind);

/// A kind of stability in words, up to 21 characters.
std::string name_of(dynamics::Stability stability);

/// The statement of [BLP05, Proposition 1], or the argument, that a prediction rests on.
std::string reason_of(const dynamics::Equilibrium& equilibrium);

/// What a case has instead of what a command needs, in the words of the case file.
std::string what_it_has(const Case& c);

/// The masses on springs of a case; throws UserError where it has none.
const dynamics::MassSpring& mass_spring_of(const Case& c, const std::string& case_file);

/// `slipwave equilibria`: all equilibria of a mass-spring case and what is proven of them.
ExitCode show_equilibria(const std::string& case_file, const std::vector<std::string>& set);

}  // namespace slipwave::app
