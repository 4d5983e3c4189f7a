#pragma once

#include "app/user_error.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// Parses and meshes a case, prints sizes, time-step advice and what a run would need; runs nothing
/// and writes no file. Throws UserError or fem::MeshError.
ExitCode check_case(const std::string& case_file, const std::vector<std::string>& set);

/// Bytes of memory that a run needs at its peak: within 10 % of what was measured from 1e2 to 1e5
/// nodes on the sliding block.
double estimated_memory(double nodes, double contacts);

}  // namespace slipwave::app
