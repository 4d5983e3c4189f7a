#pragma once

#include <cstdint>

namespace slipwave::contact {

/// Says which contact is which from step to step, whatever its place in the list of a step: what is
/// remembered of a contact belongs to its key.
using Key = std::uint64_t;

}  // namespace slipwave::contact
