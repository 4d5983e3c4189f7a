#include "collision/patch.hpp"

#include "collision/narrow_phase.hpp"

namespace slipwave::collision {

void find_patch(const Shape& A, const Pose& at_A, const Shape& B, const Pose& at_B, double skin,
                double alert, Patch& patch) {
  Solid first(A), second(B);
  second.rank = precedes(first, second) ? 1 : 0;
  first.rank = precedes(second, first) ? 1 : 0;
  Placed placed_A, placed_B;
  placed_A.place(first, at_A);
  placed_B.place(second, at_B);
  NarrowPhase().find(placed_A, placed_B, skin, alert, patch);
}

}  // namespace slipwave::collision
