#pragma once

#include "fem/mesh.hpp"

#include <Eigen/Core>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace slipwave::app {

/// A frame of a run: a step whose fields were written.
struct FrameEntry {
  int step = 0;
  double t = 0.0;
  std::filesystem::path file;
};

/// The frames that a ParaView collection lists, by time; none where there is no such file. Throws
/// UserError naming it where it is not whole or a frame is missing.
std::vector<FrameEntry> read_collection(const std::filesystem::path& pvd);

/// A body's fields after a step, as its frame has them.
struct BodyFrame {
  fem::Mesh mesh;
  std::map<std::string, Eigen::VectorXd> fields;  ///< displacement, velocity, reaction: two a node
  /// One per triangle: von_mises, and stress_xx, stress_yy, stress_xy, strain_xx, ...
  std::map<std::string, Eigen::VectorXd> triangle_fields;
};

/// An array along the contact lines after a step.
struct LineFrame {
  std::vector<double> s, values;  ///< s: the coordinate along x, or y if the line is upright
};

/// Reads a frames/*.vtu. Throws UserError naming the file where it is missing or broken.
BodyFrame read_body_frame(const std::filesystem::path& file);

/// Reads an array of a contact/*.vtp, sorted by s. Throws UserError naming the arrays there are.
LineFrame read_line_frame(const std::filesystem::path& file, const std::string& array);

}  // namespace slipwave::app
