#pragma once

#include "app/case/solids_entries.hpp"

namespace slipwave::app {

class TableReader;

/// Reads a [[pattern]] and adds its bodies, "wall.1" first, to a scene that has its shapes and
/// drives. Throws UserError naming file, line and key.
void read_pattern(TableReader& table, SolidsCase& scene);

}  // namespace slipwave::app
