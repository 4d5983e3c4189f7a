#pragma once

#include <filesystem>
#include <string>

namespace slipwave::tests {

/// What differs first between the results in two folders, or nothing: every file byte for byte, but
/// interface.h5 row for row, and without summary.json, which has times of day, and the checkpoint
/// before the last.
std::string difference_of_results(const std::filesystem::path& one,
                                  const std::filesystem::path& other);

}  // namespace slipwave::tests
