#pragma once

#include "app/user_error.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// Parses and meshes a case, prints sizes, time-step advice and what a run would need; runs nothing
/// and writes no file. Throws UserError or fem::MeshError.
ExitCode check_case(const std::string& case_file, const std::vector<std::string>& set);

/// Bytes of memory that a run needs at its peak: within a factor 1.5 of what we measured from 1e3
/// to 1e6 nodes.
double estimated_memory(double nodes, double contacts);

}  // namespace slipwave::app
