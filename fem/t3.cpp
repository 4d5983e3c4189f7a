#include "fem/t3.hpp"

#include <cassert>

namespace slipwave::fem {

Eigen::Matrix<double, 3, 2> T3::B(int a) const {
  assert(a >= 0 && a < 3);
  Eigen::Matrix<double, 3, 2> block;
  block << gradients(0, a), 0.0, 0.0, gradients(1, a), gradients(1, a), gradients(0, a);
  return block;
}

T3 t3(const Mesh& mesh, int triangle) {
  assert(triangle >= 0 && triangle < mesh.triangle_count());
  const Eigen::Vector3i node = mesh.triangles.col(triangle);
  const double area2 = doubled_area(mesh, triangle);
  T3 element;
  element.area = 0.5 * area2;
  for (int a = 0; a < 3; ++a) {
    const Eigen::Vector2d opposite =
        mesh.nodes.col(node[(a + 2) % 3]) - mesh.nodes.col(node[(a + 1) % 3]);
    element.gradients.col(a) << -opposite[1] / area2, opposite[0] / area2;
  }
  return element;
}

Eigen::Matrix2d stiffness_block(const T3& element, int a, int b, const Eigen::Matrix3d& D,
                                double thickness) {
  return (element.area * thickness) * element.B(a).transpose() * D * element.B(b);
}

double consistent_mass(const T3& element, int a, int b, double density, double thickness) {
  return density * element.area * thickness / 12.0 * (a == b ? 2.0 : 1.0);
}

}  // namespace slipwave::fem
