#pragma once

#include "app/results/read_run.hpp"
#include "app/results/solid_surfaces.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::app {

/// A row of scene.csv.
struct SceneBody {
  std::string name, group;
  bool fixed = false;
  double birth = 0.0;  ///< minus infinity of a body that is there from the start
};

/// Whether a run is one of rigid bodies.
bool has_scene(const std::filesystem::path& folder);
/// All rows of its scene.csv. Throws UserError where it is damaged.
std::vector<SceneBody> read_scene(const std::filesystem::path& folder);

/// A row of bodies.csv, or the last before it.
struct BodyState {
  Eigen::Vector3d place = Eigen::Vector3d::Zero();
  Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
  double speed = 0.0, kinetic = 0.0;
};

/// All bodies after a step.
struct SceneState {
  int step = 0;
  double t = 0.0;
  std::vector<BodyState> bodies;
};

/// The states of some steps, increasing, from bodies.csv of a run; steps that it does not have are
/// left out. Throws UserError where it is damaged.
std::vector<SceneState> read_bodies(const RunResults& run, std::size_t body_count,
                                    const std::vector<int>& steps);
/// The states of all steps that bodies.csv has rows of.
std::vector<SceneState> read_bodies(const RunResults& run, std::size_t body_count);

/// What the bodies look like, from a frame of theirs and their state in it. Throws UserError.
std::vector<Surface> read_surfaces(const std::filesystem::path& frame, const SceneState& state);

/// A row of joints.csv.
struct JointForce {
  int A = 0, B = 0;
  Eigen::Vector3d force, place;
};

/// The rows of joints.csv of the steps of some states, state by state, of each the largest forces;
/// none where the run wrote no joints.csv.
std::vector<std::vector<JointForce>> read_joints(const RunResults& run,
                                                 const std::vector<SceneState>& states,
                                                 std::size_t most);

}  // namespace slipwave::app
