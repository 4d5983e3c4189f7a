#pragma once

#include "collision/shape.hpp"

namespace slipwave::collision {

/// Of a solid of density 1.
struct MassProperties {
  double volume = 0.0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< of mass
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre of mass
};

/// Of a polyhedron, a sphere or a capsule, exactly. Of a polyhedron with a radius, which has no
/// short formula: of its core; whoever wants more gives the inertia.
MassProperties mass_properties(const Convex& shape);

}  // namespace slipwave::collision
