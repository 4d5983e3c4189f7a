#pragma once

#include "dynamics/contact_law.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

class TableReader;

/// The law of a contact's table. What its user should know of names that have changed is added to
/// the notes.
dynamics::ContactLaw read_contact_law(TableReader& table, dynamics::ImpactLaw impact_of_scheme,
                                      std::vector<std::string>& notes);

/// The same for a contact that has Coulomb's friction only; its coefficient only if that is a
/// number.
dynamics::ContactLaw read_coulomb_contact(TableReader& table, dynamics::ImpactLaw impact_of_scheme,
                                          std::vector<std::string>& notes,
                                          bool friction_is_number = true);

}  // namespace slipwave::app
