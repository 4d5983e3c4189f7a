#pragma once

#include "app/case/expression.hpp"
#include "app/case/few_dofs_case.hpp"
#include "app/case/scheme_choice.hpp"
#include "app/case/solids_case.hpp"
#include "app/messages/units.hpp"
#include "contact/frames.hpp"
#include "contact/solvers/options.hpp"
#include "dynamics/system.hpp"
#include "fem/assembly.hpp"
#include "fem/material.hpp"

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// A material on a physical surface, or everywhere.
struct MaterialEntry {
  std::optional<std::string> on;
  fem::Material material;
};

/// One component of a group's motion.
struct PrescribedEntry {
  std::string on;
  int component = 0;
  dynamics::PrescribedMotion::Kind kind = dynamics::PrescribedMotion::Kind::velocity;
  Expression value;
  std::optional<Formula> of_place;  ///< instead, in the static solve: a formula of x and y
};

/// Traction along x and y, and pressure, on a physical curve.
struct TractionEntry {
  std::string on;
  std::optional<Expression> x, y, pressure;
};

/// A physical curve against a rigid obstacle.
struct ContactEntry {
  std::string on;
  dynamics::ContactLaw law;
  bool projection = false;
  contact::Obstacle obstacle;
};

/// The state at t = 0.
struct InitialEntry {
  bool static_solve = false;
  bool loads = false;  ///< whether the loads at t = 0 act in the static solve
  Eigen::Vector2d velocity = Eigen::Vector2d::Zero();
  /// Formulas of x and y, zero where there is none; the velocities instead of `velocity`.
  std::array<std::optional<Formula>, 2> displacement_of_place, velocity_of_place;
  std::vector<PrescribedEntry> prescribed;  ///< displacements of the static solve
};

/// A stretch of steps of one size.
struct StepPiece {
  double step = 0.0;
  int count = 0;
};

/// How far a meshed body may go from where linear elasticity is exact, before the run stops.
struct Limits {
  double rotation = 0.2;  ///< rad, of a body or of a triangle
  double sliding = 0.2;   ///< over a disc, as a share of its radius: rad that its normal turns by
};

/// Everything a case file says, checked as far as it can be without the mesh.
struct Case {
  std::string name;                     ///< the file's name without its ending
  Units units;                          ///< as written
  std::optional<FewDofsCase> few_dofs;  ///< instead of what follows about the body
  std::optional<SolidsCase> solids;     ///< the same
  std::filesystem::path mesh_file;
  std::optional<double> mesh_size;
  std::optional<double> mesh_seconds;  ///< that Gmsh may take
  std::optional<double> mesh_memory;   ///< bytes that Gmsh may use
  fem::MassKind mass = fem::MassKind::consistent;
  std::vector<MaterialEntry> materials;
  std::optional<Expression> gravity_x, gravity_y;
  std::vector<PrescribedEntry> prescribed;
  std::vector<TractionEntry> tractions;
  std::vector<ContactEntry> contacts;
  InitialEntry initial;
  SchemeChoice scheme;
  std::vector<StepPiece> pieces;  ///< at least one
  int step_count = 0;             ///< of all pieces
  contact::SolverOptions solver;
  bool continue_on_failure = false;
  bool continue_on_several = true;  ///< whether a step with several solutions may be one of them
  double energy_tolerance = 1e-9;
  Limits limits;
  int frames_every = 100;
  std::vector<int> frame_steps;  ///< of output.frames_at, increasing
  int ledger_every = 1;
  int trajectory_every = 1;  ///< 0, of rigid bodies in space: at frames
  int interface_every = 1;   ///< 0: no interface.h5
  int forces_every = 1;      ///< 0: no forces.csv
  /// Between checkpoints: steps, or, where these are 0, seconds. Both 0: there are none.
  int checkpoint_steps = 0;
  double checkpoint_seconds = 0.0;
  double wall_limit = std::numeric_limits<double>::infinity();  ///< seconds of the whole run
  std::vector<std::string> warnings;
  std::string resolved;  ///< the case with every default written out, as TOML

  bool has_mesh() const { return !few_dofs && !solids; }
  double first_step() const { return pieces.front().step; }
  /// The time after so many steps.
  double time_after(int steps) const;
  /// The step whose end is nearest to a time.
  int step_nearest(double t) const;
  bool has_checkpoints() const { return checkpoint_steps > 0 || checkpoint_seconds > 0.0; }
  /// Whether there are frames, and whether one is written after a step.
  bool has_frames() const { return frames_every > 0 || !frame_steps.empty(); }
  bool is_frame(int step, bool is_last) const;
  /// The unit of a quantity with a leading space, or nothing where the file gives none.
  std::string unit(const std::string& quantity) const;
};

/// Reads and checks a case file after applying KEY=VALUE replacements; `steps` stands in for
/// time.end. Throws UserError naming file, line and key.
Case read_case(const std::string& file, const std::vector<std::string>& replacements,
               std::optional<int> steps = std::nullopt);

}  // namespace slipwave::app
