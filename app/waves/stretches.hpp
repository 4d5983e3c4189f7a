#pragma once

#include "app/waves/interface_history.hpp"

#include <vector>

namespace slipwave::app {

/// Rows [begin, end) in which a node is in a state, and when it entered it.
struct Stretch {
  int begin = 0, end = 0;
  double event = 0.0;   ///< NaN where the state was there from the first row on
  double weight = 0.0;  ///< of a surface pulse: the height of its peak
};

/// The stretches of each node of a piece, in time.
using NodeStretches = std::vector<std::vector<Stretch>>;

/// True where a node (row of the matrix) is in a state at a recorded step (column).
using StateImage = SpaceTime<bool>;

/// Flips stretches shorter than `rows`, the shortest first and of equals the earliest, so that
/// what is left lasts that long, at the ends of the record too.
void debounce(StateImage& image, int rows);

/// The stretches in which the image is `state`. A state that is first seen in row j was entered
/// halfway between rows j - 1 and j.
NodeStretches find_stretches(const StateImage& image, bool state, const Eigen::VectorXd& t);

/// The humps of a signal (rows are nodes) that rise to `least` at least, and to twice the valleys
/// beside them: rows above half of the height; the event is the top of the parabola through the
/// three highest points.
NodeStretches find_humps(const SpaceTime<double>& signal, const Eigen::VectorXd& t, double least);

}  // namespace slipwave::app
