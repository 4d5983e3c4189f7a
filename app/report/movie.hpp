#pragma once

#include "app/results/json.hpp"
#include "app/results/read_frames.hpp"

#include <vector>

namespace slipwave::app {

/// How much of a run's frames a page takes.
struct MovieBudget {
  int nodes = 4000;        ///< of the mesh drawn
  int frames = 150;        ///< at most
  int values = 3'000'000;  ///< numbers of 16 bits, of all fields, nodes and frames together
};

/// The deformed body over time: t, x, y, triangles, fields (displacement_x, displacement_y, speed,
/// von_mises, pressure) as text, how many nodes and frames there were, and how to warp (see
/// app/plot/warp.hpp). Fields of triangles are
/// averaged at the nodes, weighted with the triangles' areas.
Json movie_of(const std::vector<FrameEntry>& frames, const MovieBudget& budget);

}  // namespace slipwave::app
