#include "app/case/contact_law.hpp"

#include "app/case/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace slipwave::app {

namespace {

/// `law` named the impact law once; it still may.
void take_impact_from_law(TableReader& table, std::vector<std::string>& notes) {
  if (!table.has("law")) return;
  const std::string law = table.text("law");
  const auto is_it = [&](const auto& named) { return named.first == law; };
  if (std::ranges::none_of(dynamics::impact_laws, is_it)) return;
  if (table.has("impact")) table.fail("law", "names a friction law; the impact law is in `impact`");
  table.rename("law", "impact");
  notes.push_back(fmt::format("{0} = \"{1}\": the impact law is now {2}; write {2} = \"{1}\"",
                              table.path_of("law"), law, table.path_of("impact")));
}

/// The friction law that `law` names, with its parameters.
contact::FrictionLaw read_friction(TableReader& table) {
  const std::vector<contact::FrictionLawEntry>& laws = contact::friction_laws();
  std::vector<std::string> names;
  std::transform(laws.begin(), laws.end(), std::back_inserter(names),
                 [](const contact::FrictionLawEntry& entry) { return entry.name; });
  const contact::FrictionLawEntry& law = laws[table.choice("law", names, 0)];
  std::vector<double> values;
  for (const contact::FrictionParameter& parameter : law.parameters)
    values.push_back(table.at_least_zero(parameter.name, parameter.fallback));
  return law.make(values);
}

/// All but friction.
void read_impact_and_activation(TableReader& table, dynamics::ImpactLaw of_scheme,
                                dynamics::ContactLaw& law) {
  law.restitution = table.within("restitution", 0.0, 1.0, 0.0);
  law.impact = table.choice("impact", dynamics::impact_laws, {of_scheme});
  const bool newton = law.impact == dynamics::ImpactLaw::newton;
  if (table.has("tangential_restitution") && !newton)
    table.fail("tangential_restitution", "belongs to Newton's law; Fremond's has none");
  if (newton) law.tangential_restitution = table.within("tangential_restitution", -1.0, 1.0, 0.0);
  const dynamics::Activation fallback =
      newton ? dynamics::Activation::gap_and_velocity : dynamics::Activation::dissipative;
  law.activation = table.choice("activation", dynamics::activations, {fallback});
}

}  // namespace

dynamics::ContactLaw read_contact_law(TableReader& table, dynamics::ImpactLaw impact_of_scheme,
                                      std::vector<std::string>& notes) {
  take_impact_from_law(table, notes);
  dynamics::ContactLaw law;
  law.friction = read_friction(table);
  read_impact_and_activation(table, impact_of_scheme, law);
  return law;
}

dynamics::ContactLaw read_coulomb_contact(TableReader& table, dynamics::ImpactLaw impact_of_scheme,
                                          std::vector<std::string>& notes,
                                          bool friction_is_number) {
  take_impact_from_law(table, notes);
  dynamics::ContactLaw law;
  table.choice("law", {contact::Coulomb::name}, 0);
  if (friction_is_number) law.friction = table.at_least_zero("friction");
  read_impact_and_activation(table, impact_of_scheme, law);
  return law;
}

}  // namespace slipwave::app
