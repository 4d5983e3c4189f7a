#pragma once

#include "dynamics/schemes/schemes.hpp"

#include <string>

namespace slipwave::app {

class TableReader;
/// The scheme of `time.scheme` with its parameters.
struct SchemeChoice {
  std::string name = "moreau-jean-fremond";
  dynamics::SchemeValues values;
  dynamics::Scheme scheme = dynamics::moreau_jean_fremond(0.5);
  dynamics::ImpactLaw impact = dynamics::ImpactLaw::fremond;  ///< of contacts that choose none

  /// "newmark, gamma = 0.5".
  std::string description() const;
};

/// Reads the scheme and its parameters from [time]. Throws UserError.
SchemeChoice read_scheme(TableReader& table);

}  // namespace slipwave::app
