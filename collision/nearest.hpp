#pragma once

#include "collision/separation.hpp"

namespace slipwave::collision {

/// The direction in which two cores that are apart are nearest, by Gilbert, Johnson and Keerthi's
/// descent over simplices of A − B. Then n is made exactly normal to the edges that are nearest, so
/// that `separation`, which comes from n alone, is the distance. What it finds is never worse than
/// `start`, which it returns for cores that overlap.
Axis nearest_axis(const Pair& pair, const Axis& start);

}  // namespace slipwave::collision
