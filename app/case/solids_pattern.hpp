#pragma once

#include "collision/mass_properties.hpp"
#include "collision/shape.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <vector>

namespace slipwave::app {

/// A block of a pattern, in the pattern's frame: z is up, x goes through a wall, y along it.
struct PlacedBlock {
  bool half = false;
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< of its centre
  Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
};

/// Courses of blocks, each half a block beside the one below.
struct Courses {
  Eigen::Vector3d block = Eigen::Vector3d::Ones();  ///< thickness, length and height
  int courses = 1;
  int blocks = 1;    ///< in the lowest course
  double gap = 0.0;  ///< between neighbours, along and above
};

/// A wall about the origin, on the plane z = 0. Tapered it loses half a block at both ends in every
/// course; otherwise every other course has half blocks at its ends, and one full block less.
std::vector<PlacedBlock> running_bond(const Courses& wall, bool taper);

/// A pier behind a wall that stands at y = 0: from there it goes towards −y. Each course has one
/// half block, at the far end in the lowest and in turns then.
std::vector<PlacedBlock> buttress(const Courses& pier);

/// So many blocks on one another, the first at the origin, each beside the one below by the next of
/// the offsets along y: none where there are no more.
std::vector<PlacedBlock> stack(const Eigen::Vector3d& block, int blocks, double gap,
                               const std::vector<double>& offsets);

/// A semicircle in the plane of x and z about the origin, on z = 0, of equal voussoirs whose joints
/// are radial.
struct Arch {
  int voussoirs = 10;
  double radius = 1.0;  ///< mean
  double thickness = 0.1;
  double width = 1.0;
};

/// A voussoir with z through its middle, about its centre of mass: a sector of the ring, whose
/// faces between the joints, which nothing touches, are plane here.
collision::Convex voussoir(const Arch& arch);
/// Of that sector of the ring, its centre as it is at the crown.
collision::MassProperties properties_of_voussoir(const Arch& arch);
/// From x > 0 over the crown.
std::vector<PlacedBlock> voussoirs(const Arch& arch);

}  // namespace slipwave::app
