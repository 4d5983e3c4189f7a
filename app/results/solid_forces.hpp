#pragma once

#include "app/model/solids_model.hpp"
#include "app/results/forces_writer.hpp"

namespace slipwave::app {

/// Of rigid bodies: a line per pair of groups that can touch, NAME-NAME, and a group per group in
/// which a body is fixed or driven.
ForceLayout force_layout(const SolidsModel& model);

/// What adds the impulses of a step for it: per pair Σ p_N and Σ |p_T| over all contacts between
/// its groups, whatever their frames; per group what its fixed and driven bodies do to the others.
/// The model must outlive it.
AddImpulses add_impulses_of_solids(const SolidsModel& model);

}  // namespace slipwave::app
