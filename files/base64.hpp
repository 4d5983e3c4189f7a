#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace slipwave::files {

/// Bytes as text (RFC 4648), in one line.
std::string base64(std::span<const std::byte> bytes);

}  // namespace slipwave::files
