#pragma once

#include "app/case/case_file.hpp"
#include "app/model/node_labels.hpp"
#include "dynamics/state.hpp"
#include "dynamics/stepper.hpp"

#include <string>

namespace slipwave::app {

/// A step that went wrong, with what is needed to say why.
struct FailedStep {
  const Case& c;
  const Names& names;
  const dynamics::Stepper& stepper;
  const dynamics::State& state;  ///< after the step
};

/// Whether the contact solve was given finite numbers and gave back others.
bool contact_solve_overflowed(const dynamics::StepContacts& contact);

/// Which unknown is not finite (where all are, the largest), and the likely cause: a formula of the
/// case at this time, friction, the contact solve, a step beyond the scheme's limit, or numbers
/// that have overflowed.
std::string explain_not_finite(const FailedStep& step);

/// How far the step is beyond the scheme's limit, with the limit; empty where it is not, or where
/// the scheme has none. Costs a hundred solves.
std::string explain_instability(const FailedStep& step);

/// A contact with its place, friction, block of W and b.
std::string contact_text(const FailedStep& step, int contact);

}  // namespace slipwave::app
