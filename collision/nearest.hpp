#pragma once

#include "collision/separation.hpp"

namespace slipwave::collision {

/// The direction in which two cores that are apart are nearest, and their distance, by Gilbert,
/// Johnson and Keerthi's descent over simplices of A − B. n is then made exactly normal to the
/// edges that are nearest, so that it keeps the cores apart by that distance; where they are nearly
/// in touch it may fail to, by round-off times their size over their distance. Returns `start` for
/// cores that touch or overlap, and where it cannot be bettered.
Axis nearest_axis(const Pair& pair, const Axis& start);

}  // namespace slipwave::collision
