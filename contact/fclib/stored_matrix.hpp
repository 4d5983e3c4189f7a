#pragma once

#include "contact/fclib/fclib_file.hpp"

#include <Eigen/SparseCore>
#include <string>

namespace slipwave::contact {

/// The matrix of a group such as "/fclib_local/W", whose m and n layout_of() has found to be those
/// of the problem: triplets (nz >= 0), compressed columns (nz = -1) or compressed rows (nz = -2).
/// Entries at one place add up. Throws FclibError naming the entry that is outside of the matrix or
/// no finite number.
///
/// Of a triplet, i is the row and p the column, as CSparse has it and every program writes it; the
/// comment in fclib.h has it the other way round, and no code beside it. Where only that way has
/// all entries within m x n, the file was written by it and is read so.
Eigen::SparseMatrix<double> read_matrix(const FclibFile& file, const std::string& group);

}  // namespace slipwave::contact
