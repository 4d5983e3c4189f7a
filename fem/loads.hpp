#pragma once

#include "fem/assembly.hpp"
#include "fem/material.hpp"
#include "fem/mesh.hpp"

#include <Eigen/Core>
#include <string>

namespace slipwave::fem {

/// Nodal forces of a unit acceleration field along component 0 (x) or 1 (y): M times that field.
Eigen::VectorXd gravity_load(const SparseMatrix& M, int component);

/// Consistent nodal forces of a unit traction on a physical curve along component 0 (x) or 1 (y).
Eigen::VectorXd traction_load(const Mesh& mesh, const MaterialMap& materials,
                              const std::string& curve_name, int component);

/// Consistent nodal forces of a unit pressure on a physical curve, pushing into the body.
Eigen::VectorXd pressure_load(const Mesh& mesh, const MaterialMap& materials,
                              const std::string& curve_name);

}  // namespace slipwave::fem
