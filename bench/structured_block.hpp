#pragma once

#include "dynamics/state.hpp"
#include "dynamics/system.hpp"
#include "fem/material.hpp"
#include "fem/mesh.hpp"

namespace slipwave::bench {

/// The paper's 40 x 25 mm block on a regular mesh of about `nodes` nodes: made at once at any size.
fem::Mesh structured_block(int nodes);

/// The same with nx by ny cells of two triangles.
fem::Mesh block_of_cells(int nx, int ny);

/// The paper's material on every triangle.
fem::MaterialMap paper_material(const fem::Mesh& mesh);

/// The sliding block as a system, and its state at rest under the pressed top.
struct SlidingBlock {
  dynamics::System system;
  dynamics::State state;
};

/// Loads, prescribed motions and contacts of cases/sliding_block.toml on that mesh.
SlidingBlock sliding_block(const fem::Mesh& mesh);

}  // namespace slipwave::bench
