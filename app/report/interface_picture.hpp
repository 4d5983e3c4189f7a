#pragma once

#include "app/results/json.hpp"
#include "app/waves/interface_history.hpp"
#include "app/waves/wave.hpp"

#include <vector>

namespace slipwave::app {

/// How much of an interface's history a page takes.
struct PictureBudget {
  int nodes = 400;      ///< of a contact line
  int cells = 150'000;  ///< nodes times rows, of all contact lines together
};

/// The space-time diagrams of the contact lines: per line x, t and, row by row, status,
/// slip_velocity and pressure as text, with the reference speeds. A history that is too large is
/// sampled: every so many recorded steps and nodes.
Json interface_picture(const InterfaceHistory& history, PictureBudget budget);

/// The waves as the page's table and diagram have them.
Json waves_table(const std::vector<Wave>& waves);

}  // namespace slipwave::app
