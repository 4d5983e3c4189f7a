#pragma once

#include "fem/material.hpp"
#include "fem/mesh.hpp"

#include <Eigen/Core>

namespace slipwave::fem {

/// Symmetric tensors per triangle, one column each, in the order xx, yy, zz, xy, yz, xz (VTK's).
struct StressField {
  Eigen::Matrix<double, 6, Eigen::Dynamic> strain;  ///< tensor components: xy is gamma_xy / 2
  Eigen::Matrix<double, 6, Eigen::Dynamic> stress;
  Eigen::VectorXd von_mises;
};

/// Strain, stress and von Mises stress of every triangle for the displacements q. The out-of-plane
/// component follows from the hypothesis: e_zz in plane stress, sigma_zz in plane strain. On the
/// calling thread alone: who writes files does so beside the solver, whose threads are spoken for.
StressField stress(const Mesh& mesh, const MaterialMap& materials, const Eigen::VectorXd& q);

}  // namespace slipwave::fem
