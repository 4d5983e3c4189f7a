#pragma once

#include "app/messages/user_error.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// `slipwave equilibria`: all equilibria of a mass-spring case and what is proven of them.
ExitCode show_equilibria(const std::string& case_file, const std::vector<std::string>& set);

/// `slipwave stability`: what motions from around them do, next to the proof. step_failed where
/// they do not agree.
ExitCode show_stability(const std::string& case_file, const std::vector<std::string>& set);

/// `slipwave outcomes`: what the contact law can do at the initial state of a rigid body with one
/// contact. step_failed where that is not as proven.
ExitCode show_outcomes(const std::string& case_file, const std::vector<std::string>& set);

}  // namespace slipwave::app
