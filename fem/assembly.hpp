#pragma once

#include "fem/material.hpp"
#include "fem/mesh.hpp"

#include <Eigen/SparseCore>
#include <array>
#include <string_view>
#include <utility>

namespace slipwave::fem {

/// Symmetric matrices over the degrees of freedom (x_0, y_0, x_1, y_1, ...), both triangles stored.
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

/// Consistent mass, or the row sums on the diagonal.
enum class MassKind { consistent, lumped };

/// The kinds by the names that people give them.
inline constexpr std::array<std::pair<std::string_view, MassKind>, 2> mass_kinds{
    {{"consistent", MassKind::consistent}, {"lumped", MassKind::lumped}}};

/// The matrices of docs/theory.md section 1: M positive definite, K and C positive semi-definite.
struct Matrices {
  SparseMatrix M;
  SparseMatrix K;
  SparseMatrix C;  ///< Rayleigh damping of each material; without entries when there is none
};

/// Assembles straight into the final pattern, one matrix row per task: every row adds its elements
/// in their order, so the result has the same bits for any number of threads. O(triangles) time and
/// memory.
Matrices assemble(const Mesh& mesh, const MaterialMap& materials,
                  MassKind mass = MassKind::consistent);

}  // namespace slipwave::fem
