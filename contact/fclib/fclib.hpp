#pragma once

#include "contact/fclib/stored_problem.hpp"

#include <filesystem>
#include <optional>

/// The interchange format of the Frictional Contact Library [ABKP14]: HDF5 files that other contact
/// solvers read and write. Its local problem is ours, letter for letter: u = W r + q with the
/// normal first in each contact, K* ∋ u + (mu |u_T|, 0) ⊥ r ∈ K; their q is our b, their r our p,
/// their u our w.
///
/// libfclib ends the program on most errors, so files are read without it; they are written by it,
/// see contact/fclib/write_fclib.hpp. HDF5 1.10 crashes on some damaged files, so each function
/// here reads in a child process (docs/decisions/0017-fclib-in-a-child-process.md).
namespace slipwave::contact {

/// The forms of its problem that a file can hold.
enum class StoredForm { local, global, both };

/// Which form a file holds. Throws FclibError for a file that is missing, not HDF5, truncated or
/// without a problem, for sizes that do not agree, and where two forms are not of one size, one
/// dimension and one friction: they are two problems.
StoredForm stored_form(const std::filesystem::path& file);

/// Reads a problem; its matrices may be triplets or compressed by rows or columns, and stay sparse.
/// Throws FclibError as stored_form() does, and for a number that is not finite, a negative mu, an
/// entry outside of its matrix. What another form beside it holds is not read.
StoredProblem read_local_problem(const std::filesystem::path& file);
/// The same for a global problem.
StoredGlobalProblem read_global_problem(const std::filesystem::path& file);
/// The solution in a file that holds a problem, if there is one.
std::optional<StoredSolution> read_solution(const std::filesystem::path& file);

}  // namespace slipwave::contact
