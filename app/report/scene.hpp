#pragma once

#include "app/results/json.hpp"
#include "app/results/read_run.hpp"

#include <cstddef>

namespace slipwave::app {

/// How much of a scene of rigid bodies a page takes.
struct SceneBudget {
  std::size_t frames = 400;        ///< at most
  std::size_t poses = 80'000;      ///< bodies times frames; 36 bytes of text each
  std::size_t joint_forces = 200;  ///< the largest of a frame
};

/// Rigid bodies over time for the page: names, groups, shapes, and as text frame by frame places,
/// attitudes, speeds and kinetic energies of the bodies that move, with the largest joint forces.
/// There must be frames. Throws UserError where files are missing or damaged.
Json scene_of(const RunResults& run, const SceneBudget& budget);

}  // namespace slipwave::app
