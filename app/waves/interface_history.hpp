#pragma once

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace slipwave::app {

/// One value per recorded step (row) and node (column).
template <class Value>
using SpaceTime = Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// What the elastic waves of a material run at, length/time.
struct ReferenceSpeeds {
  double pressure = 0.0;  ///< c_p
  double shear = 0.0;     ///< c_s
  double rayleigh = 0.0;  ///< c_R
};

/// A contact line over time. Nodes are in the order of increasing x.
struct LineHistory {
  std::string name;          ///< of the group in the file: the physical curve's
  Eigen::Matrix2Xd place;    ///< of the undeformed nodes
  Eigen::Matrix2Xd tangent;  ///< unit, the direction of positive slip at each node
  /// Position along the line, increasing within a piece: of a straight line the coordinate along
  /// its direction, so that a floor's is the x of its nodes and a wall's the y; else the arc
  /// length.
  Eigen::VectorXd x;
  Eigen::VectorXd area;   ///< that each node stands for
  Eigen::VectorXi piece;  ///< number of the connected piece of each node
  Eigen::VectorXi node;   ///< tag in the mesh
  double friction = 0.0;
  ReferenceSpeeds speeds;          ///< of the body's material at the line
  SpaceTime<std::uint8_t> status;  ///< contact::Status: 0 open, 1 stick, 2 forward, 3 backward
  SpaceTime<float> pressure;       ///< p_N / (h area)
  SpaceTime<float> shear;          ///< p_T / (h area)
  SpaceTime<float> slip_velocity;  ///< u_T at which impulses do work
  SpaceTime<float> slip;           ///< tangential displacement since t = 0
  SpaceTime<float> gap;            ///< at the end of the step

  int node_count() const { return static_cast<int>(x.size()); }
  /// Makes room for so many recorded steps.
  void resize(Eigen::Index rows);
};

/// A field of a line by its name in the file.
struct LineField {
  const char* name;
  SpaceTime<float> LineHistory::*values;
};
/// All fields but the status.
const std::array<LineField, 5>& line_fields();

/// All contact lines of a run, at the recorded steps.
struct InterfaceHistory {
  Eigen::VectorXd t;
  Eigen::VectorXi step;
  std::vector<LineHistory> lines;

  /// Makes room for so many recorded steps.
  void resize(Eigen::Index rows);
};

}  // namespace slipwave::app
