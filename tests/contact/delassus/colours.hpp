#pragma once

#include "contact/delassus/delassus.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace slipwave::contact::tests {

/// Every group in one colour, and no contact of a group that sees one of another group with its
/// colour; seen(a) names the contacts that a sees.
template <class Seen>
void check_colours(const Colours& colours, int contact_count, const Seen& seen) {
  REQUIRE(static_cast<int>(colours.group.size()) == contact_count);
  std::vector<int> colour;
  for (std::size_t k = 0; k < colours.colours.size(); ++k)
    for (const int group : colours.colours[k]) {
      colour.resize(std::max(colour.size(), static_cast<std::size_t>(group) + 1), -1);
      CHECK(colour[static_cast<std::size_t>(group)] == -1);
      colour[static_cast<std::size_t>(group)] = static_cast<int>(k);
    }
  int clashes = 0;
  for (int a = 0; a < contact_count; ++a)
    for (const int b : seen(a)) {
      const auto own = static_cast<std::size_t>(colours.group[static_cast<std::size_t>(a)]),
                 other = static_cast<std::size_t>(colours.group[static_cast<std::size_t>(b)]);
      REQUIRE(own < colour.size());
      if (own != other && colour[own] == colour[other]) ++clashes;
    }
  CHECK(clashes == 0);
}

}  // namespace slipwave::contact::tests
