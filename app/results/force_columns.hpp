#pragma once

#include "app/case/case_file.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// The columns of forces.csv that a case will have.
std::vector<std::string> force_columns(const Case& c);

}  // namespace slipwave::app
