#pragma once

#include "collision/separation.hpp"

namespace slipwave::collision {

/// The direction in which two cores that are apart are nearest, by Gilbert, Johnson and Keerthi's
/// descent over simplices of A − B. The last simplex tells which vertices and edges are nearest,
/// and n is made exactly normal to these edges, so that `separation`, which comes from n alone, is
/// the distance. What it finds is never worse than `start`, which it returns for cores that
/// overlap.
Axis nearest_axis(const Pair& pair, const Axis& start);

}  // namespace slipwave::collision
