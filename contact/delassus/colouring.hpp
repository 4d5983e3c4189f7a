#pragma once

#include "contact/delassus/delassus.hpp"

#include <functional>
#include <span>

namespace slipwave::contact {

/// Colours of contacts for sweeps: consecutive contacts that see the same others are a group, as
/// the points of a joint between two bodies are. Groups get, in the order of their numbers, the
/// first colour that no group they see has. One group where a sweep of so many products is too
/// short to share. What a contact sees is increasing and has itself in it; who sees is seen.
Colours coloured(int contact_count, double products,
                 const std::function<std::span<const int>(int contact)>& sees);

}  // namespace slipwave::contact
