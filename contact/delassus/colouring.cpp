#include "contact/delassus/colouring.hpp"

#include <algorithm>
#include <cstddef>

namespace slipwave::contact {

namespace {

/// Below this many products a sweep is too short to share: about 100 microseconds.
constexpr double sequential_work = 3e5;

std::vector<int> groups_of(int contact_count,
                           const std::function<std::span<const int>(int)>& sees) {
  std::vector<int> group;
  for (int a = 0; a < contact_count; ++a) {
    const bool joins = a > 0 && std::ranges::equal(sees(a - 1), sees(a));
    group.push_back(a == 0 ? 0 : group.back() + (joins ? 0 : 1));
  }
  return group;
}

}  // namespace

Colours coloured(int contact_count, double products,
                 const std::function<std::span<const int>(int)>& sees) {
  const auto n = static_cast<std::size_t>(contact_count);
  if (contact_count == 0 || products < sequential_work)
    return {std::vector<int>(n, 0), std::vector<std::vector<int>>(1, std::vector<int>(1, 0))};
  Colours result{groups_of(contact_count, sees), {}};
  std::vector<int> colour(static_cast<std::size_t>(result.group.back() + 1), -1);
  std::vector<int> taken_by;  // per colour: the last group that may not have it
  for (int a = 0; a < contact_count; ++a) {
    const auto own = static_cast<std::size_t>(result.group[static_cast<std::size_t>(a)]);
    if (colour[own] >= 0) continue;
    for (const int b : sees(a)) {
      const int other = colour[static_cast<std::size_t>(result.group[static_cast<std::size_t>(b)])];
      if (other >= 0) taken_by[static_cast<std::size_t>(other)] = static_cast<int>(own);
    }
    const auto free = std::find_if(taken_by.begin(), taken_by.end(),
                                   [&](int g) { return g != static_cast<int>(own); });
    colour[own] = static_cast<int>(free - taken_by.begin());
    if (free == taken_by.end()) {
      taken_by.push_back(-1);
      result.colours.emplace_back();
    }
    result.colours[static_cast<std::size_t>(colour[own])].push_back(static_cast<int>(own));
  }
  return result;
}

}  // namespace slipwave::contact
