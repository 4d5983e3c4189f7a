#pragma once

#include "app/case/solids_entries.hpp"

namespace slipwave::app {

class TableReader;
struct SchemeChoice;

/// Reads [[shape]], [[body]], [[pattern]], [[contact]], [[drive]], [gravity] and [detection].
/// Throws UserError naming file, line and key.
SolidsCase read_solids_case(TableReader& root, const SchemeChoice& scheme);

}  // namespace slipwave::app
