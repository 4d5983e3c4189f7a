#pragma once

#include "app/case/solids_entries.hpp"
#include "app/case/vertex_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

class TableReader;

/// Reads a [[shape]], and notes its file. Throws UserError naming file, line and key.
ShapeEntry read_shape(TableReader& table, SolidsCase& scene);

/// A convex shape moved to its centre of mass, or to another that is given.
ShapeEntry about_its_centre(std::string name, collision::Convex shape,
                            const std::optional<Eigen::Vector3d>& centre = std::nullopt);

/// The parts of the OBJ or STL file that `file` names, which the scene notes.
std::vector<VertexPart> read_parts(TableReader& table, SolidsCase& scene);

/// The convex hull of points that a key of the table names, with a radius.
collision::Convex read_hull(TableReader& table, const std::string& key,
                            const std::vector<Eigen::Vector3d>& points, double radius);

/// The edges of the box along the axes that holds a shape about its centre.
Eigen::Vector3d box_of(const collision::Convex& shape);

/// Three numbers.
Eigen::Vector3d read_vector(TableReader& table, const std::string& key,
                            std::optional<Eigen::Vector3d> fallback = std::nullopt);

}  // namespace slipwave::app
