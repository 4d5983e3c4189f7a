#pragma once

#include "fem/mesh.hpp"

#include <Eigen/Core>

namespace slipwave::fem {

/// Geometry of a three-node triangle: its area and the constant gradients of its shape functions.
struct T3 {
  double area = 0.0;
  Eigen::Matrix<double, 2, 3> gradients;  ///< column a is grad N_a

  /// The 3x2 block B_a of the strain-displacement matrix: [e_xx, e_yy, gamma_xy] = sum_a B_a u_a.
  Eigen::Matrix<double, 3, 2> B(int a) const;
};

/// The triangle as an element; it must be counter-clockwise.
T3 t3(const Mesh& mesh, int triangle);

/// The 2x2 block (a, b) of the element stiffness, A t B_a^T D B_b (one Gauss point is exact).
Eigen::Matrix2d stiffness_block(const T3& element, int a, int b, const Eigen::Matrix3d& D,
                                double thickness);

/// Entry (a, b) of the consistent element mass per component, rho A t / 12 (1 + delta_ab).
double consistent_mass(const T3& element, int a, int b, double density, double thickness);

}  // namespace slipwave::fem
