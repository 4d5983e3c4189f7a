#pragma once

#include "app/case/case_file.hpp"
#include "app/messages/user_error.hpp"
#include "dynamics/theorems/forcing.hpp"
#include "dynamics/theorems/stability.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// Disturbs every equilibrium of the model, and forces it if there is a ξ(t), with a scheme, and
/// prints next to each other what [BLP05] predicts and what the motions did. Motions under forcing
/// last `duration`, or 100 periods of the lowest frequency if that is longer. Units are labels with
/// a leading space, or empty. Returns whether all agree with Proposition 1 and Theorem 1, and with
/// Theorem 2 where it is seen to hold: for A > 0 and mu <= K_t/|W|.
bool print_stability(const dynamics::MassSpring& model, const dynamics::Scheme& scheme,
                     double duration, const std::string& time_unit, const std::string& length_unit,
                     const std::string& force_unit);

/// `slipwave stability`: what motions from around them do, next to the proof. step_failed where
/// they do not agree.
ExitCode show_stability(const std::string& case_file, const std::vector<std::string>& set);

}  // namespace slipwave::app
