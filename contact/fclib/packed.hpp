#pragma once

#include "contact/fclib/layout.hpp"
#include "contact/fclib/stored_problem.hpp"

#include <optional>
#include <string>

namespace slipwave::contact {

/// The bytes of what was read, to go from one process to another of the same program. Each is
/// unpacked by unpack() of its own type only.
std::string pack(const Layout& layout);
/// The same of a local problem.
std::string pack(const StoredProblem& problem);
/// The same of a global problem.
std::string pack(const StoredGlobalProblem& problem);
/// The same of a solution, or of none.
std::string pack(const std::optional<StoredSolution>& solution);

/// What pack() was given: a Layout, StoredProblem, StoredGlobalProblem or an optional
/// StoredSolution. Throws std::length_error where bytes are missing or left.
template <class Value>
Value unpack(const std::string& bytes);

}  // namespace slipwave::contact
