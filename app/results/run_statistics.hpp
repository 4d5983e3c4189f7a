#pragma once

#include "dynamics/integrator.hpp"

#include <algorithm>

namespace slipwave::app {

/// How far a run has gone from where linear elasticity and the tangents of discs are exact.
struct LinearityFigures {
  double body_rotation = 0.0;   ///< rad, of the rigid motion nearest to a body
  double local_rotation = 0.0;  ///< rad, of a triangle
  double sliding = 0.0;         ///< of a node that a disc pushes, as a share of the disc's radius
  /// Of what: the first node of the body, the triangle, the contact; -1 for none.
  int body = -1, triangle = -1, contact = -1;

  double rotation() const { return std::max(body_rotation, local_rotation); }
};

/// What is kept of all steps together.
struct RunStatistics {
  dynamics::Energy initial_energy, final_energy;
  dynamics::Works works;   ///< summed
  double exchanged = 0.0;  ///< initial energy plus all works in magnitude: the scale of the balance
  double worst_balance = 0.0;                  ///< largest |balance residual| / exchanged so far
  double worst_raw = 0.0, worst_scaled = 0.0;  ///< contact residuals
  double max_tangential_work = 0.0, max_normal_work = 0.0, min_tangential_work = 0.0;
  double penetration = 0.0;
  long iterations = 0;
  int max_iterations = 0, failed_steps = 0, non_unique_steps = 0;
  int several_steps = 0;                     ///< in which a contact had several solutions
  int failed_projections = 0;                ///< steps whose projection was not solved
  int shared_node_steps = 0;                 ///< in which a node pushed on several obstacles
  int newton_steps = 0, fallback_steps = 0;  ///< finished by newton; newton gave up
  LinearityFigures linearity;                ///< of the steps in which it was looked at

  explicit RunStatistics(const dynamics::Energy& initial);
  void add(const dynamics::StepReport& report);
};

}  // namespace slipwave::app
