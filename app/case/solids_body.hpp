#pragma once

#include "app/case/solids_entries.hpp"

#include <optional>
#include <set>
#include <string>

namespace slipwave::app {

class TableReader;

/// Where a table puts what it is of: `at`, and `rotation` or `quaternion`.
struct Placement {
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
};
/// Reads it.
Placement read_placement(TableReader& table);

/// Three principal moments, six numbers xx, yy, zz, xy, xz, yz, or nine row by row; none where the
/// key is not there. Refuses what no body has.
std::optional<Eigen::Matrix3d> read_inertia(TableReader& table, const std::string& key);

/// What a table says of the masses of its bodies, beside the density of shapes.
struct GivenMass {
  std::optional<double> mass;
  std::optional<Eigen::Matrix3d> inertia;
};

/// The mass and inertia of a body of this shape; fails at a key of the table where neither it nor
/// the shape gives them.
void set_mass(TableReader& table, const GivenMass& given, const ShapeEntry& shape, BodyEntry& body);

/// The index of a shape that a key of the table names.
int read_shape_name(TableReader& table, const std::string& key, const SolidsCase& scene);

/// Adds a body to the scene, and its group where that is new; no other may have its name.
void add_body(TableReader& table, BodyEntry body, SolidsCase& scene);

/// Reads a [[body]], or the bodies of its file, into a scene that has its shapes and drives. Throws
/// UserError naming file, line and key.
void read_bodies(TableReader& table, SolidsCase& scene);

}  // namespace slipwave::app
