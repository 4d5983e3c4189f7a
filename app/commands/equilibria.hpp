#pragma once

#include "dynamics/systems/equilibria.hpp"

#include <string>

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

}  // namespace slipwave::app
