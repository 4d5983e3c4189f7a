#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <filesystem>
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

/// A contact line over time. Nodes are in the order of the line.
struct LineHistory {
  std::string name;        ///< of the group in the file
  Eigen::Matrix2Xd place;  ///< of the undeformed nodes
  Eigen::VectorXd x;       ///< position along the line: along the tangent of a straight line, so
                      ///< that a floor's is the x of its nodes; else the arc length. Increasing
                      ///< within a piece
  Eigen::VectorXi piece;  ///< number of the connected piece of each node
  double friction = 0.0;
  ReferenceSpeeds speeds;          ///< of the body's material at the line
  SpaceTime<std::uint8_t> status;  ///< contact::Status: 0 open, 1 stick, 2 forward, 3 backward
  SpaceTime<float> pressure;       ///< p_N / (h area)
  SpaceTime<float> shear;          ///< p_T / (h area)
  SpaceTime<float> slip_velocity;  ///< u_T at which impulses do work
  SpaceTime<float> slip;           ///< tangential displacement since t = 0
  SpaceTime<float> gap;            ///< at the end of the step
};

/// All contact lines of a run, at the recorded steps.
struct InterfaceHistory {
  Eigen::VectorXd t;
  Eigen::VectorXi step;
  std::vector<LineHistory> lines;
};

/// Reads interface.h5, of a run that goes on too. Throws UserError naming the file and what is
/// missing in it.
InterfaceHistory read_interface_history(const std::filesystem::path& file);

}  // namespace slipwave::app
