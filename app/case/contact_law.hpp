#pragma once

#include "dynamics/system.hpp"

#include <string>

namespace slipwave::app {

class TableReader;
/// The law of a contact's table; its friction only if that is a number.
dynamics::ContactLaw read_contact_law(TableReader& table, dynamics::ImpactLaw law_of_scheme,
                                      bool friction_is_number = true);

/// The name of an activation rule as the case file writes it.
std::string name_of(dynamics::Activation activation);

}  // namespace slipwave::app
