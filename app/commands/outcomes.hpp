#pragma once

#include "app/case/case_file.hpp"
#include "app/messages/user_error.hpp"
#include "dynamics/theorems/contact_outcomes.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// Prints what the discrete contact law can do around (q, v), the outcomes u⁻ and ũ of a tangential
/// contact, how far the sampled outcomes are from the set of them for every ε, and the verdict next
/// to that of [P15, Theorem 1]. Says so where there is no contact, or one that is not tangential.
/// Returns whether observation and theorem agree, true where the theorem says nothing.
bool print_outcomes(const dynamics::FewDofsSystem& system, const Eigen::VectorXd& q,
                    const Eigen::VectorXd& v, const dynamics::OutcomeOptions& options = {});

/// `slipwave outcomes`: what the contact law can do at the initial state of a rigid body with one
/// contact. step_failed where that is not as proven.
ExitCode show_outcomes(const std::string& case_file, const std::vector<std::string>& set);

}  // namespace slipwave::app
