#pragma once

#include <Eigen/Core>

// Eigen aligns memory for the widest vectors of whoever compiles, and frees what it is given in the
// way that fits: a program and a library compiled with different flags would break each other's
// heap. Here the alignment is one for all.
static_assert(EIGEN_MAX_ALIGN_BYTES == 64 && EIGEN_MAX_STATIC_ALIGN_BYTES == 64,
              "Slipwave shares Eigen's memory with the program that uses it: compile with "
              "-DEIGEN_MAX_ALIGN_BYTES=64 -DEIGEN_MAX_STATIC_ALIGN_BYTES=64, as CMake does for "
              "whoever links slipwave::eigen or a room that does");
