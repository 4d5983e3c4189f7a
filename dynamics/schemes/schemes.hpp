#pragma once

#include "dynamics/integrator.hpp"
#include "dynamics/schemes/explicit_scheme.hpp"
#include "dynamics/schemes/newmark_scheme.hpp"
#include "dynamics/schemes/theta_scheme.hpp"
#include "linear/contact_last_matrix.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace slipwave::dynamics {

/// A scheme with its parameters.
using Scheme = std::variant<ThetaScheme, NewmarkScheme, ExplicitScheme>;

/// A parameter of a scheme: a number of `[time]` in the case file.
struct SchemeParameter {
  std::string name;
  double lower, upper;
  std::optional<double> fallback;  ///< none: the scheme has a rule of its own
  std::string meaning;
};

/// Values of parameters by name.
using SchemeValues = std::map<std::string, double>;

/// A scheme as users choose it.
struct SchemeEntry {
  std::string name;
  std::string what;
  std::string order;        ///< of accuracy, where nothing collides
  std::string dissipative;  ///< the condition of the proof
  std::string reference;    ///< where it and its energy identity are from
  std::vector<SchemeParameter> parameters;
  ImpactLaw impact;  ///< of contacts that do not choose one
  Scheme (*make)(const SchemeValues& values);
};

/// All of them; adding one is adding a line here.
const std::vector<SchemeEntry>& schemes();

/// What is broken of the conditions under which a scheme is proven to dissipate, for contacts with
/// an impact law and restitution e: one sentence each, with the number of the condition.
std::vector<std::string> broken_conditions(const Scheme& scheme, ImpactLaw impact,
                                           double restitution);

/// Makes the scheme's integrator; throws what its constructor throws.
std::unique_ptr<SystemIntegrator> make_integrator(
    System system, const Scheme& scheme, double h, const contact::SolverOptions& solver,
    const linear::MakeStepMatrix& make = linear::contact_last);

}  // namespace slipwave::dynamics
