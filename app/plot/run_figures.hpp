#pragma once

#include "app/messages/units.hpp"
#include "app/plot/chart.hpp"
#include "app/results/columns.hpp"
#include "app/results/read_frames.hpp"
#include "app/waves/interface_history.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// What all figures for print take.
struct PrintOptions {
  double width = 170.0;            ///< mm
  std::optional<Range> time = {};  ///< the part of the run that is drawn; else all of it
};

/// Figures 9 and 10 of [AC24]: (a) the energies and works, (b) the initial energy with all works
/// against the total energy, and for runs with contacts the panels of work_figure() as (c), (d).
/// Throws UserError where the ledger has no rows in the time that is asked for.
Figure energy_figure(const Columns& ledger, const Units& units, const PrintOptions& options);

/// Figures 9 and 10 (c), (d) of [AC24]: over all contact nodes, the largest positive part and the
/// most negative part of the tangential work of every recorded step.
Figure work_figure(const Columns& ledger, const Units& units, const PrintOptions& options);

/// What the snapshot of a body shows.
struct SnapshotOptions {
  double t = 0.0;
  std::optional<double> warp = {};     ///< factor on the deformation; else one that suits it
  std::string field = "displacement";  ///< see snapshot_fields()
};

/// Meshes with more triangles are drawn as an image without mesh lines, not as vectors.
inline constexpr int most_vector_triangles = 20000;

/// The names that a frame's colours can have: vectors by their magnitude, _x and _y, and what
/// triangles have.
std::vector<std::string> snapshot_fields(const BodyFrame& frame);

/// Figure 8 of [AC24]: (a) the undeformed mesh, (b) the deformed one, warped (see warp.hpp) and
/// coloured by a field. Throws UserError naming the fields there are.
Figure snapshot_figure(const BodyFrame& frame, const SnapshotOptions& snapshot, const Units& units,
                       const PrintOptions& options);

/// The space-time diagram of a contact line: status, slip velocity and pressure, with the slopes
/// of c_p, c_s and c_R. Where several steps or nodes fall on a pixel it shows what is rare: the
/// status that is the rarest in the whole diagram, or the value farthest from the diagram's mean.
Figure interface_figure(const InterfaceHistory& history, const LineHistory& line,
                        const Units& units, const PrintOptions& options);

}  // namespace slipwave::app
