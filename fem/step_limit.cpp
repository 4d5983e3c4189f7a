#include "fem/step_limit.hpp"

#include "fem/t3.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace slipwave::fem {

namespace {

/// The largest λ of K_e x = λ M_e x. K_e = A t Bᵀ D B has the nonzero eigenvalues of the 3 x 3
/// matrix A t Lᵀ B M_e⁻¹ Bᵀ L, D = L Lᵀ. The consistent M_e = ρ A t/12 (I + J) per component, J all
/// ones, has the inverse 12/(ρ A t) (I − J/4), and B J = 0: strains see no translation. The lumped
/// one is ρ A t/3 I.
double largest_eigenvalue(const T3& element, const Eigen::Matrix3d& L, double density,
                          MassKind mass) {
  Eigen::Matrix3d B_B = Eigen::Matrix3d::Zero();
  for (int a = 0; a < 3; ++a) B_B += element.B(a) * element.B(a).transpose();
  const double inverse_mass = (mass == MassKind::consistent ? 12.0 : 3.0) / density;
  const Eigen::Matrix3d S = inverse_mass * (L.transpose() * B_B * L);
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(S, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

}  // namespace

double explicit_step_limit(const Mesh& mesh, const MaterialMap& materials, MassKind mass) {
  assert(materials.covers(mesh.triangle_count()));
  std::vector<Eigen::Matrix3d> L;
  for (const Material& material : materials.materials)
    L.emplace_back(elasticity(material).llt().matrixL());
  double limit = std::numeric_limits<double>::infinity();
  for (int e = 0; e < mesh.triangle_count(); ++e) {
    const Material& material = materials.at(e);
    const double lambda = largest_eigenvalue(
        t3(mesh, e),
        L[static_cast<std::size_t>(materials.of_triangle[static_cast<std::size_t>(e)])],
        material.density, mass);
    const double c = material.rayleigh_mass + material.rayleigh_stiffness * lambda;
    limit = std::min(limit, 4.0 / (c + std::sqrt(c * c + 4.0 * lambda)));
  }
  return limit;
}

}  // namespace slipwave::fem
