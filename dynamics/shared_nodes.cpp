#include "dynamics/shared_nodes.hpp"

#include <algorithm>

namespace slipwave::dynamics {

std::vector<std::array<int, 2>> shared_nodes(const System& system) {
  std::vector<std::array<int, 2>> with_friction;  // dof, contact
  for (int a = 0; a < system.contact_count(); ++a) {
    if (largest_friction(system.contacts[static_cast<std::size_t>(a)].law.friction) > 0.0)
      with_friction.push_back({system.H.own_dof(a), a});
  }
  std::sort(with_friction.begin(), with_friction.end());
  std::vector<std::array<int, 2>> pairs;
  for (std::size_t i = 1; i < with_friction.size(); ++i)
    if (with_friction[i][0] == with_friction[i - 1][0])
      pairs.push_back({with_friction[i - 1][1], with_friction[i][1]});
  return pairs;
}

}  // namespace slipwave::dynamics
