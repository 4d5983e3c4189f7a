#pragma once

#include "app/messages/user_error.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// Parses and meshes a case, prints sizes, time-step advice and what a run would need; runs nothing
/// and writes no file. With `trust` Gmsh does all that the mesh file says. Throws UserError or
/// fem::MeshError.
ExitCode check_case(const std::string& case_file, const std::vector<std::string>& set, bool trust);

}  // namespace slipwave::app
