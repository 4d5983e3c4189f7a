#pragma once

#include "dynamics/systems/forcing.hpp"
#include "dynamics/systems/stability.hpp"

#include <string>

namespace slipwave::app {

/// Disturbs every equilibrium of the model, and forces it if there is a ξ(t), with a scheme, and
/// prints next to each other what [BLP05] predicts and what the motions did. Motions under forcing
/// last `duration`, or 100 periods of the lowest frequency if that is longer. Units are labels with
/// a leading space, or empty. Returns whether all agree with Proposition 1 and Theorem 1, and with
/// Theorem 2 where it is seen to hold: for A > 0 and mu <= K_t/|W|.
bool print_stability(const dynamics::MassSpring& model, const dynamics::Scheme& scheme,
                     double duration, const std::string& time_unit, const std::string& length_unit,
                     const std::string& force_unit);

}  // namespace slipwave::app
