#pragma once

#include "app/results/json.hpp"

namespace slipwave::app {

/// The palette of the figures (app/plot/palette.hpp) for the page: inks, statuses, energies,
/// balance, tangential_works, speeds, and the colours of numbers.
Json palette_data();

}  // namespace slipwave::app
