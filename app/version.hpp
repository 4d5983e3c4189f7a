#pragma once

#include <string>
#include <utility>
#include <vector>

namespace slipwave::app {

/// Slipwave's version, such as "0.1.0".
std::string version();

/// The compiler and the libraries with their versions.
std::vector<std::pair<std::string, std::string>> library_versions();

}  // namespace slipwave::app
