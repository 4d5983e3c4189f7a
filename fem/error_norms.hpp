#pragma once

#include "fem/material.hpp"
#include "fem/mesh.hpp"
#include "fem/point_location.hpp"

#include <Eigen/Core>
#include <functional>

namespace slipwave::fem {

/// Norms of a displacement or velocity field u with two components. The integrals are over the
/// volume, t being the thickness of each triangle's material, so that for a field of the mesh
/// rho L2^2 = q^T M q (M consistent) and energy^2 = q^T K q.
struct Norms {
  double L2 = 0.0;      ///< sqrt of the integral of |u|^2 t
  double H1 = 0.0;      ///< the seminorm: sqrt of the integral of |grad u|^2 t
  double energy = 0.0;  ///< sqrt of the integral of epsilon : D : epsilon t, without one half
  double max = 0.0;  ///< the largest |u| at the quadrature points and nodes: more points find more
};

/// The norms of an error and those of the reference it is measured against.
struct [[nodiscard]] FieldError {
  Norms error;
  Norms reference;
  int points_outside = 0;  ///< points of the finer mesh that the coarser one does not cover
  double farthest = 0.0;   ///< the largest distance of one of them from the coarser mesh
};

/// Each norm of the error divided by that of the reference; 0/0 is not a number.
Norms relative(const FieldError& error);

/// A field known everywhere. A scalar field is the first component of one whose second is zero: its
/// L2, H1 and max norms are those of the scalar.
struct ExactField {
  std::function<Eigen::Vector2d(const Eigen::Vector2d&)> value;
  /// Entry (i, j) is d u_i / d x_j. If it is empty the gradient is taken by central differences of
  /// `value` over a thousandth of the triangle's smallest height either way, inside the triangle.
  std::function<Eigen::Matrix2d(const Eigen::Vector2d&)> gradient;
};

/// The error of the field q of a mesh against an exact field.
/// Degree 4 is exact for the leading term of the error, that of a quadratic field, whose square is
/// of degree 4; what it misses is of higher order in the mesh size than the error.
FieldError error_norms(const Mesh& mesh, const MaterialMap& materials, const Eigen::VectorXd& q,
                       const ExactField& exact, int degree = 4);

/// The error of a coarser mesh's field against a finer mesh's field of the same bodies, integrated
/// over the triangles of the finer mesh with its materials. The coarser field and its gradient are
/// those of the triangle that contains the point; a little outside they are continued linearly.
/// Exact for nested meshes from degree 2; otherwise the coarser gradient jumps inside some of the
/// finer triangles, which the rule sees at its points only (under 0.5 % of the error). Points where
/// two bodies touch belong to the body of the finer triangle they are asked for. Throws MeshError
/// if a point is farther outside the coarser mesh than the triangle there is high: then the bodies
/// are not the same.
///
/// This is not the error against the exact field. For the sizes 4h and 2h against h the ratio of
/// the errors, which would be 4 in L2 and 2 in the energy norm, is
///     (4^p - 1)/(2^p - 1): 5 for p = 2, 3 for p = 1, if the error is C h^p with one shape C(x);
///     sqrt((4^2 - 1)/(2^2 - 1)) = 2.24 in the energy norm on nested meshes, where the error of the
///     finer solution is orthogonal to its difference from the coarser one;
///     4.1 to 4.9 in L2 on nested meshes, for interpolants.
/// On meshes that are not nested the error of the finer adds to that of the coarser or takes from
/// it: with half the size, 0.9 to 1.1 of the true error in the energy norm was measured.
FieldError error_norms(const PointLocator& coarser, const Eigen::VectorXd& q_coarser,
                       const Mesh& finer, const MaterialMap& materials,
                       const Eigen::VectorXd& q_finer, int degree = 4);

}  // namespace slipwave::fem
