#pragma once

#include "app/case/expression.hpp"
#include "collision/mass_properties.hpp"
#include "collision/shape.hpp"
#include "dynamics/contact_law.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace slipwave::app {

/// A [[shape]], or one that a pattern or a file made: what bodies look like and weigh.
struct ShapeEntry {
  std::string name;
  collision::Shape shape{};  ///< of a convex one, about its centre of mass
  /// Of density 1, its centre in the frame in which the shape was given; of a half-space nothing.
  collision::MassProperties properties{};
  bool uniform = true;   ///< whether the centre of mass is that of the shape
  double density = 0.0;  ///< 0 where none is given
  double skin = 0.0;
};

/// A body of the scene: a [[body]], one of its file, or one of a [[pattern]].
struct BodyEntry {
  std::string name;   ///< "rock", or the pattern's with a number: "wall.17"
  std::string group;  ///< contacts, drives and outputs go by groups
  int shape = 0;      ///< an index into the shapes
  bool fixed = false;
  double mass = 0.0;                                  ///< of a body that can be pushed
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< the same, in its frame
  Eigen::Vector3d place = Eigen::Vector3d::Zero();    ///< of the centre of mass
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

/// A [[contact]] between two groups; "*" is any.
struct SolidsContactEntry {
  std::array<std::string, 2> between;
  std::optional<dynamics::ContactLaw> law;  ///< none: these do not touch
};

/// A scene of rigid bodies in space in place of a mesh.
struct SolidsCase {
  std::vector<ShapeEntry> shapes;
  std::vector<BodyEntry> bodies;    ///< patterns written out
  std::set<std::string> names;      ///< of all bodies
  std::vector<std::string> groups;  ///< each once, in the order of the bodies
  std::vector<SolidsContactEntry> contacts;
  std::vector<DriveEntry> drives;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<std::filesystem::path> files;  ///< that shapes are of, each once
  double alert = 0.0;
  double size = 1.0;               ///< of the smallest body that moves, across where it is thinnest
  std::vector<std::string> notes;  ///< what its user should know of what was read

  const ShapeEntry& shape_of(const BodyEntry& body) const {
    return shapes[static_cast<std::size_t>(body.shape)];
  }
  /// The drive of a group, or none.
  const DriveEntry* drive_of(const std::string& group) const;
  /// Whether it moves as it is pushed: neither fixed nor driven.
  bool is_free(const BodyEntry& body) const { return !body.fixed && !drive_of(body.group); }
  /// The contact that holds for bodies of two groups, or none: the one that names more groups, and
  /// of those that name as many the last.
  const SolidsContactEntry* contact_between(const std::string& a, const std::string& b) const;
};

}  // namespace slipwave::app
