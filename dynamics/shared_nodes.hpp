#pragma once

#include "dynamics/system.hpp"

#include <array>
#include <vector>

namespace slipwave::dynamics {

/// Pairs of contacts with friction that one node has: with two cones at a node Coulomb's law can
/// have several solutions whatever the friction. O(n log n) for n contacts.
std::vector<std::array<int, 2>> shared_nodes(const System& system);

}  // namespace slipwave::dynamics
