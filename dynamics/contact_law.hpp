#pragma once

#include "contact/laws/friction_law.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace slipwave::dynamics {

/// The rules of docs/theory.md section 7 by which a contact takes part in a step.
enum class Activation { dissipative, gap_and_velocity, predicted_gap_and_velocity, gap };

/// The rules by the names that people give them.
inline constexpr std::array<std::pair<std::string_view, Activation>, 4> activations{
    {{"dissipative", Activation::dissipative},
     {"gap-and-velocity", Activation::gap_and_velocity},
     {"predicted-gap-and-velocity", Activation::predicted_gap_and_velocity},
     {"gap", Activation::gap}}};

/// The velocity that a contact's law sees: Newton's u_{k+1}, Frémond's the one in between at which
/// impulses do work, u_{k+θ} or u_{k+1/2}; or what its scheme is named after.
enum class ImpactLaw { of_scheme, newton, fremond };

/// The laws that one can ask for, by the names that people give them.
inline constexpr std::array<std::pair<std::string_view, ImpactLaw>, 2> impact_laws{
    {{"newton", ImpactLaw::newton}, {"fremond", ImpactLaw::fremond}}};

/// The name of a law that one can ask for.
constexpr std::string_view name_of(ImpactLaw law) {
  for (const auto& [name, named] : impact_laws)
    if (named == law) return name;
  return {};
}

/// How a contact behaves, whatever touches what.
struct ContactLaw {
  contact::FrictionLaw friction;        ///< Coulomb's with μ = 0 if nothing is said
  double restitution = 0.0;             ///< e
  double tangential_restitution = 0.0;  ///< e_T of Newton's law (58)
  double gap_tolerance = 0.0;           ///< g_tol, 1e-12 of the element size
  Activation activation = Activation::dissipative;
  ImpactLaw impact = ImpactLaw::of_scheme;
};

}  // namespace slipwave::dynamics
