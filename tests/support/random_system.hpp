#pragma once

#include "dynamics/state.hpp"
#include "dynamics/system.hpp"

#include <random>

namespace slipwave::tests {

/// A chain of nodes with random positive definite M, positive semi-definite K and C, a load, a
/// moving prescribed dof, and contacts with randomly turned half-planes at the first `contacts`
/// nodes, one of them with a prescribed tangential motion.
struct RandomSystem {
  dynamics::System system;
  dynamics::State state;
};

/// Draws a system; `restitution` holds for all its contacts, `activation` too.
RandomSystem random_system(std::mt19937& random, double restitution,
                           dynamics::Activation activation, int nodes = 8, int contacts = 4);

/// Stops the prescribed dofs, for schemes that want them at rest.
void bring_to_rest(RandomSystem& drawn);

}  // namespace slipwave::tests
