#pragma once

#include "app/case/solids_entries.hpp"

namespace slipwave::app {

class TableReader;

/// Reads `scatter`: by how much at most each number of a body's place, attitude, velocity and spin
/// differs from what its table says, and the seed of these differences, which are spread evenly.
/// The same seed gives the same body everywhere; 0 leaves it as it is. The three numbers of `turn`
/// are a rotation vector in degrees, along the axes of space.
void read_scatter(TableReader table, BodyEntry& body);

}  // namespace slipwave::app
