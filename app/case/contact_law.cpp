#include "app/case/contact_law.hpp"

#include "app/case/toml_reader.hpp"

#include <vector>

namespace slipwave::app {

namespace {

const std::vector<std::string> activation_names{"dissipative", "gap-and-velocity",
                                                "predicted-gap-and-velocity", "gap"};

}  // namespace

dynamics::ContactLaw read_contact_law(TableReader& table, dynamics::ImpactLaw law_of_scheme,
                                      bool friction_is_number) {
  dynamics::ContactLaw law;
  if (friction_is_number) law.friction = table.at_least_zero("friction");
  law.restitution = table.within("restitution", 0.0, 1.0, 0.0);
  const bool newton = table.choice("law", {"newton", "fremond"},
                                   law_of_scheme == dynamics::ImpactLaw::newton ? 0 : 1) == 0;
  law.law = newton ? dynamics::ImpactLaw::newton : dynamics::ImpactLaw::fremond;
  if (table.has("tangential_restitution") && !newton)
    table.fail("tangential_restitution", "belongs to Newton's law; Fremond's has none");
  if (newton) law.tangential_restitution = table.within("tangential_restitution", -1.0, 1.0, 0.0);
  const std::size_t fallback = newton ? 1 : 0;
  law.activation =
      static_cast<dynamics::Activation>(table.choice("activation", activation_names, fallback));
  return law;
}

std::string name_of(dynamics::Activation activation) {
  return activation_names[static_cast<std::size_t>(activation)];
}

}  // namespace slipwave::app
