#pragma once

#include "app/case/case_file.hpp"
#include "app/model/body.hpp"
#include "app/model/solids_model.hpp"

namespace slipwave::app {

/// Bytes of memory that a run has in use at its peak, the program itself included: within 15 % of
/// what was measured from 5e3 to 3e5 nodes, with damping and with several step sizes
/// (docs/reliability.md).
double memory_needs_of(const Case& c, const Body& body, const dynamics::System& system);

/// The same of rigid bodies with so many contacts: the wall with 278 bodies and 3048 contacts had
/// 102 MB in use when the rock hit it.
double memory_needs_of(const SolidsModel& model, int contacts);

}  // namespace slipwave::app
