#pragma once

#include <map>
#include <string>
#include <vector>

namespace slipwave::tests {

/// The columns of a CSV file by name.
std::map<std::string, std::vector<double>> read_csv(const std::string& file);

}  // namespace slipwave::tests
