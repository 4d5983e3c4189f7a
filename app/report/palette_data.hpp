#pragma once

#include <toml++/toml.h>

namespace slipwave::app {

/// The palette of the figures (app/plot/palette.hpp) for the page: inks, statuses, energies,
/// balance, tangential_works, speeds, and the colours of numbers.
toml::table palette_data();

}  // namespace slipwave::app
