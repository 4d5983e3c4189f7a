#pragma once

#include "contact/fclib/fclib_file.hpp"
#include "contact/fclib/stored_problem.hpp"

#include <optional>

namespace slipwave::contact {

/// The local problem of a file, read in this process: see read_local_problem().
StoredProblem local_problem_in(const FclibFile& in);
/// The global problem of a file.
StoredGlobalProblem global_problem_in(const FclibFile& in);
/// The solution of a file, if it has one.
std::optional<StoredSolution> solution_in(const FclibFile& in);

}  // namespace slipwave::contact
