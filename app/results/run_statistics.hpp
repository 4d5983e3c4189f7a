#pragma once

#include "app/model/linearity.hpp"
#include "dynamics/integrator.hpp"

namespace slipwave::app {

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
