#pragma once

#include "dynamics/systems/contact_outcomes.hpp"

namespace slipwave::app {

/// Prints what the discrete contact law can do around (q, v), the outcomes u⁻ and ũ of a tangential
/// contact, how far the sampled outcomes are from the set of them for every ε, and the verdict next
/// to that of [P15, Theorem 1]. Says so where there is no contact, or one that is not tangential.
/// Returns whether observation and theorem agree, true where the theorem says nothing.
bool print_outcomes(const dynamics::FiniteSystem& system, const Eigen::VectorXd& q,
                    const Eigen::VectorXd& v, const dynamics::OutcomeOptions& options = {});

}  // namespace slipwave::app
