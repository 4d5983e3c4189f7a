#pragma once

#include "app/case/expression.hpp"
#include "collision/shape.hpp"
#include "dynamics/contact_law.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

class TableReader;
struct SchemeChoice;

/// A [[shape]]: what bodies look like and weigh.
struct ShapeEntry {
  std::string name;
  collision::Shape shape;  ///< of a convex one, about its centre of mass
  /// Where that is in the frame in which the shape was given, and the principal mass properties
  /// with the shape's density: zero without one, as for grounds.
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double mass = 0.0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  double skin = 0.0;
};

/// A body of the scene: a [[body]], or one of a [[pattern]].
struct BodyEntry {
  std::string name;   ///< "rock", or the pattern's with a number: "wall.17"
  std::string group;  ///< contacts, drives and outputs go by groups
  int shape = 0;      ///< an index into the shapes
  bool fixed = false;
  double mass = 0.0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< of the centre of mass
  Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();  ///< in the body's frame
  std::optional<double> birth;
};

/// A [[drive]]: how all bodies of a group move, formulas of t in the frame of space.
struct DriveEntry {
  std::string on;
  std::array<std::optional<Expression>, 3> velocity, spin;
};

/// A [[contact]] between two groups; "*" is any. Later entries stand before earlier ones.
struct SolidsContactEntry {
  std::array<std::string, 2> between;
  std::optional<dynamics::ContactLaw> law;  ///< none: these do not touch
};

/// A scene of rigid bodies in space in place of a mesh.
struct SolidsCase {
  std::vector<ShapeEntry> shapes;
  std::vector<BodyEntry> bodies;    ///< patterns written out
  std::vector<std::string> groups;  ///< each once, in the order of the bodies
  std::vector<SolidsContactEntry> contacts;
  std::vector<DriveEntry> drives;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  double alert = 0.0;
  double size = 1.0;  ///< of the smallest body that moves
};

/// Reads [[shape]], [[body]], [[pattern]], [[contact]], [[drive]], [gravity] and [detection].
/// Throws UserError naming file, line and key.
SolidsCase read_solids_case(TableReader& root, const SchemeChoice& scheme);

}  // namespace slipwave::app
