#include "fem/stress.hpp"

#include "fem/t3.hpp"

#include <cassert>
#include <cmath>

namespace slipwave::fem {

namespace {

double von_mises(const Eigen::Matrix<double, 6, 1>& s) {
  const double normal =
      std::pow(s[0] - s[1], 2) + std::pow(s[1] - s[2], 2) + std::pow(s[2] - s[0], 2);
  return std::sqrt(0.5 * normal + 3.0 * s.tail<3>().squaredNorm());
}

}  // namespace

StressField stress(const Mesh& mesh, const MaterialMap& materials, const Eigen::VectorXd& q) {
  assert(materials.covers(mesh.triangle_count()) && q.size() == mesh.dof_count());
  StressField field;
  field.strain.setZero(6, mesh.triangle_count());
  field.stress.setZero(6, mesh.triangle_count());
  field.von_mises.setZero(mesh.triangle_count());
  for (int e = 0; e < mesh.triangle_count(); ++e) {
    const T3 element = t3(mesh, e);
    const Material& material = materials.at(e);
    Eigen::Vector3d epsilon = Eigen::Vector3d::Zero();
    for (int a = 0; a < 3; ++a) epsilon += element.B(a) * q.segment<2>(2 * mesh.triangles(a, e));
    const Eigen::Vector3d sigma = elasticity(material) * epsilon;
    const double nu = material.poisson_ratio;
    const bool plane_strain = material.hypothesis == Hypothesis::plane_strain;
    const double epsilon_zz = plane_strain ? 0.0 : -nu / (1.0 - nu) * (epsilon[0] + epsilon[1]);
    const double sigma_zz = plane_strain ? nu * (sigma[0] + sigma[1]) : 0.0;
    field.strain.col(e) << epsilon[0], epsilon[1], epsilon_zz, 0.5 * epsilon[2], 0.0, 0.0;
    field.stress.col(e) << sigma[0], sigma[1], sigma_zz, sigma[2], 0.0, 0.0;
    field.von_mises[e] = von_mises(field.stress.col(e));
  }
  return field;
}

}  // namespace slipwave::fem
