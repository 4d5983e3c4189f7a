#pragma once

#include "contact/fclib/stored_problem.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace slipwave::contact {

/// Writes a problem, with a solution if there is one, under a temporary name and renames it: an
/// older file of that name is replaced whole. W is stored by compressed columns, the storage that
/// libfclib's own merit function and every reader of Siconos take. Throws FclibError, also for a
/// problem without contacts, which the format does not know.
void write_local_problem(const std::filesystem::path& file, const StoredProblem& problem,
                         const std::optional<StoredSolution>& solution = std::nullopt);
/// The same for a global problem; M and H are stored as triplets, i = row and p = column, from
/// which alone the present reader of Siconos takes them.
void write_global_problem(const std::filesystem::path& file, const StoredGlobalProblem& problem,
                          const std::optional<StoredSolution>& solution = std::nullopt);
/// Either of them.
inline void write_problem(const std::filesystem::path& file, const StoredProblem& problem,
                          const std::optional<StoredSolution>& solution) {
  write_local_problem(file, problem, solution);
}
/// Either of them.
inline void write_problem(const std::filesystem::path& file, const StoredGlobalProblem& problem,
                          const std::optional<StoredSolution>& solution) {
  write_global_problem(file, problem, solution);
}
/// Puts a solution into a file that holds a problem, in place of one that is there.
void write_solution(const std::filesystem::path& file, const StoredSolution& solution);

/// Version of libfclib, which writes, such as "3.1.0".
std::string fclib_version();

}  // namespace slipwave::contact
